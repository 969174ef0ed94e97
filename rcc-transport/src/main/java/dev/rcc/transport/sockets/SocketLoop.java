package dev.rcc.transport.sockets;

import io.netty.channel.Channel;
import io.netty.channel.ManualIoEventLoop;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;

/**
 * A worker's sockets: the event loop of all connections whose input and output the worker does itself, in its turns. It belongs to the worker
 * from its first turn on, where not said otherwise.
 */
public final class SocketLoop {
    private final SocketTransport transport;
    private final ManualIoEventLoop loop;
    private final ArrayDeque<SocketUser> toProcess = new ArrayDeque<>();
    private final ArrayDeque<SocketUser> toFlush = new ArrayDeque<>();
    /** Number of connections. */
    private int connections;

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
        if (ended || !own()) {
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
     * Whether it belongs to the calling thread: to the first that asks, unless another one has ended it. On any thread.
     */
    public boolean own() {
        Thread owner = thread;
        return owner == null ? claim() : owner.equals(Thread.currentThread());
    }

    private boolean claim() {
        try {
            Thread current = Thread.currentThread();
            loop.setOwningThread(current);
            thread = current;
            return true;
        } catch (IllegalStateException e) {
            return false; // another thread was faster
        }
    }

    /** The thread that it belongs to, or null. On any thread. */
    public Thread owner() {
        return thread;
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

    /** Calls those for whom something has arrived, and returns how many. */
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

    /** Does the input and output that can be done now. */
    public void runNow() {
        loop.runNow();
    }

    /** Sleeps until there is input or output to do, and does it; {@link #wakeUp}, or so many nanoseconds. */
    public void run(long nanos) {
        loop.run(nanos);
    }

    /** Ends the {@link #run} that is under way, or the next. On any thread. */
    public void wakeUp() {
        loop.wakeup();
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
