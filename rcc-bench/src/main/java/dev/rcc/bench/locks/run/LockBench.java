package dev.rcc.bench.locks.run;

import dev.rcc.bench.locks.check.LockCheckResult;
import dev.rcc.bench.locks.check.LockChecker;
import dev.rcc.bench.locks.check.LockHistory;
import dev.rcc.bench.locks.check.LockRecorder;
import dev.rcc.bench.locks.cluster.LockCluster;
import dev.rcc.bench.locks.cluster.LockSchemes;
import dev.rcc.core.worker.Coroutine;
import dev.rcc.protocols.locks.LockCounters;
import dev.rcc.protocols.locks.LockManager;
import dev.rcc.protocols.locks.LockOutcome;
import dev.rcc.protocols.locks.LockScheme;
import dev.rcc.protocols.locks.LockSpace;
import dev.rcc.transport.sim.SimNetwork;
import dev.rcc.transport.sim.SimOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/** Runs a benchmark of a lock manager. Used once, by one thread. */
public final class LockBench {
    /** Before anything is measured. */
    private static final double WARM_UP = 0.1;
    /** In which a request reaches its lock on an idle network. */
    private static final long PLACED_NANOS = 100_000;

    /** Time-outs that are tried for managers that have no resets: the best is reported, as in dslr, 6.1. */
    private static final long[] TIMEOUTS_NANOS = {500_000, 2_000_000, 10_000_000};

    private final LockBenchConfig config;
    private final LockRecorder recorder = new LockRecorder();
    private final long warmUpNanos;
    private final long endNanos;
    private LockCluster cluster;
    private final Latencies latencies = new Latencies();
    private long aborts;

    private LockBench(LockBenchConfig config) {
        this.config = config;
        this.warmUpNanos = (long) (config.durationNanos() * WARM_UP);
        this.endNanos = warmUpNanos + config.durationNanos();
    }

    /** Runs a benchmark; that of a manager without resets once for each of several time-outs, of which the best counts. */
    public static LockBenchResult run(LockBenchConfig config) {
        if (config.choice().rests() == LockSchemes.Rests.ON_LEASES) {
            return new LockBench(config).run();
        }
        LockBenchResult best = null;
        for (long timeout : TIMEOUTS_NANOS) {
            LockBenchResult result = new LockBench(config.withTimeout(timeout)).run();
            best = best == null || result.throughput() > best.throughput() ? result : best;
        }
        return best;
    }

    private LockBenchResult run() {
        LockScheme scheme = config.choice().scheme(config.terms());
        LockSpace space = new LockSpace(
                LockSpace.REGION, config.shape().nodes(), config.trace().locks());
        try (SimNetwork network =
                new SimNetwork(config.shape().nodes(), SimOptions.of(config.profile()), config.seed())) {
            cluster = new LockCluster(network, scheme, config.primitive(), space, config.shape(), this::request);
            cluster.start();
            boolean _ = network.simulation().run(endNanos, () -> false);
            LockCounters counters = cluster.counters();
            return new LockBenchResult(config, latencies, aborts, counters, atomicsShare(network), checked(scheme));
        }
    }

    /** On the average of the nodes, as the locks are spread over all. */
    private double atomicsShare(SimNetwork network) {
        double possible = (double) endNanos
                / Math.max(1, network.options().costs().nic().atomicNanos())
                * config.shape().nodes();
        return cluster.counters().atomics / possible;
    }

    private Optional<LockCheckResult> checked(LockScheme scheme) {
        if (!config.isChecked()) {
            return Optional.empty();
        }
        boolean mayEndInTheMiddle = config.failRate() > 0;
        LockHistory.Promises promises = new LockHistory.Promises(
                config.terms().leaseNanos() >= 1_000_000 || config.choice().rests() != LockSchemes.Rests.ON_LEASES,
                !mayEndInTheMiddle,
                config.choice().overtakings(),
                PLACED_NANOS);
        return Optional.of(LockChecker.check(new LockHistory(scheme.name(), promises, recorder.requests(), List.of())));
    }

    // ---- a client --------------------------------------------------------------------------------------------------

    private void request(int number, Coroutine coroutine, Supplier<LockManager> managers) {
        SplittableRandom random = new SplittableRandom(config.seed() * 1_000_003 + number);
        LockTrace.Wish wish = new LockTrace.Wish();
        LockManager locks = managers.get();
        for (int round = 0; ; ) {
            config.trace().next(coroutine.worker().node(), random, wish);
            long began = cluster.nanos(coroutine);
            while (!attempt(number, round++, wish, coroutine, locks)) {
                aborts += cluster.nanos(coroutine) >= warmUpNanos ? 1 : 0;
            }
            if (config.failRate() > 0 && random.nextDouble() < config.failRate()) {
                locks = managers.get(); // whatever it held is left behind
                continue;
            }
            locks.release();
            end(began, cluster.nanos(coroutine));
        }
    }

    private void end(long began, long now) {
        if (began >= warmUpNanos) {
            latencies.add(now - began);
        }
    }

    /** Has all locks, and thinks. Returns whether it had them to the end. */
    private boolean attempt(int number, int round, LockTrace.Wish wish, Coroutine coroutine, LockManager locks) {
        int slots = wish.isLong() ? config.longSlots() : 1;
        List<LockRecorder.Entry> entries = new ArrayList<>();
        for (int i = 0; i < wish.size(); i++) {
            locks.request(cluster.space().address(wish.lock(i)), wish.mode(i), slots);
            if (config.isChecked()) {
                entries.add(recorder.request(number, round, wish.lock(i), wish.mode(i), cluster.nanos(coroutine)));
            }
        }
        LockOutcome outcome = locks.await(Long.MAX_VALUE / 4);
        if (outcome != LockOutcome.GRANTED) {
            entries.forEach(entry -> entry.failed(outcome));
            return false;
        }
        long granted = cluster.nanos(coroutine);
        for (int i = 0; i < entries.size(); i++) {
            entries.get(i).granted(granted, locks.token(i), locks.leaseLeftNanos(i));
        }
        long think = wish.isLong() ? config.longNanos() : config.thinkNanos();
        if (think > 0) {
            coroutine.sleep(think);
        }
        boolean isHeld = locks.isWithinLease();
        long now = cluster.nanos(coroutine);
        entries.forEach(entry -> entry.ended(now));
        if (!isHeld) {
            locks.release();
        }
        return isHeld;
    }
}
