package dev.rcc.transport.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.fabric.Batch;
import dev.rcc.core.memory.Memory;
import dev.rcc.transport.FabricCluster;
import dev.rcc.transport.OnWorker;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Published microbenchmarks, simulated on the profiles of their NICs, with as many threads, queue pairs, and outstanding requests. The simulated rate
 * is within 15 % of the measured one. The figures of the papers whose claims are tested are not among them.
 *
 * <p>Sources: wxdwfc/rlibv2, {@code docs/benchs}, for ConnectX-4 (its authors' machines of that time).
 * efficient/rdma_bench, {@code rc-swarm/sweep/osdi} and {@code atomics-sequencer/main.h}, and perftest's {@code ib_read_lat}, for ConnectX-3.
 * rdma_bench and efficient/fasst, {@code other/dct-bench}, for Connect-IB, which has no profile. Connect-IB shows that one NIC's units both send and
 * serve, and what many queue pairs cost.
 */
class CalibrationTest {
    private static final Percentage TOLERANCE = Percentage.withPercentage(15);
    private static final long SEED = Long.getLong("rcc.seed", 42);
    private static final long WARM_UP_NANOS = 20_000;
    private static final long NANOS = 100_000;
    private static final int WORD = Memory.WORD_BYTES;
    private static final int LINES = FabricCluster.DATA_BYTES / Pieces.LINE_BYTES;

    private static final CostModel CX4 = CostModel.profile("connectx4-edr");
    private static final CostModel CX3 = withoutProcessors(CostModel.profile("connectx3-fdr"));
    /** From 94.6 million READs a second served, 94 million sent, 50.3 million of each; then a fit of the cost of queue pairs. */
    private static final CostModel CONNECT_IB = withoutProcessors(new CostModel(
            "connect-ib",
            CX4.link(),
            new CostModel.Nic(10, 10, true, 120, 120, 5, 250, 7, 16),
            CX4.cpu(),
            CX4.detectNanos(),
            CX4.changes()));

    enum Kind {
        READ,
        WRITE,
        CAS,
        FETCH_ADD;

        /** Adds the {@code count}-th request of its coroutine to a batch. */
        private void add(Batch batch, OnWorker on, int node, int count) {
            switch (this) {
                case READ -> batch.read(word(node, on, count), WORD, on.local(0));
                case WRITE -> batch.write(on.local(0), WORD, line(node, count));
                case CAS -> batch.cas(word(node, on, count), 1, 1, on.local(0));
                case FETCH_ADD -> batch.fetchAdd(word(node, on, count), 1, on.local(0));
            }
        }

        private static long word(int node, OnWorker on, int count) {
            long any = on.coroutine.worker().random(FabricCluster.DATA_BYTES / WORD);
            return FabricCluster.at(node, (any + count) % (FabricCluster.DATA_BYTES / WORD) * WORD);
        }

        /** No two outstanding requests of a coroutine are in one line. */
        private static long line(int node, int count) {
            return FabricCluster.at(node, (long) count % LINES * Pieces.LINE_BYTES);
        }
    }

    /** The processors that post are no limit. */
    private static CostModel withoutProcessors(CostModel costs) {
        return new CostModel(
                costs.name(),
                costs.link(),
                costs.nic(),
                new CostModel.Cpu(0, 0, 0, 0, 0, 10, 1, 0, false, 0),
                costs.detectNanos(),
                costs.changes());
    }

    private static FabricCluster cluster(SimOptions options, int... workers) {
        SimNetwork network = new SimNetwork(workers.length, options, SEED);
        return new FabricCluster(FabricContractOnSimTest.on(network), workers).start();
    }

    private static SimOptions options(CostModel costs) {
        return SimOptions.of("connectx4-edr").withCosts(costs);
    }

    /** Requests a second, in millions, of coroutines on all workers of some nodes that each have one batch under way. */
    private static double millions(
            FabricCluster cluster, List<Integer> clients, int coroutines, Kind kind, int batch, int server)
            throws Exception {
        List<CompletableFuture<Long>> counts = new ArrayList<>();
        for (int client : clients) {
            int peer = server < 0 ? 1 - client : server;
            for (int worker = 0; worker < cluster.workers(client); worker++) {
                for (int i = 0; i < coroutines; i++) {
                    counts.add(cluster.start(client, worker, on -> requests(on, kind, batch, peer)));
                }
            }
        }
        long sum = 0;
        for (CompletableFuture<Long> count : counts) {
            sum += cluster.join(count);
        }
        return sum * 1_000.0 / NANOS;
    }

    private static long requests(OnWorker on, Kind kind, int batchSize, int peer) {
        long begin = on.coroutine.worker().nanoTime() + WARM_UP_NANOS;
        long done = 0;
        int count = 0;
        for (long now = 0; now < begin + NANOS; now = on.coroutine.worker().nanoTime()) {
            Batch batch = on.endpoint.batch(peer);
            for (int i = 0; i < batchSize; i++) {
                kind.add(batch, on, peer, count++);
            }
            batch.post(on.completion);
            on.awaitSuccess();
            done += now >= begin ? batchSize : 0;
        }
        return done;
    }

    /** Millions of READs a second of each of two nodes, which read from each other. */
    private static double readsOfEach(CostModel costs, int threads, int queuePairs) throws Exception {
        SimOptions options = options(costs).withEmulatedNodes(queuePairs / threads + 1);
        try (FabricCluster cluster = cluster(options, threads, threads)) {
            return millions(cluster, List.of(0, 1), 16, Kind.READ, 1, -1) / 2;
        }
    }

    // Method: machines with 12 threads each send to another one.
    @ParameterizedTest(name = "{0}, {1} machines, {2} coroutines with {3} requests each: {4} million a second")
    @CsvSource({
        // each thread waits for each READ
        "READ, 1, 1, 1, 5.8",
        "READ, 2, 1, 1, 11.4",
        "READ, 3, 1, 1, 16.8",
        // ten coroutines a thread
        "READ, 1, 10, 1, 27",
        "READ, 2, 10, 1, 54",
        "READ, 3, 10, 1, 81",
        // five doorbells of ten requests
        "READ, 1, 5, 10, 66",
        "READ, 2, 5, 10, 132",
        "READ, 3, 5, 10, 135",
        "WRITE, 1, 5, 10, 57",
        "WRITE, 2, 5, 10, 112",
        "WRITE, 3, 5, 10, 123",
        "CAS, 1, 5, 10, 25",
        "CAS, 2, 5, 10, 44",
        "CAS, 3, 5, 10, 48",
        "FETCH_ADD, 1, 5, 10, 20",
        "FETCH_ADD, 2, 5, 10, 40",
        "FETCH_ADD, 3, 5, 10, 48",
    })
    void shouldSendToOneMachineAsFastAsConnectX4(Kind kind, int machines, int coroutines, int batch, double measured)
            throws Exception {
        int[] workers = new int[machines + 1];
        Arrays.fill(workers, 12);
        workers[machines] = 1;
        List<Integer> clients = new ArrayList<>();
        for (int client = 0; client < machines; client++) {
            clients.add(client);
        }
        try (FabricCluster cluster = cluster(options(CX4), workers)) {
            assertThat(millions(cluster, clients, coroutines, kind, batch, machines))
                    .isCloseTo(measured, TOLERANCE);
        }
    }

    // Method: eight threads of each of two nodes, with the queue pairs of as many nodes as were measured.
    // Each request uses another queue pair. With 88 queue pairs the measured rate was 7.7: a real NIC slows
    // down less sharply than a NIC that caches 100 of them.
    @ParameterizedTest(name = "{0} queue pairs: {1} million a second of each node")
    @CsvSource({"48, 11.0", "144, 3.2", "176, 2.7", "240, 2.1", "432, 1.6", "720, 1.3"})
    void shouldReadAsFastAsConnectX3WithAsManyQueuePairs(int queuePairs, double measured) throws Exception {
        assertThat(readsOfEach(CX3, 8, queuePairs)).isCloseTo(measured, TOLERANCE);
    }

    @Test
    void shouldCarryOutAsManyAtomicsAsConnectX3() throws Exception {
        try (FabricCluster cluster = cluster(options(CX3), 8, 1)) {
            assertThat(millions(cluster, List.of(0), 16, Kind.FETCH_ADD, 1, 1)).isCloseTo(2.7, TOLERANCE);
        }
    }

    @Test
    void shouldReadAsSoonAsConnectX3() throws Exception {
        int count = 20_000;
        double[] micros = new double[count];
        SimOptions options = SimOptions.of("connectx3-fdr");
        try (FabricCluster cluster = cluster(options, 1, 1)) {
            cluster.run(0, 0, on -> {
                for (int i = 0; i < count; i++) {
                    long begin = on.coroutine.worker().nanoTime();
                    on.endpoint
                            .batch(1)
                            .read(FabricCluster.at(1, 0), WORD, on.local(0))
                            .post(on.completion);
                    on.awaitSuccess();
                    micros[i] = (on.coroutine.worker().nanoTime() - begin) / 1_000.0;
                }
                return null;
            });
        }
        Arrays.sort(micros);
        assertThat(micros[count / 2]).as("median").isCloseTo(1.79, TOLERANCE);
        assertThat(micros[count * 99 / 100]).as("99th percentile").isCloseTo(1.88, TOLERANCE);
        assertThat(micros[count * 999 / 1000]).as("99.9th percentile").isCloseTo(6.12, TOLERANCE);
    }

    // Method: fourteen threads of each of two nodes, with the same choice of queue pairs.
    @ParameterizedTest(name = "{0} queue pairs: {1} million a second of each node")
    @CsvSource({"84, 50.3", "154, 47.7", "252, 46.3", "420, 40.9", "588, 37.7", "756, 35.9", "1092, 33.7", "1260, 31.8"
    })
    void shouldReadAsFastAsConnectIbWithAsManyQueuePairs(int queuePairs, double measured) throws Exception {
        assertThat(readsOfEach(CONNECT_IB, 14, queuePairs)).isCloseTo(measured, TOLERANCE);
    }

    @Test
    void shouldReadFromOneMachineAsFastAsConnectIb() throws Exception {
        try (FabricCluster cluster = cluster(options(CONNECT_IB), 1, 14, 14, 14)) {
            assertThat(millions(cluster, List.of(1, 2, 3), 16, Kind.READ, 1, 0)).isCloseTo(94.6, TOLERANCE);
        }
    }
}
