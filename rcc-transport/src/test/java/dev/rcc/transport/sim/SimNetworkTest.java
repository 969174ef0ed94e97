package dev.rcc.transport.sim;

import static dev.rcc.transport.FabricCluster.at;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rcc.core.cluster.Zones;
import dev.rcc.core.fabric.Atomicity;
import dev.rcc.core.fabric.Batch;
import dev.rcc.core.fabric.RpcRequest;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.worker.Completion;
import dev.rcc.transport.FabricCluster;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The simulated network beyond the promises of every network: it breaks everything that may break, and takes the configured time. */
class SimNetworkTest {
    private static final long SEED = Long.getLong("rcc.seed", 42);
    private static final int WORD = Memory.WORD_BYTES;
    private static final int ECHO = 1;
    private static final int ROUNDS = 1_000;

    private SimNetwork network;
    private FabricCluster cluster;

    @AfterEach
    void closeCluster() {
        if (cluster != null) {
            cluster.close();
        }
    }

    private void cluster(SimOptions options, int... workersOfNode) {
        cluster(Zones.single(workersOfNode.length), options, workersOfNode);
    }

    private void cluster(Zones zones, SimOptions options, int... workersOfNode) {
        network = new SimNetwork(zones, options, SEED);
        cluster = new FabricCluster(FabricContractOnSimTest.on(network), workersOfNode);
        cluster.handleEverywhere(ECHO, SimNetworkTest::echo);
    }

    private static SimOptions options() {
        return SimOptions.of("connectx4-edr");
    }

    // Goal: a READ larger than a word is torn, and a READ of a word is not.
    // Method: one node overwrites a record of some words with the round's number again and again, another reads it.
    @ParameterizedTest
    @ValueSource(ints = {1, 8, 16})
    void shouldTearAReadExactlyIfItIsLargerThanAWord(int words) throws Exception {
        cluster(options().withFaults(FaultPlan.NONE.withStalls(0.1, 2_000)), 1, 1, 1);
        cluster.start();
        CompletableFuture<Void> writer = cluster.start(0, 0, on -> {
            for (int round = 1; round <= ROUNDS; round++) {
                for (int i = 0; i < words; i++) {
                    on.put(8L * i, round);
                }
                on.endpoint.batch(2).write(on.local(0), words * WORD, at(2, 64)).post(on.completion);
                on.awaitSuccess();
            }
            return null;
        });
        int torn = cluster.run(1, 0, on -> {
            int count = 0;
            for (int round = 0; round < ROUNDS; round++) {
                on.endpoint.batch(2).read(at(2, 64), words * WORD, on.local(0)).post(on.completion);
                on.awaitSuccess();
                for (int i = 1; i < words; i++) {
                    if (on.get(8L * i) != on.get(0)) {
                        count++;
                        break;
                    }
                }
            }
            return count;
        });
        cluster.join(writer);
        if (words == 1) {
            assertThat(torn).as("torn READs of a word, seed %s", SEED).isZero();
        } else {
            assertThat(torn).as("torn READs of %s words, seed %s", words, SEED).isPositive();
            assertThat(network.faults().count(Faults.Kind.TORN)).isPositive();
            assertThat(network.faults().count(Faults.Kind.TORN_LINE)).isPositive();
        }
    }

    // Goal: a word that both the CPU and remote atomics change loses changes exactly if atomics are the
    // device's.
    @ParameterizedTest
    @EnumSource(value = Atomicity.class, names = "NONE", mode = EnumSource.Mode.EXCLUDE)
    void shouldLoseChangesOfAMixedWordExactlyIfAtomicsAreTheDevices(Atomicity atomicity) throws Exception {
        cluster(options().withAtomicity(atomicity), 1, 1);
        cluster.start();
        CompletableFuture<Void> owner = cluster.start(0, 0, on -> {
            for (int i = 0; i < ROUNDS; i++) {
                cluster.data(0).getAndAdd(0, 1);
                on.coroutine.sleep(on.coroutine.worker().random(200));
            }
            return null;
        });
        cluster.run(1, 0, on -> {
            for (int i = 0; i < ROUNDS; i++) {
                on.endpoint.batch(0).fetchAdd(at(0, 0), 1, on.local(0)).post(on.completion);
                on.awaitSuccess();
            }
            return null;
        });
        cluster.join(owner);
        long sum = cluster.data(0).getLong(0);
        if (atomicity == Atomicity.GLOBAL) {
            assertThat(sum).isEqualTo(2 * ROUNDS);
        } else {
            assertThat(sum).as("changes that were not lost, seed %s", SEED).isLessThan(2 * ROUNDS);
        }
    }

    // Goal: under DEVICE, requests through the NIC are safe: atomics among each other and with WRITEs of
    // the same word.
    // Method: a lock that is taken by CAS and dropped by WRITE guards a counter that is not atomic.
    @ParameterizedTest
    @EnumSource(value = Atomicity.class, names = "NONE", mode = EnumSource.Mode.EXCLUDE)
    void shouldExcludeAtomicsAndWritesOfTheSameNic(Atomicity atomicity) throws Exception {
        cluster(options().withAtomicity(atomicity).withFaults(FaultPlan.ROUGH), 2, 2, 2);
        cluster.start();
        List<CompletableFuture<Void>> ends = new ArrayList<>();
        long each = 100;
        for (int node = 0; node < 3; node++) {
            for (int worker = 0; worker < 2; worker++) {
                ends.add(cluster.start(node, worker, on -> {
                    for (int i = 0; i < each; ) {
                        on.endpoint
                                .batch(0)
                                .cas(at(0, 0), 0, 1, on.local(0))
                                .read(at(0, 64), WORD, on.local(8))
                                .post(on.completion);
                        on.awaitSuccess();
                        if (on.get(0) == 0) {
                            on.endpoint
                                    .batch(0)
                                    .writeWord(on.get(8) + 1, at(0, 64))
                                    .writeWord(0, at(0, 0))
                                    .post(on.completion);
                            on.awaitSuccess();
                            i++;
                        }
                    }
                    return null;
                }));
            }
        }
        for (CompletableFuture<Void> end : ends) {
            cluster.join(end);
        }
        assertThat(cluster.data(0).getLong(64)).isEqualTo(6 * each);
    }

    // Goal: two READs of one batch may take effect out of order; behind an atomic they do not.
    // Method: the writer raises one word, then another. A reader of the second word and then the first never
    // finds the second ahead, if the READs take effect in that order.
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldNotKeepTheOrderOfTwoReads(boolean behindAnAtomic) throws Exception {
        cluster(options().withFaults(FaultPlan.ROUGH), 1, 1, 1);
        cluster.start();
        int rounds = 2_000;
        CompletableFuture<Void> writer = cluster.start(0, 0, on -> {
            for (long round = 1; round <= rounds; round++) {
                on.endpoint
                        .batch(2)
                        .writeWord(round, at(2, 64))
                        .writeWord(round, at(2, 0))
                        .post(on.completion);
                on.awaitSuccess();
            }
            return null;
        });
        int outOfOrder = cluster.run(1, 0, on -> {
            int count = 0;
            while (on.get(0) < rounds) {
                Batch batch = on.endpoint.batch(2);
                if (behindAnAtomic) {
                    batch.cas(at(2, 0), -1, -1, on.local(0));
                } else {
                    batch.read(at(2, 0), WORD, on.local(0));
                }
                batch.read(at(2, 64), WORD, on.local(8)).post(on.completion);
                on.awaitSuccess();
                count += on.get(8) < on.get(0) ? 1 : 0;
            }
            return count;
        });
        cluster.join(writer);
        if (behindAnAtomic) {
            assertThat(outOfOrder).isZero();
        } else {
            assertThat(outOfOrder).isPositive();
        }
    }

    @Test
    void shouldNotKeepTheOrderOfTwoBatches() throws Exception {
        cluster(options().withFaults(FaultPlan.NONE.withDelays(0.5, 5_000)), 1, 1);
        cluster.start();
        int overtaken = cluster.run(0, 0, on -> {
            int count = 0;
            for (int round = 1; round <= 100; round++) {
                on.endpoint.batch(1).writeWord(round, at(1, 0)).post(on.completion);
                on.endpoint.batch(1).read(at(1, 0), WORD, on.local(0)).post(on.completion);
                on.awaitSuccess();
                count += on.get(0) == round - 1 ? 1 : 0;
            }
            return count;
        });
        assertThat(overtaken).as("of 100 batches, seed %s", SEED).isBetween(10, 60);
    }

    @Test
    void shouldRefuseTwoWritesToALineThatHaveNoOrder() throws Exception {
        cluster(options(), 1, 1);
        cluster.start();
        cluster.run(0, 0, on -> {
            Completion other = new Completion(on.coroutine);
            on.endpoint.batch(1).writeWord(1, at(1, 0)).writeWord(2, at(1, 64)).post(on.completion);
            on.endpoint.batch(1).writeWord(3, at(1, 128)).post(on.completion); // another line
            on.endpoint.batch(1).writeWord(3, at(1, 0)).post(other); // another completion
            on.endpoint.batch(1).cas(at(1, 64), 2, 4, on.local(0)).post(on.completion); // returns the old value
            assertThatIllegalStateException()
                    .isThrownBy(() ->
                            on.endpoint.batch(1).writeWord(5, at(1, 64 + WORD)).post(on.completion))
                    .withMessageContaining("writes to 1/1+72")
                    .withMessageContaining("has changed 1/1+64");
            other.await();
            on.awaitSuccess();
            on.endpoint.batch(1).writeWord(6, at(1, 64 + WORD)).post(on.completion);
            on.awaitSuccess();
            return null;
        });
    }

    // ---- partitions, crashes, restarts -----------------------------------------------------------------------------

    @Test
    void shouldFailRequestsOverALinkCutForTooLongAndRecoverWhenItIsHealed() throws Exception {
        cluster(options(), 1, 1, 1);
        cluster.start();
        network.cut(0, 1);
        cluster.run(0, 0, on -> {
            on.put(0, 4);
            on.endpoint.batch(1).writeWord(5, at(1, 0)).post(on.completion);
            assertThat(on.awaitFailure()).isEqualTo(1);
            on.call(1, ECHO, 0, 8);
            assertThat(on.awaitFailure()).isEqualTo(1);
            on.call(2, ECHO, 0, 8);
            on.awaitSuccess();
            return null;
        });
        assertThat(cluster.data(1).getLong(0)).isZero();
        assertThat(network.simulation().now())
                .isGreaterThanOrEqualTo(2 * network.options().costs().detectNanos());
        network.heal(0, 1);
        cluster.run(0, 0, on -> {
            on.endpoint.batch(1).writeWord(6, at(1, 0)).post(on.completion);
            on.call(1, ECHO, 0, 8);
            on.awaitSuccess();
            return null;
        });
        assertThat(cluster.data(1).getLong(0)).isEqualTo(6);
    }

    @Test
    void shouldOnlyDelayRequestsDuringABriefPartition() throws Exception {
        cluster(options(), 1, 1);
        cluster.start();
        network.cut(0, 1);
        long healed = network.options().costs().detectNanos() / 2;
        network.simulation().at(healed, () -> network.heal(0, 1));
        cluster.run(0, 0, on -> {
            on.endpoint.batch(1).writeWord(6, at(1, 0)).post(on.completion);
            on.call(1, ECHO, 0, 8);
            on.awaitSuccess();
            return null;
        });
        assertThat(network.simulation().now()).isGreaterThan(healed);
        assertThat(network.faults().count(Faults.Kind.LOST)).isPositive();
    }

    // Goal: if a link is cut while the answer is under way, the operation has failed for the caller, yet it
    // took effect.
    @Test
    void shouldLeaveItOpenWhetherAFailedOperationTookEffect() throws Exception {
        cluster(options(), 1, 1);
        cluster.handle(1, ECHO + 1, worker -> request -> {
            network.cut(0, 1);
            echo(request);
        });
        cluster.start();
        cluster.run(0, 0, on -> {
            on.endpoint.batch(1).fetchAdd(at(1, 0), 1, on.local(16)).post(on.completion);
            on.call(1, ECHO + 1, 0, 8);
            assertThat(on.awaitFailure()).isEqualTo(1);
            return null;
        });
        assertThat(cluster.data(1).getLong(0)).isEqualTo(1);
    }

    // Goal: a batch that meets a cut link has taken effect from its beginning up to some place, which may be within a
    // WRITE.
    @Test
    void shouldCutOffABatchInTheMiddle() throws Exception {
        int words = 32;
        cluster(options().withFaults(FaultPlan.NONE.withCutOffs(1)), 1, 1);
        cluster.start();
        network.cut(0, 1);
        Set<Integer> written = new HashSet<>();
        for (int round = 1; round <= 40; round++) {
            long value = round;
            cluster.run(0, 0, on -> {
                for (int i = 0; i < words; i++) {
                    on.put(8L * i, value);
                }
                on.endpoint
                        .batch(1)
                        .writeWord(value, at(1, 0))
                        .write(on.local(0), words * WORD, at(1, 64))
                        .writeWord(value, at(1, 8))
                        .post(on.completion);
                assertThat(on.awaitFailure()).isEqualTo(1);
                return null;
            });
            int count = 0;
            for (int i = 0; i < words; i++) {
                count += cluster.data(1).getLong(64 + 8L * i) == value ? 1 : 0;
            }
            written.add(count);
            assertThat(cluster.data(1).getLong(0)).as("the first word").isEqualTo(value);
            assertThat(cluster.data(1).getLong(8)).as("the last word").isZero();
        }
        assertThat(written)
                .as("words written before the cut")
                .contains(0, words)
                .hasSizeGreaterThan(2);
        assertThat(network.faults().count(Faults.Kind.CUT_OFF)).isEqualTo(40);
    }

    @Test
    void shouldCarryOutTheRestOfABatchWhenTheLinkIsHealed() throws Exception {
        cluster(options().withFaults(FaultPlan.NONE.withCutOffs(1)), 1, 1);
        cluster.start();
        network.cut(0, 1);
        long cutOff = network.options().costs().detectNanos() / 4;
        network.simulation().at(cutOff, () -> {
            assertThat(cluster.data(1).getLong(0)).isEqualTo(1);
            assertThat(cluster.data(1).getLong(8)).isZero();
            network.heal(0, 1);
        });
        cluster.run(0, 0, on -> {
            on.endpoint
                    .batch(1)
                    .fetchAdd(at(1, 0), 1, on.local(0))
                    .fetchAdd(at(1, 8), 1, on.local(8))
                    .post(on.completion);
            on.awaitSuccess();
            return null;
        });
        assertThat(cluster.data(1).getLong(0)).isEqualTo(1);
        assertThat(cluster.data(1).getLong(8)).isEqualTo(1);
    }

    // Goal: a late call is served after the caller has seen its failure, but not after a later call of its endpoint.
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldServeALateCallAfterItsFailureAndBeforeALaterCall(boolean callsAgain) throws Exception {
        cluster(options().withFaults(FaultPlan.NONE.withLateCalls(1, 1_000_000)), 1, 1);
        List<Long> served = new ArrayList<>();
        cluster.handle(1, ECHO + 1, worker -> request -> {
            served.add(request.payload().getLong(request.payloadOffset()));
            echo(request);
        });
        cluster.start();
        cluster.run(0, 0, on -> {
            for (int i = 0; i < 10; i++) {
                on.put(0, i);
                on.call(1, ECHO + 1, 0, WORD);
                assertThat(on.awaitFailure()).isEqualTo(1);
                assertThat(served).doesNotContain((long) i);
                if (!callsAgain) {
                    on.coroutine.sleep(2_000_000);
                    assertThat(served).contains((long) i);
                }
            }
            on.coroutine.sleep(2_000_000);
            return null;
        });
        assertThat(served).containsExactly(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L);
        assertThat(network.faults().count(Faults.Kind.LATE_CALL)).isEqualTo(10);
    }

    @Test
    void shouldStopTheCoroutinesOfAStoppedNodeAndFailRequestsToIt() throws Exception {
        cluster(options(), 1, 1);
        cluster.start();
        long[] beats = new long[1];
        CompletableFuture<Void> beating = cluster.start(1, 0, on -> {
            while (true) {
                beats[0]++;
                on.coroutine.sleep(1_000);
            }
        });
        cluster.run(0, 0, on -> {
            on.coroutine.sleep(100_000);
            return null;
        });
        long before = beats[0];
        assertThat(before).isPositive();
        cluster.stop(1);
        cluster.run(0, 0, on -> {
            on.endpoint.batch(1).writeWord(6, at(1, 0)).post(on.completion);
            assertThat(on.awaitFailure()).isEqualTo(1);
            return null;
        });
        assertThat(beats[0]).isEqualTo(before);
        assertThat(beating).isNotDone();
    }

    @Test
    void shouldRestartANodeWithEmptyMemory() throws Exception {
        cluster(options(), 1, 1);
        cluster.start();
        cluster.run(0, 0, on -> {
            on.endpoint.batch(1).writeWord(6, at(1, 0)).post(on.completion);
            on.awaitSuccess();
            return null;
        });
        cluster.stop(1);
        var again = network.attach(1);
        var data = again.register(FabricCluster.DATA_REGION, FabricCluster.DATA_BYTES);
        var worker = network.newWorker(1, 0);
        again.open(worker, again.register(16, 4096)).handle(ECHO, SimNetworkTest::echo);
        again.start();
        worker.start();
        cluster.run(0, 0, on -> {
            assertThat(on.read(at(1, 0))).isZero();
            on.put(0, 3);
            on.call(1, ECHO, 0, 8);
            on.awaitSuccess();
            assertThat(on.get(8)).isEqualTo(~3L);
            return null;
        });
        assertThat(data.memory().getLong(0)).isZero();
        assertThat(network.faults().count(Faults.Kind.RESTART)).isEqualTo(1);
    }

    // ---- clocks ----------------------------------------------------------------------------------------------------

    @Test
    void shouldSkewTheClocksOfNodesButNotThoseOfOneNode() throws Exception {
        cluster(options().withFaults(FaultPlan.NONE.withClocks(1_000_000, 100, 0)), 2, 2);
        cluster.start();
        List<Long> skews = new ArrayList<>();
        for (int node = 0; node < 2; node++) {
            for (int worker = 0; worker < 2; worker++) {
                skews.add(cluster.run(
                        node,
                        worker,
                        on -> on.coroutine.worker().wallNanos()
                                - SimNetwork.epochNanos()
                                - network.simulation().now()));
            }
        }
        assertThat(Math.abs(skews.get(0) - skews.get(2))).isGreaterThan(1_000);
        assertThat(Math.abs(skews.get(0) - skews.get(1))).isLessThan(1_000);
        assertThat(skews).allMatch(skew -> Math.abs(skew) <= 1_001_000);
    }

    @Test
    void shouldConvertAClockReadingToVirtualTime() {
        SimClock clock = new SimClock(123_456_789_012L, -37, 5);
        for (long virtual = 0; virtual < 10_000_000_000L; virtual += 123_456_789) {
            long shown = clock.nanoTime(virtual);
            assertThat(clock.nanoTime(clock.virtualNanos(shown))).isGreaterThanOrEqualTo(shown);
            assertThat(clock.virtualNanos(shown)).isBetween(virtual - 1, virtual);
        }
    }

    // ---- time ------------------------------------------------------------------------------------------------------

    @ParameterizedTest
    @ValueSource(ints = {8, 64, 1024})
    void shouldReadInTheTimeThatTheProfileSpecifies(int bytes) throws Exception {
        for (String profile : CostModel.PROFILES) {
            cluster(SimOptions.of(profile), 1, 1);
            cluster.start();
            CostModel costs = network.options().costs();
            for (int i = 0; i < 10; i++) {
                long nanos = cluster.run(0, 0, on -> {
                    long start = on.coroutine.worker().nanoTime();
                    // Reads aligned lines of the data region, so that the number of pieces is exact.
                    on.endpoint.batch(1).read(at(1, 0), bytes, on.local(0)).post(on.completion);
                    on.awaitSuccess();
                    return on.coroutine.worker().nanoTime() - start;
                });
                long remote =
                        costs.link().dataCentres() == 1 ? 0 : 2 * costs.link().interDataCentreNanos();
                long exact = costs.readNanos(bytes) + costs.cpu().switchNanos() + remote;
                assertThat(nanos)
                        .as(profile)
                        .isBetween(exact, exact + 2 * costs.link().jitterNanosMax());
            }
            cluster.close();
        }
        cluster = null;
    }

    // Goal: a worker reaches its own node without NIC and link exactly if the costs configure that, by
    // batches and by calls.
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldReachTheOwnNodeWithoutTheNicOnlyIfConfigured(boolean reaches) throws Exception {
        Map<String, String> changes = Map.of("cpuReachesOwnNode", Boolean.toString(reaches), "cpuMemoryNanos", "70");
        CostModel costs = CostModel.profile("connectx4-edr", changes);
        cluster(options().withCosts(costs), 1, 1);
        cluster.start();
        long throughNic = 2 * costs.link().loopbackNanos();
        long called = cluster.run(0, 0, on -> {
            long start = on.coroutine.worker().nanoTime();
            on.endpoint.call(0, ECHO, on.local(0), WORD, on.local(WORD), WORD, on.completion);
            on.awaitSuccess();
            return on.coroutine.worker().nanoTime() - start;
        });
        if (reaches) {
            assertThat(readNanos(0, 0)).isEqualTo(70 + costs.cpu().switchNanos());
            assertThat(called).isLessThan(throughNic + costs.cpu().handlerNanos());
        } else {
            assertThat(readNanos(0, 0)).isGreaterThan(throughNic);
            assertThat(called).isGreaterThan(throughNic + costs.cpu().handlerNanos());
        }
        assertThat(readNanos(0, 1)).isGreaterThan(2 * costs.link().oneWayNanos());
    }

    @Test
    void shouldCompleteRequestsToTheOwnNodeAtOnceIfTheyLoopBack() throws Exception {
        cluster(options().withLoopback(), 1, 1);
        cluster.start();
        cluster.run(0, 0, on -> {
            assertThat(on.endpoint.completesAtOnce(0)).isTrue();
            assertThat(on.endpoint.completesAtOnce(1)).isFalse();
            on.endpoint.batch(0).fetchAdd(at(0, 0), 1, on.local(0)).post(on.completion);
            assertThat(on.completion.outstanding()).isZero();
            on.awaitSuccess();
            on.call(0, ECHO, 0, WORD);
            assertThat(on.completion.outstanding()).isZero();
            on.awaitSuccess();
            return null;
        });
        assertThat(cluster.data(0).getLong(0)).isEqualTo(1);
    }

    // Goal: events that come before a coroutine's own time have happened when its request loops back.
    @Test
    void shouldLoopBackAtTheTimeThatTheWorkerHasReached() throws Exception {
        cluster(options().withLoopback(), 1, 1);
        cluster.start();
        long found = cluster.run(0, 0, on -> {
            SimWorker worker = (SimWorker) on.coroutine.worker();
            network.simulation()
                    .at(worker.localNanos() + 300, () -> cluster.data(0).putLong(0, 7));
            worker.charge(500);
            on.endpoint.batch(0).read(at(0, 0), WORD, on.local(0)).post(on.completion);
            on.awaitSuccess();
            return on.get(0);
        });
        assertThat(found).isEqualTo(7);
    }

    @Test
    void shouldRefuseToLoopBackWhereItCannot() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> options().withAtomicity(Atomicity.DEVICE).withLoopback())
                .withMessageContainingAll("GLOBAL", "DEVICE");
        CostModel direct = CostModel.profile("connectx4-edr", Map.of("cpuReachesOwnNode", "true"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> options().withCosts(direct).withLoopback())
                .withMessageContaining("cpuReachesOwnNode");
    }

    @Test
    void shouldRefuseToReachTheOwnNodeByItselfWhereANicsAtomicsAreNoOthers() {
        SimOptions options = options()
                .withCosts(CostModel.profile("connectx4-edr", Map.of("cpuReachesOwnNode", "true")))
                .withAtomicity(Atomicity.DEVICE);
        assertThatThrownBy(() -> new SimNetwork(2, options, SEED))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("cpuReachesOwnNode", "false", "DEVICE");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "nicSendNano       | 1   | profile roce25 has no cost nicSendNano; it has bytesPerNano",
                "nicSendNanos      | -1  | nicSendNanos: got -1, allowed: 0 or more",
                "nicSendNanos      | 1.5 | nicSendNanos: got '1.5', allowed: a whole number",
                "cpuSwitchNanos    | 0   | cpuSwitchNanos: got 0, allowed: 1 or more",
                "bytesPerNano      | NaN | bytesPerNano: got NaN, allowed: more than 0",
                "cpuReachesOwnNode | yes | cpuReachesOwnNode: got 'yes', allowed: true or false",
            })
    void shouldNameACostThatCannotBe(String key, String value, String message) {
        assertThatThrownBy(() -> CostModel.profile("roce25", Map.of(key, value)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(message);
    }

    @Test
    void shouldDescribeTheCostsThatDifferFromTheProfile() {
        assertThat(CostModel.profile("roce25").describe()).isEqualTo("roce25");
        assertThat(CostModel.profile("roce25", Map.of("qpReadsMax", "8", "cpuPostNanos", "90"))
                        .describe())
                .isEqualTo("roce25 with cpuPostNanos=90, qpReadsMax=8");
    }

    private long readNanos(int from, int to) throws Exception {
        return cluster.run(from, 0, on -> {
            long start = on.coroutine.worker().nanoTime();
            on.endpoint.batch(to).read(at(to, 0), WORD, on.local(0)).post(on.completion);
            on.awaitSuccess();
            return on.coroutine.worker().nanoTime() - start;
        });
    }

    // Goal: nodes are in their configured zones, whatever their numbers; a profile's blocks apply only
    // without configured zones.
    @Test
    void shouldBeFarBetweenTheZonesThatWereConfigured() throws Exception {
        cluster(Zones.of(List.of("a", "b", "a", "b")), SimOptions.of("wan-40ms"), 1, 1, 1, 1);
        cluster.start();
        long far = 2 * network.options().costs().link().interDataCentreNanos();
        assertThat(readNanos(0, 2)).isLessThan(far);
        assertThat(readNanos(1, 3)).isLessThan(far);
        assertThat(readNanos(0, 1)).isGreaterThan(far);
        assertThat(readNanos(2, 3)).isGreaterThan(far);
    }

    @Test
    void shouldTakeLongerOnALinkThatIsLonger() throws Exception {
        Distances.Builder distances = new Distances.Builder(3);
        distances.set(0, 1, 1_000_000, 0);
        distances.set(1, 0, 20_000_000, 4_000_000);
        cluster(options().withDistances(distances.build()), 1, 1, 1);
        cluster.start();
        long near = readNanos(0, 2);
        assertThat(near).isLessThan(1_000_000);
        Set<Long> there = new HashSet<>();
        for (int i = 0; i < 10; i++) {
            long nanos = readNanos(0, 1);
            assertThat(nanos).isBetween(21_000_000L, 25_000_000 + 2 * near);
            there.add(nanos / 10_000);
        }
        assertThat(there).as("jitter is drawn for each message").hasSizeGreaterThan(5);
    }

    @Test
    void shouldCutAllLinksBetweenTwoZonesAndNoOthers() {
        cluster(Zones.of(List.of("a", "b", "a", "c")), options(), 1, 1, 1, 1);
        cluster.start();
        network.split(0, 1);
        assertThat(isCut(0, 1)).isTrue();
        assertThat(isCut(1, 2)).isTrue();
        assertThat(isCut(0, 2)).isFalse();
        assertThat(isCut(0, 3)).isFalse();
        assertThat(isCut(3, 1)).isFalse();
        network.join(0, 1);
        assertThat(isCut(2, 1)).isFalse();
        network.splitOneWay(0, 1);
        assertThat(isCut(2, 1)).isTrue();
        assertThat(isCut(1, 2)).isFalse();
        network.joinOneWay(0, 1);
        assertThat(isCut(2, 1)).isFalse();
        assertThat(network.faults().count(Faults.Kind.SPLIT)).isOne();
        assertThat(network.faults().count(Faults.Kind.ONE_WAY_SPLIT)).isOne();
    }

    private boolean isCut(int from, int to) {
        return !network.getsThrough(from, to);
    }

    @Test
    void shouldCarryOutNoMoreAtomicsOnAWordThanTheNicsRate() throws Exception {
        cluster(options(), 4, 4, 4);
        cluster.start();
        int each = 500;
        List<CompletableFuture<Void>> ends = new ArrayList<>();
        for (int node = 1; node < 3; node++) {
            for (int worker = 0; worker < 4; worker++) {
                for (int coroutine = 0; coroutine < 10; coroutine++) {
                    ends.add(cluster.start(node, worker, on -> {
                        for (int i = 0; i < each; i++) {
                            on.endpoint
                                    .batch(0)
                                    .fetchAdd(at(0, 0), 1, on.local(0))
                                    .post(on.completion);
                            on.awaitSuccess();
                        }
                        return null;
                    }));
                }
            }
        }
        for (CompletableFuture<Void> end : ends) {
            cluster.join(end);
        }
        long atomics = (long) each * ends.size();
        double nanosEach = (double) network.simulation().now() / atomics;
        double least = network.options().costs().nic().wordNanos();
        assertThat(nanosEach).isBetween(least, 1.1 * least); // including the run's beginning and end
    }

    @Test
    void shouldOccupyOnlyTheWorkerOfAComputingCoroutine() throws Exception {
        cluster(options(), 2);
        cluster.start();
        List<String> course = new ArrayList<>();
        CompletableFuture<Void> computing = cluster.start(0, 0, on -> {
            course.add("computes");
            on.coroutine.worker().compute(50_000);
            course.add("has computed");
            return null;
        });
        CompletableFuture<Void> same = cluster.start(0, 0, on -> {
            course.add("same worker");
            return null;
        });
        CompletableFuture<Void> other = cluster.start(0, 1, on -> {
            on.coroutine.sleep(10_000);
            course.add("other worker");
            return null;
        });
        cluster.join(computing);
        cluster.join(same);
        cluster.join(other);
        assertThat(course).containsExactly("computes", "other worker", "has computed", "same worker");
        assertThat(network.simulation().now()).isGreaterThanOrEqualTo(50_000);
    }

    @Test
    void shouldFetchQueuePairsOnlyWhenThereAreMoreThanTheNicKeeps() {
        CostModel costs = CostModel.profile("connectx4-edr");
        assertThat(costs.nic().qpNanos(costs.nic().qpCacheEntries())).isZero();
        assertThat(costs.nic().qpNanos(2 * costs.nic().qpCacheEntries()))
                .isEqualTo(costs.nic().qpMissNanos() / 2);
    }

    @Test
    void shouldNameTheProfilesThereAre() {
        assertThatThrownBy(() -> CostModel.profile("infiniband"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("infiniband", "connectx4-edr", "wan-40ms");
    }

    // ---- driving ---------------------------------------------------------------------------------------------------

    @Test
    void shouldDetectAtOnceThatNoEventIsLeft() throws Exception {
        cluster(options(), 1, 1);
        cluster.handle(1, ECHO + 1, worker -> request -> {});
        cluster.start();
        CompletableFuture<Void> hangs = cluster.start(0, 0, on -> {
            on.call(1, ECHO + 1, 0, 8);
            on.awaitSuccess();
            return null;
        });
        assertThatThrownBy(() -> cluster.join(hangs)).isInstanceOf(AssertionError.class);
        assertThat(network.simulation().isOver()).isTrue();
    }

    // Goal: a lock that a thread outside of the simulation holds for a moment, such as another simulation's
    // hold of a logger's lock, changes neither the events nor their times.
    // Method: a coroutine waits for a lock until the outside thread notices. Another node's coroutine would
    // run meanwhile.
    @Test
    void shouldLetNothingHappenWhileACoroutineWaitsForALock() throws Exception {
        cluster(options(), 1, 1);
        cluster.start();
        ReentrantLock lock = new ReentrantLock();
        CountDownLatch locked = new CountDownLatch(1);
        Thread outside = Thread.ofPlatform().start(() -> {
            lock.lock();
            try {
                locked.countDown();
                while (!lock.hasQueuedThreads()) {
                    Thread.onSpinWait();
                }
                LockSupport.parkNanos(20_000_000); // time for other coroutines to run by mistake
            } finally {
                lock.unlock();
            }
        });
        locked.await();
        List<String> order = new ArrayList<>();
        CompletableFuture<Void> other = cluster.start(1, 0, on -> {
            on.coroutine.sleep(10_000);
            order.add("the other");
            return null;
        });
        cluster.run(0, 0, on -> {
            on.coroutine.sleep(1_000);
            lock.lock();
            try {
                order.add("the one with the lock");
            } finally {
                lock.unlock();
            }
            return null;
        });
        cluster.join(other);
        outside.join();
        assertThat(order).containsExactly("the one with the lock", "the other");
    }

    @Test
    void shouldRefuseToBeDrivenByItsOwnCoroutines() throws Exception {
        cluster(options(), 1);
        cluster.start();
        cluster.run(0, 0, on -> {
            assertThatThrownBy(() -> network.simulation().run(Long.MAX_VALUE, () -> true))
                    .isInstanceOf(IllegalStateException.class);
            return null;
        });
    }

    private static void echo(RpcRequest request) {
        request.response().putLong(request.responseOffset(), ~request.payload().getLong(request.payloadOffset()));
        request.reply(WORD);
    }
}
