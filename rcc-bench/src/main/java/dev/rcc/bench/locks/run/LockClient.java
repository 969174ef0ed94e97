package dev.rcc.bench.locks.run;

import dev.rcc.bench.locks.check.LockRecorder;
import dev.rcc.bench.locks.cluster.LockCluster;
import dev.rcc.core.worker.Coroutine;
import dev.rcc.protocols.locks.LockManager;
import dev.rcc.protocols.locks.LockOutcome;
import dev.rcc.protocols.locks.LockSpace;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;

/** A coroutine that takes a trace's locks. A transaction that fails backs off and retries (dslr, A.3); it counts once, when it succeeds. */
final class LockClient {
    /** Waits are bounded by the managers' time-outs. */
    private static final long FOR_EVER = Long.MAX_VALUE / 4;
    /** R of the backoff. */
    private static final long BACKOFF_NANOS = 10_000;

    private final LockBenchConfig config;
    private final int number;
    private final Coroutine coroutine;
    private final LockCluster.Managers managers;
    private final LockSpace space;
    private final LongSupplier clock;
    private final LockRecorder recorder;
    private final LockTally tally;
    private final SplittableRandom random;
    private final LockTrace.Wish wish = new LockTrace.Wish();
    /** The managers of the rounds: one for each lock, or one for all locks. */
    private final List<LockManager> rounds = new ArrayList<>();

    private final List<LockRecorder.Entry> entries = new ArrayList<>();
    /** Number of rounds that are held. */
    private int begun;
    /** The number of the present try. */
    private int tries;

    LockClient(
            LockBenchConfig config,
            int number,
            Coroutine coroutine,
            LockCluster.Managers managers,
            LockSpace space,
            LongSupplier clock,
            LockRecorder recorder,
            LockTally tally) {
        this.config = config;
        this.number = number;
        this.coroutine = coroutine;
        this.managers = managers;
        this.space = space;
        this.clock = clock;
        this.recorder = recorder;
        this.tally = tally;
        this.random = new SplittableRandom(config.seed() * 1_000_003 + number);
    }

    /** Runs as long as the simulation does. */
    void run() {
        while (true) {
            config.trace().next(coroutine.worker().node(), random, wish);
            if (config.clients().asks() == LockBenchConfig.Asks.IN_ORDER) {
                wish.sort();
            }
            long began = clock.getAsLong();
            int failures = 0;
            while (!takeAll()) {
                tally.aborted(clock.getAsLong());
                sleep(backoffNanos(++failures));
            }
            if (config.clients().failRate() > 0
                    && random.nextDouble() < config.clients().failRate()) {
                leaveAll();
            } else {
                releaseAll();
                tally.ended(began, clock.getAsLong());
            }
            sleep(config.clients().pauseNanos());
        }
    }

    private void sleep(long nanos) {
        if (nanos > 0) {
            coroutine.sleep(nanos);
        }
    }

    private long backoffNanos(int failures) {
        int doublings = Math.min(failures - 1, 20);
        long most = Math.min(BACKOFF_NANOS << doublings, config.terms().backoffNanosMax());
        return random.nextLong(most + 1);
    }

    /** Leaves all its locks behind, as if the client had died. */
    private void leaveAll() {
        rounds.clear();
        begun = 0;
        managers.forgetAll();
    }

    private void releaseAll() {
        for (int i = 0; i < begun; i++) {
            rounds.get(i).release();
        }
        begun = 0;
    }

    /** Takes all locks and holds them for the think time. Returns whether it held them to the end; if not, it has none. */
    private boolean takeAll() {
        tries++;
        entries.clear();
        int each = config.clients().asks() == LockBenchConfig.Asks.IN_ONE_ROUND ? wish.size() : 1;
        for (int from = 0; from < wish.size(); from += each) {
            if (!take(from, from + each)) {
                endEntries();
                releaseAll();
                return false;
            }
        }
        sleep(wish.isLong() ? config.clients().longNanos() : config.clients().thinkNanos());
        boolean isHeld = true;
        for (int i = 0; i < begun; i++) {
            isHeld &= rounds.get(i).isWithinLease();
        }
        endEntries();
        if (!isHeld) {
            releaseAll();
        }
        return isHeld;
    }

    private void endEntries() {
        long now = clock.getAsLong();
        entries.forEach(entry -> entry.ended(now));
    }

    /** Takes some of the locks in a round. */
    private boolean take(int from, int to) {
        if (begun == rounds.size()) {
            rounds.add(managers.another());
        }
        LockManager locks = rounds.get(begun);
        int slots = wish.isLong() ? config.clients().longSlots() : 1;
        long asked = clock.getAsLong();
        for (int i = from; i < to; i++) {
            locks.request(space.address(wish.lock(i)), wish.mode(i), slots);
        }
        List<LockRecorder.Entry> asking = record(from, to, asked);
        LockOutcome outcome = locks.await(FOR_EVER);
        if (outcome != LockOutcome.GRANTED) {
            asking.forEach(entry -> entry.failed(outcome));
            return false;
        }
        begun++;
        long granted = clock.getAsLong();
        for (int i = 0; i < asking.size(); i++) {
            asking.get(i).granted(granted, locks.token(i), locks.leaseLeftNanos(i));
        }
        entries.addAll(asking);
        return true;
    }

    private List<LockRecorder.Entry> record(int from, int to, long asked) {
        List<LockRecorder.Entry> asking = new ArrayList<>();
        for (int i = from; i < to && config.isChecked(); i++) {
            asking.add(recorder.request(number, tries, wish.lock(i), wish.mode(i), asked));
        }
        return asking;
    }
}
