package dev.rcc.bench.locks.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.rcc.bench.locks.check.LockCheckResult;
import dev.rcc.bench.locks.check.LockFinding;
import dev.rcc.bench.locks.cluster.LockCluster;
import dev.rcc.bench.locks.cluster.LockSchemes;
import dev.rcc.bench.locks.run.LockBenchConfig.Asks;
import dev.rcc.bench.locks.run.LockBenchConfig.Clients;
import dev.rcc.core.protocol.Primitive;
import dev.rcc.protocols.locks.LockCounters;
import dev.rcc.protocols.locks.LockMode;
import dev.rcc.transport.sim.CostModel;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class LockBenchTest {
    private static final long MILLI = 1_000_000;
    private static final LockBenchConfig.Times TIMES = new LockBenchConfig.Times(MILLI, 4 * MILLI);
    private static final LockTrace CONTENDED = new MicroTrace(2, 10, 2, 0.5);

    static List<LockSchemes.Choice> managers() {
        return LockSchemes.all();
    }

    @ParameterizedTest
    @MethodSource("managers")
    void shouldKeepItsPromisesUnderContention(LockSchemes.Choice choice) {
        LockBenchResult result = LockBench.run(config(choice, CONTENDED, Clients.BUSY, 0));
        assertThat(result.latencies().count()).isPositive();
        assertThat(result.checked().orElseThrow().isClean())
                .as(result.checked().orElseThrow().report())
                .isTrue();
        assertThat(result.share().requests()).isBetween(0.0, 1.0).isPositive();
    }

    // Goal: a requester that finds no room among the tickets loses its place, which is no broken promise.
    // Method: few tickets, so that the counters are set to zero again and again.
    @Test
    void shouldKeepItsPromisesWhereTicketsRunOut() {
        LockBenchConfig config = config(dslr(), CONTENDED, Clients.BUSY, 0);
        LockSchemes.Terms few =
                new LockSchemes.Terms(MILLI, 1, false, 4, 5_000, 0, MILLI, MILLI, LockSchemes.Clocks.OF_DRTM);
        LockBenchResult result = LockBench.run(new LockBenchConfig(
                config.choice(),
                few,
                config.primitive(),
                config.trace(),
                new LockCluster.Shape(4, 2, 2),
                0,
                config.clients(),
                config.times(),
                config.profile(),
                config.seed(),
                true));
        assertThat(result.counters().zeroings).isPositive();
        assertThat(result.checked().orElseThrow().isClean())
                .as(result.checked().orElseThrow().report())
                .isTrue();
    }

    // Goal: the NICs' share has all requests of theirs, and none that a CPU carries out.
    @ParameterizedTest
    @MethodSource("managers")
    void shouldCountAllRequestsOfTheNics(LockSchemes.Choice choice) {
        LockBenchResult result = LockBench.run(config(choice, CONTENDED, Clients.BUSY, 0));
        LockCounters counters = result.counters();
        assertThat(requests(result))
                .isCloseTo(counters.reads + counters.writes + counters.atomics + counters.messages, within(0.5));
        LockBenchResult byRpc = LockBench.run(byRpc(result.config()));
        assertThat(requests(byRpc)).isCloseTo(byRpc.counters().messages, within(0.5));
        assertThat(byRpc.share().atomics()).isZero();
    }

    private static double requests(LockBenchResult result) {
        CostModel.Nic nic = CostModel.profile(result.config().profile()).nic();
        double nanos = (double) TIMES.endNanos() * result.config().shape().nodes();
        return result.share().requests() * nanos / Math.max(nic.sendNanos(), nic.serveNanos());
    }

    private static LockBenchConfig byRpc(LockBenchConfig config) {
        return new LockBenchConfig(
                config.choice(),
                config.terms(),
                Primitive.RPC,
                config.trace(),
                config.shape(),
                config.lockNodes(),
                config.clients(),
                config.times(),
                config.profile(),
                config.seed(),
                config.isChecked());
    }

    // Goal: a broken promise is told even if the run with another time-out was faster.
    @Test
    void shouldTellABrokenPromiseOfAnyTimeOut() {
        LockBenchResult fast = LockBench.run(config(dslr(), CONTENDED, Clients.BUSY, 0));
        LockBenchResult slow = LockBench.run(config(dslr(), CONTENDED, Clients.BUSY.withPause(MILLI), 0));
        LockCheckResult broken = new LockCheckResult(
                slow.checked().orElseThrow().history(),
                List.of(new LockFinding(LockFinding.Promise.EXCLUSION, 1, List.of("made up"))),
                0,
                0);
        LockBenchResult told = LockBench.best(List.of(slow.withChecked(Optional.of(broken)), fast));
        assertThat(told.throughput()).isEqualTo(fast.throughput());
        assertThat(told.checked()).contains(broken);
        assertThat(LockBench.best(List.of(slow, fast))).isEqualTo(fast);
    }

    @Test
    void shouldGiveTheSameResultInEachRun() {
        LockBenchConfig config = config(dslr(), CONTENDED, Clients.BUSY, 0);
        LockBenchResult first = LockBench.run(config);
        LockBenchResult second = LockBench.run(config);
        assertThat(first.throughput()).isEqualTo(second.throughput());
        assertThat(first.latencies().mean()).isEqualTo(second.latencies().mean());
        assertThat(first.counters().reads).isEqualTo(second.counters().reads);
    }

    // Goal: holders that are left behind use up no room. Method: each leaves its lock behind, far more often
    // than the buffer has room for managers.
    @Test
    void shouldKeepGrantingLocksWhenEachHolderFails() {
        Clients failing = Clients.BUSY.withFailRate(1);
        LockBenchConfig config = config(dslr(), new Anywhere(), failing, 0);
        LockBenchResult result = LockBench.run(new LockBenchConfig(
                config.choice(),
                config.terms(),
                config.primitive(),
                config.trace(),
                config.shape(),
                0,
                failing,
                new LockBenchConfig.Times(0, 20 * MILLI),
                config.profile(),
                config.seed(),
                false));
        assertThat(result.latencies().count()).isZero();
        assertThat(result.counters().grants / config.shape().requesters()).isGreaterThan(3_000);
    }

    // Goal: locks and clients are apart. Method: with all locks on node 0, only the workers of the other
    // nodes reach one.
    @Test
    void shouldHaveNoClientsOnNodesThatHaveTheLocks() {
        LockTrace onOne = new MicroTrace(1, 10, 2, 1);
        LockBenchResult apart = LockBench.run(config(dslr(), onOne, Clients.BUSY, 1));
        LockBenchResult both = LockBench.run(config(dslr(), onOne, Clients.BUSY, 0));
        assertThat(apart.latencies().count()).isPositive();
        assertThat(apart.latencies().percentile(0))
                .isGreaterThan(both.latencies().percentile(0));
        assertThat(apart.checked().orElseThrow().history().requests())
                .isNotEmpty()
                .allMatch(request -> request.requester() >= 2);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> config(dslr(), onOne, Clients.BUSY, 2))
                .withMessageContaining("2 nodes without clients of 2 nodes");
    }

    // Goal: transactions that take locks in their order are in no deadlock. Method: two locks, wanted in
    // either order by all.
    @Test
    void shouldHaveDeadlocksOnlyOutOfOrder() {
        assertThat(aborts(Asks.ONE_BY_ONE)).isPositive();
        assertThat(aborts(Asks.IN_ORDER)).isZero();
    }

    private static long aborts(Asks asks) {
        Clients clients = new Clients(asks, 0, 0, 0, 1, 0);
        return LockBench.run(config(LockSchemes.byName("traditional").orElseThrow(), new EitherOrder(), clients, 0))
                .aborts();
    }

    /** One of so many locks that hardly any is wanted twice. */
    private record Anywhere() implements LockTrace {
        @Override
        public String name() {
            return "anywhere";
        }

        @Override
        public long locks() {
            return 4_000_000;
        }

        @Override
        public boolean hasLong() {
            return false;
        }

        @Override
        public void next(int node, SplittableRandom random, Wish wish) {
            wish.clear();
            wish.add(random.nextLong(locks()), LockMode.EXCLUSIVE);
        }
    }

    /** Both of two locks. */
    private record EitherOrder() implements LockTrace {
        @Override
        public String name() {
            return "either-order";
        }

        @Override
        public long locks() {
            return 2;
        }

        @Override
        public boolean hasLong() {
            return false;
        }

        @Override
        public void next(int node, SplittableRandom random, Wish wish) {
            wish.clear();
            int first = random.nextInt(2);
            wish.add(first, LockMode.EXCLUSIVE);
            wish.add(1 - first, LockMode.EXCLUSIVE);
        }
    }

    // Goal: a pause is between transactions and in no latency. Method: with a pause far longer than a transaction.
    @Test
    void shouldPauseBetweenTransactions() {
        LockTrace alone = new MicroTrace(2, 100_000, 1.01, 0);
        LockBenchResult paused = LockBench.run(config(dslr(), alone, Clients.BUSY.withPause(MILLI), 0));
        assertThat(paused.latencies().count()).isBetween(8, 16);
        assertThat(paused.latencies().mean()).isLessThan(20_000);
    }

    private static LockSchemes.Choice dslr() {
        return LockSchemes.byName("dslr").orElseThrow();
    }

    private static LockBenchConfig config(LockSchemes.Choice choice, LockTrace trace, Clients clients, int lockNodes) {
        return new LockBenchConfig(
                choice,
                new LockSchemes.Terms(MILLI, 1, false, 0, 5_000, 0, MILLI, MILLI, LockSchemes.Clocks.OF_DRTM),
                Primitive.ONE_SIDED,
                trace,
                new LockCluster.Shape(2, 2, 1),
                lockNodes,
                clients,
                TIMES,
                "connectx3-fdr",
                7,
                true);
    }
}
