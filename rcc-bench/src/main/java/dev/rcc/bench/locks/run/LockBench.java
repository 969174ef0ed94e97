package dev.rcc.bench.locks.run;

import dev.rcc.bench.locks.check.LockCheckResult;
import dev.rcc.bench.locks.check.LockChecker;
import dev.rcc.bench.locks.check.LockHistory;
import dev.rcc.bench.locks.check.LockRecorder;
import dev.rcc.bench.locks.cluster.LockCluster;
import dev.rcc.bench.locks.cluster.LockSchemes;
import dev.rcc.core.protocol.Primitive;
import dev.rcc.core.worker.Coroutine;
import dev.rcc.protocols.locks.LockCounters;
import dev.rcc.protocols.locks.LockScheme;
import dev.rcc.protocols.locks.LockSpace;
import dev.rcc.transport.sim.CostModel;
import dev.rcc.transport.sim.SimNetwork;
import dev.rcc.transport.sim.SimOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;

/** Runs a benchmark of a lock manager. Used once, by one thread. */
public final class LockBench {
    /** The time in which a request for one lock reaches it when the NICs are busy; below, a request in a round of hundreds. */
    private static final long PLACED_NANOS = 100_000;

    private static final long ROUND_PLACED_NANOS = 1_000_000;

    /** Time-outs to try for managers without resets: the best is reported, as in dslr, 6.1. */
    private static final List<Long> TIMEOUTS_NANOS = List.of(500_000L, 2_000_000L, 10_000_000L);
    /** One more time-out, to wait until long transactions are over: so many times the time of a long transaction. */
    private static final long LONG_TIMES = 4;

    private final LockBenchConfig config;
    private final LockRecorder recorder = new LockRecorder();
    private final LockTally tally;

    private LockBench(LockBenchConfig config) {
        this.config = config;
        this.tally = new LockTally(config.times().warmUpNanos());
    }

    /** Runs a benchmark. A manager without resets runs once for each of several time-outs, of which the best counts. */
    public static LockBenchResult run(LockBenchConfig config) {
        if (config.choice().rests() == LockSchemes.Rests.ON_LEASES) {
            return new LockBench(config).run();
        }
        List<LockBenchResult> results = new ArrayList<>();
        for (long timeout : timeouts(config)) {
            results.add(new LockBench(config.withTimeout(timeout)).run());
        }
        return best(results);
    }

    /** The result of the highest throughput, of equal ones the first. If another run broke a promise, the result tells that one. */
    static LockBenchResult best(List<LockBenchResult> results) {
        LockBenchResult best = results.getFirst();
        for (LockBenchResult result : results) {
            best = result.throughput() > best.throughput() ? result : best;
        }
        Optional<LockCheckResult> broken = results.stream()
                .flatMap(result -> result.checked().stream())
                .filter(checked -> !checked.isClean())
                .findFirst();
        boolean isTold = best.checked().map(checked -> !checked.isClean()).orElse(false);
        return broken.isPresent() && !isTold ? best.withChecked(broken) : best;
    }

    private static long[] timeouts(LockBenchConfig config) {
        LongStream always = TIMEOUTS_NANOS.stream().mapToLong(Long::longValue);
        LongStream forLong = LongStream.of(LONG_TIMES * config.clients().longNanos());
        return LongStream.concat(always, config.trace().hasLong() ? forLong : LongStream.empty())
                .toArray();
    }

    private LockBenchResult run() {
        LockScheme scheme = config.choice().scheme(config.terms());
        int homes = config.lockNodes() == 0 ? config.shape().nodes() : config.lockNodes();
        LockSpace space = new LockSpace(LockSpace.REGION, homes, config.trace().locks());
        try (SimNetwork network =
                new SimNetwork(config.shape().nodes(), SimOptions.of(config.profile()), config.seed())) {
            LockCluster cluster = new LockCluster(
                    network,
                    scheme,
                    config.primitive(),
                    space,
                    config.shape(),
                    (number, self, managers) -> request(network, space, number, self, managers));
            cluster.start();
            boolean _ = network.simulation().run(config.times().endNanos(), () -> false);
            return new LockBenchResult(
                    config,
                    tally,
                    cluster.counters(),
                    share(cluster.counters(), network),
                    checked(scheme, cluster.counters()));
        }
    }

    private void request(
            SimNetwork network, LockSpace space, int number, Coroutine coroutine, LockCluster.Managers managers) {
        int node = coroutine.worker().node();
        if (node >= config.lockNodes()) {
            new LockClient(
                            config,
                            number,
                            coroutine,
                            managers,
                            space,
                            () -> network.virtualNanos(node, coroutine.worker().nanoTime()),
                            recorder,
                            tally)
                    .run();
        }
    }

    /** The shares of the NICs, on average over the nodes. Words that are reached by RPC are a matter of CPUs, and their messages of NICs. */
    private LockBenchResult.Share share(LockCounters counters, SimNetwork network) {
        CostModel.Nic nic = network.options().costs().nic();
        double nanos = (double) config.times().endNanos() * config.shape().nodes();
        boolean isOneSided = config.primitive() == Primitive.ONE_SIDED;
        long atomics = isOneSided ? counters.atomics : 0;
        long words = isOneSided ? counters.reads + counters.writes : 0;
        long requests = words + atomics + counters.messages;
        return new LockBenchResult.Share(
                atomics * Math.max(1, nic.atomicNanos()) / nanos,
                requests * Math.max(1, Math.max(nic.sendNanos(), nic.serveNanos())) / nanos);
    }

    private Optional<LockCheckResult> checked(LockScheme scheme, LockCounters counters) {
        if (!config.isChecked()) {
            return Optional.empty();
        }
        boolean mayEndInTheMiddle = config.clients().failRate() > 0;
        LockHistory.Promises promises = new LockHistory.Promises(
                config.terms().leaseNanos() >= 1_000_000 || config.choice().rests() != LockSchemes.Rests.ON_LEASES,
                !mayEndInTheMiddle,
                counters.zeroings > 0 ? -1 : config.choice().overtakings(), // a requester without room loses its place
                config.clients().asks() == LockBenchConfig.Asks.IN_ONE_ROUND ? ROUND_PLACED_NANOS : PLACED_NANOS);
        return Optional.of(LockChecker.check(new LockHistory(scheme.name(), promises, recorder.requests(), List.of())));
    }
}
