package dev.rcc.protocols.locks.ncosed;

import dev.rcc.core.protocol.Primitive;
import dev.rcc.core.protocol.SharedWord;
import dev.rcc.core.protocol.WordChange;
import dev.rcc.protocols.locks.LockScheme;
import dev.rcc.protocols.locks.LockSite;
import dev.rcc.protocols.locks.LockVerbs;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * N-CoSED (dslr, 6.1; Narravula et al., 2007): the lock's word names the last exclusive requester and counts the sharers since then. Each waiting
 * requester has sent a message to the requester in front of it; the reply is the grant.
 */
public final class NCosed implements LockScheme {
    private static final SharedWord HOLDS = new SharedWord("number of exclusive holds");

    private final long timeoutNanos;
    private final long lookNanosMax;

    /**
     * Creates the scheme with a time-out.
     *
     * @param timeoutNanos a round that waits for longer, up to half as long again, drops all its locks: it may be in a deadlock; in nanoseconds
     */
    public NCosed(long timeoutNanos) {
        this(timeoutNanos, 0);
    }

    /**
     * Creates the scheme with a time-out, and looks that become rarer: a requester that has waited for long waits behind a holder that is dead or
     * in a deadlock.
     *
     * @param timeoutNanos as above
     * @param lookNanosMax the longest interval between two looks of a waiter; the interval is a sixteenth of the time that it has waited; in
     *     nanoseconds. At first, and if this is less, it looks every microsecond
     */
    public NCosed(long timeoutNanos, long lookNanosMax) {
        if (timeoutNanos < 1) {
            throw new IllegalArgumentException("time-out: got " + timeoutNanos + " ns, allowed: at least 1");
        }
        this.timeoutNanos = timeoutNanos;
        this.lookNanosMax = lookNanosMax;
    }

    @Override
    public String name() {
        return "n-cosed";
    }

    /** {@inheritDoc} Messages change no word, whatever the primitive. */
    @Override
    public Set<WordChange> changes(Primitive primitive) {
        return switch (primitive) {
            case RPC ->
                Set.of(
                        new WordChange(SharedWord.LOCK, WordChange.By.OWNER_CPU),
                        new WordChange(HOLDS, WordChange.By.OWNER_CPU));
            case ONE_SIDED ->
                Set.of(
                        new WordChange(SharedWord.LOCK, WordChange.By.REMOTE_ATOMIC),
                        new WordChange(HOLDS, WordChange.By.REMOTE_WRITE));
        };
    }

    @Override
    public boolean isAtRest(long word) {
        return word == 0;
    }

    @Override
    public Locks serve(LockSite site) {
        return node(1).apply(site);
    }

    @Override
    public Function<LockSite, Locks> node(int workers) {
        List<NCosedServer> servers = new ArrayList<>();
        return site -> {
            check(site.nodes(), workers);
            LockVerbs.serve(site);
            NCosedServer server = new NCosedServer(site, servers, workers, lookNanosMax);
            servers.add(server);
            return (coroutine, completion, buffer) ->
                    new NCosedManager(server, timeoutNanos, coroutine, completion, buffer);
        };
    }

    private static void check(int nodes, int workers) {
        if (nodes > NCosedLayout.NODES_MAX || workers > NCosedLayout.WORKERS_MAX) {
            throw new IllegalArgumentException("n-cosed: got " + nodes + " nodes and " + workers
                    + " workers of a node, allowed: at most " + NCosedLayout.NODES_MAX + " and "
                    + NCosedLayout.WORKERS_MAX + ", which a lock's word can name");
        }
    }
}
