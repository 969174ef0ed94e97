package dev.rcc.client;

import dev.rcc.client.wire.Frame;
import dev.rcc.client.wire.MessageCodec;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.util.ReferenceCountUtil;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * What is to be written to a connection. Any thread adds; the event loop takes all that is there, writes it as one run of bytes and flushes
 * once. So under load many callers share a system call, and the event loop is not woken as long as it has not begun to write what it was woken
 * for.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a write that fails ends the connection, which all callers see
final class FrameQueue {
    /** A run of bytes that has become as long is written, and another one begins. */
    private static final int RUN_BYTES = 64 * 1024;

    private final Channel channel;
    private final Queue<Frame> frames = new ConcurrentLinkedQueue<>();
    /** Whether the event loop has been asked to write, and has not begun. */
    private final AtomicBoolean asked = new AtomicBoolean();

    FrameQueue(Channel channel) {
        this.channel = channel;
    }

    /**
     * Adds a frame. Those of one thread are written in the order in which it adds them. If the connection is gone, so is the frame.
     *
     * @param flush whether it is to be written now, with all that was added before, rather than along with the next one
     */
    void add(Frame frame, boolean flush) {
        frames.add(frame);
        if (flush && !asked.get() && asked.compareAndSet(false, true)) {
            try {
                channel.eventLoop().execute(this::write);
            } catch (RejectedExecutionException e) {
                frames.clear(); // the client is closed
            }
        }
    }

    private void write() {
        asked.set(false); // before it looks: for what is added from now on it is asked again
        ByteBuf run = null;
        try {
            for (Frame frame = frames.poll(); frame != null; frame = frames.poll()) {
                run = run == null ? channel.alloc().buffer() : run;
                MessageCodec.encode(frame, run);
                if (run.readableBytes() >= RUN_BYTES) {
                    channel.write(run, channel.voidPromise());
                    run = null;
                }
            }
        } catch (RuntimeException | Error e) { // no memory is left; part of a frame must not be written
            ReferenceCountUtil.release(run);
            channel.pipeline().fireExceptionCaught(e);
            return;
        }
        if (run != null) {
            channel.write(run, channel.voidPromise());
        }
        channel.flush();
    }
}
