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

/** The lock managers that there are, and how each is made on given terms. */
public final class LockSchemes {
    /**
     * What users choose; a manager that has no such thing does without.
     *
     * @param leaseNanos how long a lock of one slot may be held
     * @param slotsMax the most slots of a lock
     * @param updates whether there are update locks
     * @param countMax from which number on tickets are void; 0 for the most
     * @param pollNanos between two looks of a waiter for each one before it; 0 for at once
     * @param retryNanos between two tries of a manager that tries again; 0 for at once
     * @param timeoutNanos how long a round waits, in managers without resets, before it drops all as it may be in a deadlock
     * @param backoffNanosMax the longest wait after failures in a row
     * @param clocks what DrTM takes of the nodes' clocks
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
     * What DrTM, whose shared locks end by the clock, takes of the nodes' clocks.
     *
     * @param leaseNanos how long a shared lock is held
     * @param skewNanos how far the clocks may be apart
     */
    public record Clocks(long leaseNanos, long skewNanos) {
        /** As DSLR's authors run it: leases of 0.4 ms, as DrTM's own for transactions that write; clocks 50 us apart, by PTP. */
        public static final Clocks OF_DRTM = new Clocks(400_000, 50_000);
        /** For the simulation's bad weather, in which clocks are up to twice 100 us apart. */
        public static final Clocks OF_BAD_WEATHER = new Clocks(900_000, 250_000);
    }

    /** What the exclusion of a lock manager rests on. */
    public enum Rests {
        /** Pauses are shorter than half a lease. Whoever dies is passed. */
        ON_LEASES,
        /** Clocks are not further apart than the terms say. A writer that dies holds its lock for ever. */
        ON_CLOCKS,
        /** Nothing, but whoever dies holds its locks for ever. */
        ON_LIFE
    }

    /**
     * A lock manager.
     *
     * @param name the name by which users pick it
     * @param hasUpdates whether it has update locks
     * @param overtakings how often a request may be overtaken; -1 for any number
     * @param rests what its exclusion rests on
     * @param maker makes it
     */
    public record Choice(
            String name, boolean hasUpdates, int overtakings, Rests rests, Function<Terms, LockScheme> maker) {
        /** The manager on given terms. */
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

    /** All. */
    public static List<Choice> all() {
        return ALL;
    }

    /** Their names. */
    public static List<String> names() {
        return ALL.stream().map(Choice::name).toList();
    }

    /** The one with a name. */
    public static Optional<Choice> byName(String name) {
        return ALL.stream().filter(choice -> choice.name().equals(name)).findFirst();
    }
}
