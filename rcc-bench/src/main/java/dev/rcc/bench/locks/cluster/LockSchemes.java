package dev.rcc.bench.locks.cluster;

import dev.rcc.protocols.locks.LockScheme;
import dev.rcc.protocols.locks.dslr.Dslr;
import dev.rcc.protocols.locks.dslr.DslrTerms;
import dev.rcc.protocols.locks.ncosed.NCosed;
import dev.rcc.protocols.locks.queue.Traditional;
import dev.rcc.protocols.locks.words.Drtm;
import dev.rcc.protocols.locks.words.RetryOnFail;
import dev.rcc.protocols.locks.words.RetryTerms;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** All lock managers, and how each is made with given terms. */
public final class LockSchemes {
    /**
     * The terms that users choose; a manager ignores terms that do not apply to it.
     *
     * @param leaseNanos how long a lock of one slot may be held
     * @param slotsMax the most slots of a lock
     * @param updates whether there are update locks
     * @param countMax the number from which on tickets are void; 0 for the greatest possible
     * @param pollNanos the time between two polls of a waiter, for each ticket before its own; 0 for none
     * @param retryNanos the time between two tries of a manager that retries; 0 for none
     * @param timeoutNanos in managers without resets, how long a round waits before it releases all locks, as it may be in a deadlock
     * @param backoffNanosMax the longest wait after successive failures
     * @param clocks DrTM's terms for the nodes' clocks
     */
    public record Terms(
            long leaseNanos,
            int slotsMax,
            boolean updates,
            long countMax,
            long pollNanos,
            long retryNanos,
            long timeoutNanos,
            long backoffNanosMax,
            Clocks clocks) {
        /** With another time-out. */
        public Terms withTimeout(long nanos) {
            return new Terms(
                    leaseNanos, slotsMax, updates, countMax, pollNanos, retryNanos, nanos, backoffNanosMax, clocks);
        }
    }

    /**
     * The terms for the nodes' clocks in DrTM, whose shared locks end by the clock.
     *
     * @param leaseNanos how long a shared lock is held
     * @param skewNanos the greatest difference between two clocks
     */
    public record Clocks(long leaseNanos, long skewNanos) {
        /** As DSLR's authors run DrTM: leases of 0.4 ms, as DrTM's own for transactions that write; clocks 50 us apart, by PTP. */
        public static final Clocks OF_DRTM = new Clocks(400_000, 50_000);
        /** For the simulation's fault plans, in which clocks are up to twice 100 us apart. */
        public static final Clocks OF_BAD_WEATHER = new Clocks(900_000, 250_000);
    }

    /** The assumption on which a lock manager's exclusion rests. */
    public enum Rests {
        /** Pauses are shorter than half a lease. Dead holders are passed over. */
        ON_LEASES,
        /** Clocks differ by no more than the terms allow. A writer that dies holds its lock for ever. */
        ON_CLOCKS,
        /** No assumption; but a client that dies holds its locks for ever. */
        ON_LIFE
    }

    /**
     * A lock manager.
     *
     * @param name the name by which users pick it
     * @param hasUpdates whether it has update locks
     * @param overtakings how often a request may be overtaken; -1 for any number
     * @param rests the assumption on which its exclusion rests
     * @param maker makes the manager with given terms
     */
    public record Choice(
            String name, boolean hasUpdates, int overtakings, Rests rests, Function<Terms, LockScheme> maker) {
        /** The manager with given terms. */
        public LockScheme scheme(Terms terms) {
            return maker.apply(terms);
        }
    }

    private static final List<Choice> ALL = List.of(
            new Choice("dslr", true, 0, Rests.ON_LEASES, LockSchemes::dslr),
            new Choice("traditional", true, 0, Rests.ON_LIFE, terms -> Traditional.inOrder(terms.timeoutNanos())),
            new Choice(
                    "traditional-ro",
                    true,
                    Traditional.READERS_PAST,
                    Rests.ON_LIFE,
                    terms -> Traditional.readersFirst(terms.timeoutNanos())),
            new Choice("drtm", false, -1, Rests.ON_CLOCKS, terms -> new Drtm(retry(terms))),
            new Choice("retry-on-fail", false, -1, Rests.ON_LIFE, terms -> new RetryOnFail(retry(terms))),
            new Choice("n-cosed", false, -1, Rests.ON_LIFE, terms -> new NCosed(terms.timeoutNanos())));

    private LockSchemes() {}

    private static LockScheme dslr(Terms terms) {
        return new Dslr(DslrTerms.DEFAULT
                .withLease(terms.leaseNanos())
                .withSlots(terms.slotsMax())
                .withUpdates(terms.updates())
                .withCountMax(terms.countMax())
                .withPolling(Math.min(terms.pollNanos(), terms.leaseNanos() / 4))
                .withBackoff(
                        Math.min(DslrTerms.DEFAULT.backoffNanos(), terms.backoffNanosMax()), terms.backoffNanosMax()));
    }

    private static RetryTerms retry(Terms terms) {
        return new RetryTerms(
                terms.timeoutNanos(),
                terms.retryNanos(),
                terms.retryNanos(),
                terms.clocks().leaseNanos(),
                terms.clocks().skewNanos());
    }

    /** All lock managers. */
    public static List<Choice> all() {
        return ALL;
    }

    /** The names of all lock managers. */
    public static List<String> names() {
        return ALL.stream().map(Choice::name).toList();
    }

    /** The lock manager with a name; empty if there is none. */
    public static Optional<Choice> byName(String name) {
        return ALL.stream().filter(choice -> choice.name().equals(name)).findFirst();
    }
}
