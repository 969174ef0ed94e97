package dev.rcc.server.gateway;

import dev.rcc.client.ErrorCode;
import dev.rcc.client.wire.Frame;
import dev.rcc.client.wire.FrameDecoder;
import dev.rcc.client.wire.Message;
import dev.rcc.client.wire.MessageCodec;
import dev.rcc.client.wire.Wire;
import dev.rcc.core.worker.Worker;
import dev.rcc.transport.sockets.SocketLoop;
import dev.rcc.transport.sockets.SocketParker;
import dev.rcc.transport.sockets.SocketUser;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * A client's socket. It belongs to an I/O thread until the client is admitted, and then to a worker, which reads and writes it in its turns. All
 * answers of a turn leave in one write, and no other thread is woken to send them.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a write that fails ends the connection and its transactions
final class ClientSocket implements SocketUser {
    /** The connection that uses the socket. Called on the thread to which the socket belongs. */
    interface Owner {
        /** Takes a frame; its exceptions go to {@link #failed}. */
        void take(Frame frame);

        /** A frame could not be taken. */
        void failed(RuntimeException why);

        /** Answers can be written again. */
        void writable();

        /** The socket could not be handed to its worker, which has ended; the socket is closed. */
        void lost();
    }

    /** The thread to which the socket belongs. */
    private enum Place {
        IO_THREAD,
        ON_THE_WAY,
        WORKER
    }

    /** With this many bytes waiting for the end of the turn, the socket counts as not writable, so that a scan pauses until they leave. */
    private static final int LEAVING_BYTES_MAX = 64 * 1024;

    /** Room for one answer, and for the answers of the first turn. */
    private static final int ANSWERS_BYTES = 512;

    private final Channel channel;
    private final FrameDecoder decoder;
    private final Owner owner;

    private final Object lock = new Object();
    /** Guarded by the lock, as are the tasks that wait for the socket to arrive. */
    private Place place = Place.IO_THREAD;

    private final List<Runnable> later = new ArrayList<>();
    /** Not null once the worker has the socket. */
    private volatile Worker worker;

    /** The largest length of a frame that the client takes. */
    private int lengthMax = Wire.WELCOME_LENGTH_MAX;

    // ---- the worker's
    private SocketLoop sockets;
    private final ArrayDeque<Frame> arrived = new ArrayDeque<>();
    private ByteBuf leaving;
    /** Room for a turn's answers: as many bytes as those of the last turn, so that the buffer need not grow. */
    private int leavingBytes = ANSWERS_BYTES;

    private boolean isToProcess;
    private boolean isToFlush;

    ClientSocket(Channel channel, FrameDecoder decoder, Owner owner) {
        this.channel = channel;
        this.decoder = decoder;
        this.owner = owner;
    }

    // ---- on any thread ---------------------------------------------------------------------------------------------

    /** Runs a task soon, on the thread to which the socket belongs. While the socket moves, the task waits until the socket has arrived. */
    void execute(Runnable task) {
        synchronized (lock) {
            switch (place) {
                case IO_THREAD -> channel.eventLoop().execute(task);
                case ON_THE_WAY -> later.add(task);
                case WORKER -> worker.execute(task);
            }
        }
    }

    /** Closes the socket behind all answers that were sent. */
    void close() {
        execute(this::closeNow);
    }

    // ---- on the owning thread -------------------------------------------------------------------------------------

    /** Sets the largest length of the frames that the client takes from now on. */
    void limit(int newLengthMax) {
        lengthMax = newLengthMax;
    }

    /** Hands the socket to a worker. Called on the I/O thread; nothing is read until it has arrived. */
    @SuppressWarnings("deprecation") // it is the only way to move a channel to another event loop
    void moveTo(Worker to) {
        synchronized (lock) {
            place = Place.ON_THE_WAY;
        }
        decoder.hold();
        channel.config().setAutoRead(false);
        channel.deregister().addListener(left -> to.execute(() -> register(to)));
    }

    private void register(Worker to) {
        sockets = SocketParker.of(to);
        sockets.register(channel).addListener(registered -> {
            if (registered.isSuccess()) {
                settle(to);
            } else {
                owner.lost();
            }
        });
    }

    private void settle(Worker to) {
        List<Runnable> tasks;
        synchronized (lock) {
            worker = to;
            place = Place.WORKER;
            tasks = List.copyOf(later);
            later.clear();
        }
        channel.flush(); // the rest of the welcome, if any is left
        decoder.goOn(channel.pipeline().context(decoder));
        channel.config().setAutoRead(true);
        tasks.forEach(Runnable::run);
    }

    /** A frame has arrived. */
    void arrive(Frame frame) {
        if (worker == null) {
            owner.take(frame);
            return;
        }
        arrived.add(frame); // the worker may be asleep, and its turn not have begun
        if (!isToProcess) {
            isToProcess = true;
            sockets.toProcess(this);
        }
    }

    @Override
    public void process() {
        isToProcess = false;
        for (Frame frame = arrived.poll(); frame != null; frame = arrived.poll()) {
            try {
                owner.take(frame);
            } catch (RuntimeException e) {
                owner.failed(e);
            }
        }
    }

    /** Sends a frame; drops it if the connection is gone. A worker's frame leaves with the other frames of the turn. */
    void send(Frame frame) {
        if (!channel.isActive()) {
            return; // there may be very many answers left for a client that is gone
        }
        if (worker == null) {
            channel.writeAndFlush(encoded(frame), channel.voidPromise());
            return;
        }
        if (leaving == null) {
            leaving = channel.alloc().ioBuffer(leavingBytes);
        }
        encode(frame, leaving);
        if (!isToFlush) {
            isToFlush = true;
            sockets.toFlush(this);
        }
    }

    private ByteBuf encoded(Frame frame) {
        ByteBuf bytes = channel.alloc().ioBuffer(ANSWERS_BYTES);
        encode(frame, bytes);
        return bytes;
    }

    /** Appends a frame, or an error if the client would not take the frame: it would end the connection, with all its other requests. */
    private void encode(Frame frame, ByteBuf out) {
        int start = out.writerIndex();
        MessageCodec.encode(frame, out);
        int length = out.writerIndex() - start - Wire.LENGTH_BYTES;
        if (length > lengthMax) {
            out.writerIndex(start);
            MessageCodec.encode(new Frame(frame.request(), tooLong(frame.message(), length)), out);
        }
    }

    private Message.Failed tooLong(Message answer, int length) {
        return Failure.refusal(
                // any other error means that a call has had no effect
                answer instanceof Message.Returned ? ErrorCode.RESULT_LOST : ErrorCode.LIMIT_EXCEEDED,
                "the answer takes a message of " + length + " bytes, allowed: " + lengthMax
                        + " (client.frame-bytes): ask for less, or let the gateways send longer messages");
    }

    /** Whether a frame that is sent now leaves soon. */
    boolean isWritable() {
        return channel.isWritable() && (leaving == null || leaving.readableBytes() < LEAVING_BYTES_MAX);
    }

    @Override
    public void flush() {
        isToFlush = false;
        if (leaving == null) {
            return;
        }
        ByteBuf bytes = leaving;
        leaving = null;
        leavingBytes = Math.clamp(bytes.readableBytes(), ANSWERS_BYTES, LEAVING_BYTES_MAX);
        boolean full = bytes.readableBytes() >= LEAVING_BYTES_MAX;
        channel.writeAndFlush(bytes, channel.voidPromise());
        if (full && channel.isWritable()) {
            owner.writable();
        }
    }

    /** Sends a last frame, and closes the socket. */
    void closeWith(Frame last) {
        flush();
        channel.config().setAutoRead(false);
        channel.writeAndFlush(encoded(last)).addListener(ChannelFutureListener.CLOSE);
    }

    /** Closes the socket behind all answers that were sent. Called on the thread to which the socket belongs. */
    void closeNow() {
        flush();
        channel.close();
    }

    /** The socket is closed: takes the frames that had arrived before. */
    void closed() {
        process();
        if (leaving != null) {
            leaving.release();
            leaving = null;
        }
    }
}
