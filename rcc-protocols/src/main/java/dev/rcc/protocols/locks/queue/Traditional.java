package dev.rcc.protocols.locks.queue;

import dev.rcc.core.protocol.Primitive;
import dev.rcc.core.protocol.WordChange;
import dev.rcc.protocols.locks.LockScheme;
import dev.rcc.protocols.locks.LockSite;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** Traditional locking: first come, first served; or, with reordering, readers before waiting writers while the lock is shared. */
public final class Traditional implements LockScheme {
    /** The number of readers that may pass a waiting writer (dslr, 6.4). */
    public static final int READERS_PAST = 10;

    private final int readersPast;
    private final long timeoutNanos;

    private Traditional(int readersPast, long timeoutNanos) {
        if (timeoutNanos < 1) {
            throw new IllegalArgumentException("time-out: got " + timeoutNanos + " ns, allowed: at least 1");
        }
        this.readersPast = readersPast;
        this.timeoutNanos = timeoutNanos;
    }

    /** Grants in the order of arrival. A request that waits for longer than the time-out, in nanoseconds, drops its round: it may be deadlocked. */
    public static Traditional inOrder(long timeoutNanos) {
        return new Traditional(0, timeoutNanos);
    }

    /** The same, but readers pass a waiting writer while other readers hold the lock, at most {@value #READERS_PAST} of them. */
    public static Traditional readersFirst(long timeoutNanos) {
        return new Traditional(READERS_PAST, timeoutNanos);
    }

    @Override
    public String name() {
        return readersPast == 0 ? "traditional" : "traditional-ro";
    }

    /** {@inheritDoc} None: nothing of a lock is in memory that other nodes reach. */
    @Override
    public Set<WordChange> changes(Primitive primitive) {
        return Set.of();
    }

    @Override
    public boolean isAtRest(long word) {
        return true;
    }

    @Override
    public Locks serve(LockSite site) {
        return node(1).apply(site);
    }

    @Override
    public Function<LockSite, Locks> node(int workers) {
        List<QueueServer> servers = new ArrayList<>();
        return site -> {
            servers.add(new QueueServer(site, servers, workers, readersPast));
            return (coroutine, completion, buffer) ->
                    new QueueManager(site, timeoutNanos, coroutine, completion, buffer);
        };
    }
}
