package dev.rcc.transport.sockets;

import dev.rcc.core.worker.Parker;
import io.netty.channel.Channel;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ManualIoEventLoop;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A worker's sockets: the event loop of all connections whose input and output the worker does itself, in its turns. It belongs to the worker from
 * the worker's first turn on, and is used on the worker unless a method says otherwise.
 */
public final class SocketLoop {
    /** The time between looks: a look takes half a microsecond, a hundredth of it. */
    private static final long LOOK_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

    private final SocketTransport transport;
    private final WakeableLoop loop;
    private final ArrayDeque<SocketUser> toProcess = new ArrayDeque<>();
    private final ArrayDeque<SocketUser> toFlush = new ArrayDeque<>();
    /** Number of connections, including those whose handlers are not notified yet that they have closed. */
    private int connections;

    private long lookedNanos;

    private volatile Thread thread;
    private volatile boolean ended;

    /**
     * The loop of a worker, without sockets yet.
     *
     * @param transport the kind of the sockets; not {@link SocketTransport#AUTO}
     */
    public SocketLoop(SocketTransport transport) {
        this.transport = transport;
        this.loop = new WakeableLoop(transport.handlers());
    }

    /** The kind of the channels that it takes. Called on any thread. */
    public SocketTransport transport() {
        return transport;
    }

    // ---- for the users of connections ------------------------------------------------------------------------------

    /**
     * Takes over a channel that belongs to no event loop.
     *
     * @return completes when it has done so; fails when the worker has ended, and the channel is closed then
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
                channel.closeFuture().addListener(closed -> countClosed());
            }
        });
    }

    /**
     * A connection has closed. Netty notifies its handlers by a task of the loop: the connection counts until the loop runs its tasks, so that a busy
     * worker does not take the loop for idle before.
     */
    private void countClosed() {
        if (!loop.isShuttingDown()) { // then it runs all its tasks, and takes no more in the end
            loop.execute(() -> connections--);
        }
    }

    /** Has {@link SocketUser#process} called in this turn or the next, as often as requested. Called on the worker or one of its coroutines. */
    public void toProcess(SocketUser user) {
        toProcess.add(user);
    }

    /**
     * Has {@link SocketUser#flush} called before the worker looks for input, as often as requested. Called on the worker or one of its coroutines.
     */
    public void toFlush(SocketUser user) {
        toFlush.add(user);
    }

    // ---- for the pollers -------------------------------------------------------------------------------------------

    /**
     * Gives the loop to the calling thread, so that the worker can't have it. Called on any thread.
     *
     * @return false if it belongs to a thread already, even to this one
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

    /**
     * Whether it has ended, or belongs to another thread, which ends it before the worker's first turn. Called on the worker, which owns it
     * otherwise.
     */
    public boolean isOver() {
        return ended || !own();
    }

    private boolean own() {
        Thread owner = thread;
        return owner == null ? claim() : owner.equals(Thread.currentThread());
    }

    /** Whether it does nothing any more. Called on any thread. */
    public boolean hasEnded() {
        return ended;
    }

    /** Calls the users that want to write. */
    public void flush() {
        for (int left = toFlush.size(); left > 0; left--) {
            toFlush.poll().flush();
        }
    }

    /** Calls the users for which input has arrived, and returns how many. */
    public int process() {
        int count = toProcess.size();
        for (int left = count; left > 0; left--) {
            toProcess.poll().process();
        }
        return count;
    }

    /** Whether it has no connection, and all handlers of earlier ones are notified. */
    public boolean isIdle() {
        return connections == 0;
    }

    /**
     * Whether a busy worker is to look for input and output again; if so, this call counts as its look.
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

    /** Does input and output, and waits for it for at most {@code nanos} nanoseconds if there is none at first. */
    public void run(long nanos) {
        loop.run(nanos);
    }

    /** Carries out {@link Parker#park}. */
    public void park(long nanos) {
        if (isOver()) {
            LockSupport.parkNanos(this, nanos);
        } else {
            loop.park(nanos);
        }
    }

    /** Carries out {@link Parker#unpark}. Called on any thread. */
    public void unpark() {
        if (ended) {
            LockSupport.unpark(thread);
        } else {
            loop.unpark();
        }
    }

    /** Closes all its connections, and ends the loop. */
    @SuppressWarnings("FutureReturnValueIgnored") // this method runs the shutdown itself
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

    /** An event loop that remembers {@link #unpark}: Netty's wake-up is lost if the loop is not waiting yet. */
    private static final class WakeableLoop extends ManualIoEventLoop {
        private volatile boolean unparked;

        WakeableLoop(IoHandlerFactory handlers) {
            super(null, handlers);
        }

        void park(long nanos) {
            run(nanos);
            unparked = false;
        }

        void unpark() {
            unparked = true;
            wakeup();
        }

        /** {@inheritDoc} The loop asks after it has announced that it waits: so it sees an unpark that did not see the announcement. */
        @Override
        protected boolean canBlock() {
            return !unparked;
        }
    }
}
