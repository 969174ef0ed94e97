package dev.rcc.transport.composite;

import static dev.rcc.transport.FabricCluster.at;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.rcc.core.fabric.Atomicity;
import dev.rcc.core.fabric.Endpoint;
import dev.rcc.core.fabric.FabricCounter;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.worker.Parker;
import dev.rcc.transport.FabricCluster;
import dev.rcc.transport.OnWorker;
import dev.rcc.transport.local.LocalProvider;
import dev.rcc.transport.network.FabricProvider;
import dev.rcc.transport.shm.ShmOptions;
import dev.rcc.transport.shm.ShmProvider;
import dev.rcc.transport.tcp.TcpProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Two zones of two nodes: 0 and 1 are in a, 2 and 3 in b. */
class CompositeFabricTest {
    private static final int NODES = 4;
    private static final int WORD = Memory.WORD_BYTES;
    private static final int WHO = 5;
    private static final long BUSY_TURNS = 20_000_000;

    private CompositeNetwork network;
    private FabricCluster cluster;

    @AfterEach
    void close() {
        if (cluster != null) {
            cluster.close();
        }
    }

    private FabricCluster cluster() {
        network = new CompositeNetwork(CompositeNetwork.shm(), "aabb");
        cluster = new FabricCluster(network, 1, 1, 1, 1);
        cluster.handleEverywhere(WHO, request -> {
            request.response().putLong(request.responseOffset(), request.caller());
            request.reply(WORD);
        });
        return cluster;
    }

    // Goal: requests of either kind go by sockets between zones, and only between zones.
    @Test
    void shouldUseTheNetworkBetweenForNodesOfOtherZonesOnly() throws Exception {
        cluster().start();
        for (int peer = 0; peer < NODES; peer++) {
            int to = peer;
            long before = sent(0);
            cluster.run(0, 0, on -> {
                on.endpoint.batch(to).writeWord(7, at(to, 0)).post(on.completion);
                on.awaitSuccess();
                assertThat(who(on, to)).isZero();
                return null;
            });
            assertThat(cluster.data(to).getAcquire(0)).isEqualTo(7);
            assertThat(sent(0) > before).as("bytes by sockets to node %s", to).isEqualTo(to >= 2);
        }
    }

    // Goal: a request to a zone that was never there fails. The worker does not poll the network between
    // zones until it is needed; this request needs it.
    @Test
    void shouldFailRequestsToAZoneThatNeverStarted() throws Exception {
        cluster().fabric(0).start();
        network.start(cluster.worker(0, 0));
        int failed = cluster.run(0, 0, on -> {
            on.call(2, WHO, 512, 520);
            return on.awaitFailure();
        });
        assertThat(failed).isEqualTo(2);
        failed = cluster.run(0, 0, on -> {
            on.endpoint.batch(3).writeWord(7, at(3, 0)).post(on.completion);
            return on.awaitFailure();
        });
        assertThat(failed).isEqualTo(3);
    }

    // Goal: a word loses no addition when peers change it through both networks, and its owner by its CPU.
    @Test
    void shouldLoseNoAdditionOfEitherNetwork() throws Exception {
        cluster().start();
        int rounds = 2_000;
        List<CompletableFuture<Void>> ends = new ArrayList<>();
        for (int node = 0; node < NODES; node++) {
            ends.add(cluster.start(node, 0, on -> {
                for (int i = 0; i < rounds; i++) {
                    on.endpoint.batch(0).fetchAdd(at(0, 0), 1, on.local(0)).post(on.completion);
                    on.awaitSuccess();
                    if (i % 16 == 0) {
                        cluster.data(0).getAndAdd(0, 1);
                    }
                }
                return null;
            }));
        }
        for (CompletableFuture<Void> end : ends) {
            cluster.join(end);
        }
        assertThat(cluster.fabric(0).atomicity()).isEqualTo(Atomicity.GLOBAL);
        assertThat(cluster.data(0).getAcquire(0)).isEqualTo((long) NODES * (rounds + rounds / 16));
    }

    // Goal: the length limit of calls is the smaller one of both networks, so that such a call can go to
    // any node.
    @Test
    void shouldTakeCallsAsLongAsBothNetworksTakeThem() {
        Endpoint pair = cluster().endpoint(0, 0);
        try (FabricCluster other = new FabricCluster(new CompositeNetwork(new LocalProvider(), "ab"), 1, 1)) {
            assertThat(other.endpoint(0, 0).maxCallBytes()).isGreaterThan(pair.maxCallBytes()); // tcp's limit
        }
        assertThat(pair.maxCallBytes()).isEqualTo(ShmOptions.DEFAULT.ringBytes() / 2 - 24);
    }

    // Goal: one await collects batches and calls of different networks.
    @Test
    void shouldCollectRequestsOfBothNetworksWithOneAwait() throws Exception {
        cluster();
        for (int node = 0; node < NODES; node++) {
            cluster.data(node).putLong(8, 100 + node);
        }
        cluster.start();
        long[] found = cluster.run(1, 0, on -> {
            for (int peer = 0; peer < NODES; peer++) {
                on.endpoint
                        .batch(peer)
                        .read(at(peer, 8), WORD, on.local(8L * peer))
                        .post(on.completion);
                on.call(peer, WHO, 512, 64 + 8L * peer);
            }
            on.awaitSuccess();
            long[] words = new long[2 * NODES];
            for (int peer = 0; peer < NODES; peer++) {
                words[peer] = on.get(8L * peer);
                words[NODES + peer] = on.get(64 + 8L * peer);
            }
            return words;
        });
        assertThat(found).containsExactly(100, 101, 102, 103, 1, 1, 1, 1);
    }

    // Goal: a worker that is always busy inside its zone serves the peers of other zones, too.
    // Method: it counts its turns, of which there are far more than a call takes. The call comes once it is
    // busy, because a worker that wakes up would poll anyway.
    @Test
    void shouldServeOtherZonesWhileItIsBusyInside() throws Exception {
        cluster().start();
        AtomicBoolean isBusy = new AtomicBoolean();
        AtomicBoolean isServed = new AtomicBoolean();
        CompletableFuture<Long> busy = cluster.start(0, 0, on -> {
            long turns = 0;
            while (!isServed.get() && turns < BUSY_TURNS) {
                isBusy.set(turns > 0);
                on.coroutine.pause();
                turns++;
            }
            return turns;
        });
        CompletableFuture<Void> caller = cluster.start(2, 0, on -> {
            while (!isBusy.get()) {
                on.coroutine.pause();
            }
            assertThat(who(on, 0)).isEqualTo(2);
            isServed.set(true);
            return null;
        });
        assertThat(cluster.join(busy)).isLessThan(BUSY_TURNS);
        cluster.join(caller);
    }

    // Goal: a node of another zone is cut off and admitted again like a node of the same zone.
    @Test
    void shouldCutOffAndAdmitNodesOfBothZones() throws Exception {
        cluster().start();
        for (int lost : new int[] {3, 1}) {
            cluster.stop(lost);
            for (int node = 0; node < NODES; node++) {
                if (node != lost) {
                    cluster.fabric(node).fence(lost);
                }
            }
            cluster.restart(lost);
            assertThat(cluster.fabric(0).isReachable(lost)).isFalse();
            for (int node = 0; node < NODES; node++) {
                if (node != lost) {
                    cluster.fabric(node).admit(lost, cluster.fabric(lost).incarnation());
                }
            }
            for (int node = 0; node < NODES; node++) {
                cluster.awaitReachable(node, lost);
            }
            for (int node = 0; node < NODES; node++) {
                long caller = cluster.run(node, 0, on -> who(on, lost));
                assertThat(caller).isEqualTo(node);
            }
        }
    }

    // Goal: a live node of another zone is cut off at once, and stays connected to the other nodes.
    @Test
    void shouldCutOffALivingNodeOfAnotherZone() throws Exception {
        cluster().start();
        cluster.fabric(0).fence(3);
        assertThat(cluster.fabric(0).isReachable(3)).isFalse();
        int failed = cluster.run(3, 0, on -> {
            on.endpoint.batch(0).writeWord(7, at(0, 0)).post(on.completion);
            return on.awaitFailure();
        });
        assertThat(failed).isZero();
        assertThat(cluster.data(0).getAcquire(0)).isZero();
        long caller = cluster.run(3, 0, on -> who(on, 2));
        assertThat(caller).isEqualTo(3);
    }

    // Goal: a worker that sleeps in its sockets spins first, as the other network's completions need.
    @Test
    void shouldSpinBeforeItSleepsInTheNetworkBetween() {
        cluster();
        Parker place = cluster.worker(0, 0).parker(() -> {
            throw new AssertionError("the network between has sockets to sleep in");
        });
        assertThat(place.spinsFirst(true)).isTrue();
    }

    @Test
    void shouldHaveNoAtomicsWhereTheyWouldBeADevicesAndACpus() {
        for (Atomicity inside : Atomicity.values()) {
            for (Atomicity between : Atomicity.values()) {
                Atomicity both =
                        inside == Atomicity.GLOBAL && between == Atomicity.GLOBAL ? Atomicity.GLOBAL : Atomicity.NONE;
                assertThat(CompositeFabric.atomicity(inside, between)).isEqualTo(both);
            }
        }
    }

    @Test
    void shouldRefuseANetworkBetweenThatReachesNoMemoryOfAnother() {
        FabricProvider shm = new ShmProvider();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new CompositePairing().pair(new TcpProvider(), shm, null))
                .withMessage("the network shm cannot be the slower one of two");
    }

    private long sent(int node) {
        return cluster.fabric(node).counters().getOrDefault(FabricCounter.BYTES_SENT, 0L);
    }

    /** The caller's node that a peer reports. */
    private static long who(OnWorker on, int peer) {
        on.call(peer, WHO, 512, 520);
        on.awaitSuccess();
        return on.get(520);
    }
}
