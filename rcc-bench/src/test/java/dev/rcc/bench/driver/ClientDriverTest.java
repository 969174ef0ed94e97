package dev.rcc.bench.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.bench.workload.ClientGenerator;
import dev.rcc.bench.workload.KindMeasurements;
import dev.rcc.bench.workload.Workload;
import dev.rcc.bench.workloads.Workloads;
import dev.rcc.client.CallOptions;
import dev.rcc.client.ClientOptions;
import dev.rcc.client.Codec;
import dev.rcc.client.KeyType;
import dev.rcc.client.RccClient;
import dev.rcc.client.Table;
import dev.rcc.client.Transaction;
import dev.rcc.client.procedure.ProcedureException;
import dev.rcc.core.protocol.HybridCode;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.core.store.Catalog;
import dev.rcc.protocols.Protocols;
import dev.rcc.server.EmbeddedCluster;
import dev.rcc.server.gateway.EmbeddedGateways;
import dev.rcc.server.gateway.GatewayOptions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ClientDriverTest {
    private static final long PATIENCE_SECONDS = 60;

    @Test
    void shouldCountTransactionsWithoutEffectByTheirReasons() throws InterruptedException {
        Turns turns =
                new Turns(List.of("commits", "refused", "conflicts", "conflicts", "commits", "full", "conflicts"));
        ClientMeasurements measured = run(turns);
        assertThat(measured.committed()).isEqualTo(2);
        assertThat(measured.all().refused()).isEqualTo(1);
        assertThat(measured.all().notInTime()).isEqualTo(3);
        assertThat(measured.all().tableFull()).isEqualTo(1);
        assertThat(measured.gaveUp()).isEqualTo(5);
        assertThat(kind(measured, "commits"))
                .extracting(KindMeasurements::committed, KindMeasurements::gaveUp)
                .containsExactly(2L, 0L);
        assertThat(kind(measured, "refused"))
                .extracting(KindMeasurements::refused, KindMeasurements::notInTime, KindMeasurements::gaveUp)
                .containsExactly(1L, 0L, 1L);
        assertThat(kind(measured, "conflicts"))
                .extracting(KindMeasurements::refused, KindMeasurements::notInTime, KindMeasurements::gaveUp)
                .containsExactly(0L, 3L, 3L);
    }

    private static KindMeasurements kind(ClientMeasurements measured, String name) {
        return measured.ofKind(Turns.KINDS.indexOf(name), name);
    }

    private static ClientMeasurements run(Turns turns) throws InterruptedException {
        Protocol protocol = Protocols.byName("occ");
        ClientLoad load = new ClientLoad(ClientLoad.Mode.PROCEDURES, 1, ClientOptions.DEFAULT);
        BenchConfig config = BenchConfig.local(
                        protocol,
                        HybridCode.parse(protocol, "rpc"),
                        new OneClient(turns, Workloads.create("smallbank", Map.of("accounts", "100"))),
                        new BenchConfig.Shape(1, 1, 4, 1),
                        new BenchConfig.Times(0, 1),
                        7)
                .withLoad(load);
        try (EmbeddedCluster cluster = new EmbeddedCluster(BenchRunner.clusterConfig(config))) {
            config.workload().load(cluster.loader());
            cluster.start();
            GatewayOptions options = ClientDriver.withRoom(GatewayOptions.DEFAULT, load);
            try (EmbeddedGateways gateways = new EmbeddedGateways(cluster, options);
                    ClientDriver driver = new ClientDriver(config, load, cluster.catalog(), gateways.addresses())) {
                assertThat(turns.awaitEnd()).isTrue();
                ClientMeasurements measured = driver.measure(false);
                turns.release();
                assertThat(driver.end(Duration.ofSeconds(PATIENCE_SECONDS))).isTrue();
                return measured;
            }
        }
    }

    /** A client whose transactions end as planned. After the plan it waits until the test has measured, and then commits once more. */
    private static final class Turns implements ClientGenerator {
        static final List<String> KINDS = List.of("commits", "refused", "conflicts", "full");
        private static final Table<Long, Long> SAVINGS = new Table<>("savings", KeyType.LONG, Codec.ofLong());

        private final List<String> plan;
        private final CountDownLatch ended = new CountDownLatch(1);
        private final CountDownLatch measured = new CountDownLatch(1);
        private int done;
        private String drawn;

        Turns(List<String> plan) {
            this.plan = plan;
        }

        boolean awaitEnd() throws InterruptedException {
            return ended.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
        }

        void release() {
            measured.countDown();
        }

        @Override
        public void next() {
            if (done < plan.size()) {
                drawn = plan.get(done++);
                return;
            }
            drawn = "commits";
            ended.countDown();
            try {
                measured.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public int kind() {
            return KINDS.indexOf(drawn);
        }

        @Override
        public boolean isReadOnly() {
            return false;
        }

        @Override
        public CallOptions near(CallOptions options) {
            return options;
        }

        @Override
        public void perform(Transaction txn) {
            throw new UnsupportedOperationException("calls procedures only");
        }

        @Override
        public void call(RccClient client, CallOptions options) {
            switch (drawn) {
                case "commits" -> client.put(SAVINGS, 1L, 1L);
                case "refused" -> throw new ProcedureException("planted");
                case "full" -> {
                    for (long account = 1_000; ; account++) {
                        client.insert(SAVINGS, account, 1L); // until the table is full
                    }
                }
                default ->
                    client.execute(options.withMaxAttempts(1), txn -> {
                        long cents = txn.require(SAVINGS, 2L);
                        client.put(SAVINGS, 2L, cents + 1); // behind its back
                        txn.put(SAVINGS, 3L, cents);
                    });
            }
        }

        @Override
        public void committed() {}

        @Override
        public void gaveUp(RuntimeException why) {}

        @Override
        public long tally() {
            return 0;
        }
    }

    /** A bank with one client. */
    private static final class OneClient extends AlteredWorkload {
        private final Turns turns;

        OneClient(Turns turns, Workload bank) {
            super(bank);
            this.turns = turns;
        }

        @Override
        public List<String> kinds() {
            return Turns.KINDS;
        }

        @Override
        public boolean hasClients() {
            return true;
        }

        @Override
        public List<ClientGenerator> clientGenerators(Catalog catalog, int count, SplittableRandom random) {
            return List.of(turns);
        }
    }
}
