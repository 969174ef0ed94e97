package dev.rcc.transport.sockets;

import dev.rcc.core.worker.Parker;
import io.netty.channel.Channel;
import io.netty.channel.ManualIoEventLoop;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A worker's sockets: the event loop of all connections whose input and output the worker does itself, in its turns. It belongs to the worker
 * from its first turn on, where not said otherwise.
 */
public final class SocketLoop {
    /** A look takes half a microsecond, which is one in a hundred of these. */
    private static final long LOOK_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

    private final SocketTransport transport;
    private final ManualIoEventLoop loop;
    private final ArrayDeque<SocketUser> toProcess = new ArrayDeque<>();
    private final ArrayDeque<SocketUser> toFlush = new ArrayDeque<>();
    /** Number of connections. */
    private int connections;

    private long lookedNanos;

    private volatile Thread thread;
    private volatile boolean ended;

    /**
     * A worker's, which has no sockets yet.
     *
     * @param transport of what kind they are; not {@link SocketTransport#AUTO}
     */
    public SocketLoop(SocketTransport transport) {
        this.transport = transport;
        this.loop = new ManualIoEventLoop(null, transport.handlers());
    }

    /** Of what kind the channels are that it takes. On any thread. */
    public SocketTransport transport() {
        return transport;
    }

    // ---- for those who have connections ----------------------------------------------------------------------------

    /**
     * Takes over a channel that belongs to no event loop.
     *
     * @return when it has done so; fails when the worker has ended, and closes the channel
     */
    @SuppressWarnings({"deprecation", "FutureReturnValueIgnored"
    }) // the only way to move a channel; the listeners' futures are this one
    public Future<?> register(Channel channel) {
        if (isOver()) {
            channel.unsafe().closeForcibly();
            return GlobalEventExecutor.INSTANCE.newFailedFuture(new ClosedChannelException());
        }
        return loop.register(channel).addListener(registered -> {
            if (registered.isSuccess()) {
                connections++;
                channel.closeFuture().addListener(closed -> connections--);
            }
        });
    }

    /** Has {@link SocketUser#process} be called in this turn or the next, as often as it was asked for. On the worker or one of its coroutines. */
    public void toProcess(SocketUser user) {
        toProcess.add(user);
    }

    /** Has {@link SocketUser#flush} be called before the worker looks for input, as often as it was asked for. Likewise. */
    public void toFlush(SocketUser user) {
        toFlush.add(user);
    }

    // ---- for what polls --------------------------------------------------------------------------------------------

    /**
     * Makes it the calling thread's, so that the worker can't have it. On any thread.
     *
     * @return false if it belongs to a thread already, be it this one
     */
    public boolean claim() {
        try {
            Thread current = Thread.currentThread();
            loop.setOwningThread(current);
            thread = current;
            return true;
        } catch (IllegalStateException e) {
            return false;
        }
    }

    /** Whether it has ended, or belongs to another thread, which ends it before the worker's first turn. On the worker, whose it is otherwise. */
    public boolean isOver() {
        return ended || !own();
    }

    private boolean own() {
        Thread owner = thread;
        return owner == null ? claim() : owner.equals(Thread.currentThread());
    }

    /** Whether it does nothing any more. On any thread. */
    public boolean hasEnded() {
        return ended;
    }

    /** Calls those that want to write. */
    public void flush() {
        for (int left = toFlush.size(); left > 0; left--) {
            toFlush.poll().flush();
        }
    }

    /** Calls the receivers of sockets for which something has arrived, and returns how many. */
    public int process() {
        int count = toProcess.size();
        for (int left = count; left > 0; left--) {
            toProcess.poll().process();
        }
        return count;
    }

    /** Whether it has no connection. */
    public boolean isIdle() {
        return connections == 0;
    }

    /**
     * Whether a worker that has better to do is to look for input and output again, and counts as its look if so.
     *
     * @param turnNanos when its turn began: no clock is read for that
     */
    public boolean isLookDue(long turnNanos) {
        boolean isDue = Math.abs(turnNanos - lookedNanos) >= LOOK_NANOS; // also when the clock has stepped back
        if (isDue) {
            lookedNanos = turnNanos;
        }
        return isDue;
    }

    /** Does the input and output that can be done now. */
    public void runNow() {
        loop.runNow();
    }

    /** Does input and output, for so many nanoseconds at most if there is none to do at first. */
    public void run(long nanos) {
        loop.run(nanos);
    }

    /** What {@link Parker#park} is to do. */
    public void park(long nanos) {
        if (isOver()) {
            LockSupport.parkNanos(this, nanos);
        } else {
            loop.run(nanos);
        }
    }

    /** What {@link Parker#unpark} is to do. On any thread. */
    public void unpark() {
        if (ended) {
            LockSupport.unpark(thread);
        } else {
            loop.wakeup();
        }
    }

    /** Closes all its connections, for good. */
    @SuppressWarnings("FutureReturnValueIgnored") // this runs what it waits for
    public void end() {
        if (ended) {
            return;
        }
        loop.shutdownGracefully(0, 0, TimeUnit.NANOSECONDS);
        while (!loop.isTerminated()) {
            loop.runNow();
        }
        ended = true;
    }
}
