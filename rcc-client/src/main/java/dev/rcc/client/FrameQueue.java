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
 * The frames to be written to a connection. Any thread adds frames. The event loop takes all of them, writes them as one run of bytes and flushes
 * once. So under load many callers share a system call, and the event loop is not woken again before it has begun to write.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a write that fails ends the connection, which all callers see
final class FrameQueue {
    /** A run of bytes that has reached this length is written, and another run begins. */
    private static final int RUN_BYTES = 64 * 1024;

    private final Channel channel;
    private final Queue<Frame> frames = new ConcurrentLinkedQueue<>();
    /** Whether the event loop has been woken to write, and has not begun. */
    private final AtomicBoolean asked = new AtomicBoolean();

    FrameQueue(Channel channel) {
        this.channel = channel;
    }

    /**
     * Adds a frame. The frames of one thread are written in the order in which it adds them. If the connection is gone, the frame is dropped.
     *
     * @param flush whether to write the frame now, with all frames added before, rather than along with the next frame
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
        asked.set(false); // before polling: a frame added from now on wakes it again
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
        } catch (RuntimeException | Error e) { // out of memory, for one; part of a frame must not be written
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
