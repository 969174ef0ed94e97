package dev.rcc.transport;

import static dev.rcc.transport.FabricCluster.DATA_REGION;
import static dev.rcc.transport.FabricCluster.UNKNOWN_REGION;
import static dev.rcc.transport.FabricCluster.at;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.rcc.core.fabric.Atomicity;
import dev.rcc.core.fabric.Batch;
import dev.rcc.core.fabric.Endpoint;
import dev.rcc.core.fabric.Fabric;
import dev.rcc.core.fabric.FabricCounter;
import dev.rcc.core.fabric.RpcRequest;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.Region;
import dev.rcc.core.memory.RemoteAddress;
import dev.rcc.core.testing.BuildDraw;
import dev.rcc.core.worker.Completion;
import dev.rcc.transport.FabricCluster.Fencing;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The promises of every {@link dev.rcc.core.fabric.Fabric}. A network subclasses it with only {@link #network}. The tests look for races over many
 * rounds, with real threads if the network has them. Nothing here is random, so there is no seed.
 */
public abstract class FabricContract {
    private static final int WORD = Memory.WORD_BYTES;
    private static final int ECHO = 1;
    private static final int OTHER = 2;

    /** Settings of networks other than the usual ones. For each test, a build runs one setting of each group. */
    private static final List<List<String>> SETTINGS = List.of(
            List.of("io_uring", "nio", "tls"),
            List.of("tiny rings", "tiny inboxes", "one zone", "own node", "device atomics"));

    private final ExpectedLog log = new ExpectedLog("dev.rcc.transport");
    private FabricCluster cluster;

    /** Makes a network of the kind under test. */
    protected abstract FabricCluster.Network network(int nodes) throws Exception;

    /** The number of rounds in which a test looks for races; lower where a round takes long. */
    protected int rounds() {
        return 10_000;
    }

    /** The setting of the class, if it is not the usual one; empty for the usual one, all of whose tests run in each build. */
    protected String setting() {
        return "";
    }

    @BeforeEach
    void assumeSettingDrawn(TestInfo test) {
        SETTINGS.stream()
                .filter(group -> group.contains(setting()))
                .forEach(group -> BuildDraw.assumeDrawn(test, setting(), group));
    }

    @AfterEach
    void closeCluster() {
        if (cluster != null) {
            cluster.close();
        }
        log.close();
    }

    /** Whether the connections between nodes 0 and 1, and their bytes, are counted, if the network counts any. */
    protected boolean countsTraffic() {
        return true;
    }

    /** A cluster with a node for each argument, which is the number of its workers; not yet started. */
    private FabricCluster cluster(int... workersOfNode) throws Exception {
        cluster = new FabricCluster(network(workersOfNode.length), workersOfNode);
        return cluster;
    }

    // One-sided operations.

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 8, 9, 16, 63, 64, 65, 1000, 1024})
    void shouldWriteAndReadBytes(int bytes) throws Exception {
        cluster(1, 1).start();
        byte[] record = pattern(bytes);
        byte[] readBack = cluster.run(0, 0, on -> {
            on.putBytes(0, record);
            on.endpoint.batch(1).write(on.local(0), bytes, at(1, 64)).post(on.completion);
            on.awaitSuccess();
            on.endpoint.batch(1).read(at(1, 64), bytes, on.local(2048)).post(on.completion);
            on.awaitSuccess();
            return on.getBytes(2048, bytes);
        });
        assertThat(readBack).isEqualTo(record);
        byte[] atOwner = new byte[bytes + 2];
        cluster.data(1).getBytes(63, atOwner, 0, bytes + 2);
        assertThat(atOwner).startsWith(0).endsWith(0).containsSequence(record);
    }

    @Test
    void shouldReadAndWriteWhereNothingIsAligned() throws Exception {
        cluster(1, 1).start();
        byte[] record = pattern(8);
        byte[] readBack = cluster.run(0, 0, on -> {
            on.putBytes(3, record);
            on.endpoint
                    .batch(1)
                    .write(on.local(3), 8, at(1, 64))
                    .write(on.local(3), 8, at(1, 101))
                    .read(at(1, 64), 8, on.local(21))
                    .read(at(1, 101), 8, on.local(29))
                    .post(on.completion);
            on.awaitSuccess();
            return on.getBytes(21, 16);
        });
        assertThat(readBack).startsWith(record).endsWith(record);
    }

    @Test
    void shouldWriteAWordInline() throws Exception {
        cluster(1, 1).start();
        cluster.run(0, 0, on -> {
            on.endpoint
                    .batch(1)
                    .writeWord(-5, at(1, 8))
                    .writeWord(Long.MIN_VALUE, at(1, 24))
                    .post(on.completion);
            on.awaitSuccess();
            return null;
        });
        assertThat(words(cluster.data(1), 0, 5)).containsExactly(0, -5, 0, Long.MIN_VALUE, 0);
    }

    @Test
    void shouldSwapOnlyTheExpectedWord() throws Exception {
        cluster(1, 1);
        cluster.data(1).putLong(0, 10);
        cluster.start();
        long[] found = cluster.run(0, 0, on -> {
            on.endpoint
                    .batch(1)
                    .cas(at(1, 0), 11, 12, on.local(0))
                    .cas(at(1, 0), 10, 20, on.local(8))
                    .cas(at(1, 0), 10, 30, on.local(16))
                    .post(on.completion);
            on.awaitSuccess();
            return new long[] {on.get(0), on.get(8), on.get(16)};
        });
        assertThat(found).containsExactly(10, 10, 20);
        assertThat(cluster.data(1).getLong(0)).isEqualTo(20);
    }

    @Test
    void shouldAddAndReturnTheWordFound() throws Exception {
        cluster(1, 1);
        cluster.data(1).putLong(0, Long.MAX_VALUE);
        cluster.start();
        long[] found = cluster.run(0, 0, on -> {
            on.endpoint
                    .batch(1)
                    .fetchAdd(at(1, 0), 1, on.local(0))
                    .fetchAdd(at(1, 0), -3, on.local(8))
                    .post(on.completion);
            on.awaitSuccess();
            return new long[] {on.get(0), on.get(8)};
        });
        assertThat(found).containsExactly(Long.MAX_VALUE, Long.MIN_VALUE);
        assertThat(cluster.data(1).getLong(0)).isEqualTo(Long.MAX_VALUE - 2);
    }

    @Test
    void shouldSeeItsOwnOperationsInOrderWithinABatch() throws Exception {
        cluster(1, 1).start();
        long[] found = cluster.run(0, 0, on -> {
            on.put(0, 7);
            on.endpoint
                    .batch(1)
                    .cas(at(1, 0), 0, 5, on.local(8))
                    .read(at(1, 0), WORD, on.local(16))
                    .fetchAdd(at(1, 0), 1, on.local(24))
                    .write(on.local(0), WORD, at(1, 0))
                    .read(at(1, 0), WORD, on.local(32))
                    .writeWord(9, at(1, 0))
                    .fetchAdd(at(1, 0), 1, on.local(40))
                    .read(at(1, 0), WORD, on.local(48))
                    .post(on.completion);
            on.awaitSuccess();
            return new long[] {on.get(8), on.get(16), on.get(24), on.get(32), on.get(40), on.get(48)};
        });
        assertThat(found).containsExactly(0, 5, 5, 7, 9, 10);
    }

    @Test
    void shouldWriteTheBufferContentsAtTheTimeOfThePost() throws Exception {
        cluster(1, 1).start();
        cluster.run(0, 0, on -> {
            on.put(0, 1);
            Batch batch = on.endpoint.batch(1).write(on.local(0), WORD, at(1, 0));
            on.put(0, 2);
            batch.post(on.completion);
            on.awaitSuccess();
            return null;
        });
        assertThat(cluster.data(1).getLong(0)).isEqualTo(2);
    }

    @Test
    void shouldCarryOutBatchesAtOnceToSeveralPeersAsAnyOther() throws Exception {
        cluster(1, 1, 1).start();
        long[] found = cluster.run(0, 0, on -> {
            on.put(0, 7);
            for (int peer = 0; peer < 3; peer++) {
                on.endpoint
                        .batch(peer)
                        .write(on.local(0), WORD, at(peer, 0))
                        .writeWord(peer, at(peer, 8))
                        .fetchAdd(at(peer, 0), peer, on.local(8L + WORD * peer))
                        .postAtOnce(on.completion);
            }
            on.awaitSuccess();
            return new long[] {on.get(8), on.get(16), on.get(24)};
        });
        assertThat(found).containsExactly(7, 7, 7);
        for (int peer = 0; peer < 3; peer++) {
            assertThat(cluster.data(peer).getLong(0)).isEqualTo(7 + peer);
            assertThat(cluster.data(peer).getLong(8)).isEqualTo(peer);
        }
    }

    @Test
    void shouldCarryOutABatchOfManyRequests() throws Exception {
        int count = 400;
        cluster(1, 1).start();
        long[] found = cluster.run(0, 0, on -> {
            Batch batch = on.endpoint.batch(1);
            for (int i = 0; i < count; i++) {
                batch.fetchAdd(at(1, 0), 1, on.local((long) i * WORD));
            }
            assertThat(batch.size()).isEqualTo(count);
            assertThat(batch.peer()).isEqualTo(1);
            batch.post(on.completion);
            on.awaitSuccess();
            long[] words = new long[count];
            for (int i = 0; i < count; i++) {
                words[i] = on.get((long) i * WORD);
            }
            return words;
        });
        for (int i = 0; i < count; i++) {
            assertThat(found[i]).isEqualTo(i);
        }
    }

    @Test
    void shouldCompleteAnEmptyBatch() throws Exception {
        cluster(1, 1).start();
        boolean succeeded = cluster.run(0, 0, on -> {
            on.endpoint.batch(1).post(on.completion);
            return on.await();
        });
        assertThat(succeeded).isTrue();
    }

    @Test
    void shouldCollectBatchesToSeveralPeersWithOneAwait() throws Exception {
        cluster(1, 1, 1).start();
        long[] found = cluster.run(0, 0, on -> {
            for (int peer = 0; peer < 3; peer++) {
                for (int i = 0; i < 2; i++) {
                    on.endpoint
                            .batch(peer)
                            .fetchAdd(at(peer, 8L * i), 100 * peer + i, on.local(0))
                            .read(at(peer, 8L * i), WORD, on.local(8L * (2 * peer + i)))
                            .post(on.completion);
                }
            }
            assertThat(on.completion.outstanding()).isBetween(4, 6); // requests to this node itself may be done
            on.awaitSuccess();
            assertThat(on.completion.roundTrips()).isEqualTo(1);
            return new long[] {on.get(8), on.get(16), on.get(24), on.get(32), on.get(40)};
        });
        assertThat(found).containsExactly(1, 100, 101, 200, 201);
    }

    @Test
    void shouldFillBatchesToSeveralPeersSideBySide() throws Exception {
        cluster(1, 1, 1).start();
        cluster.run(0, 0, on -> {
            Batch one = on.endpoint.batch(1);
            Batch two = on.endpoint.batch(2);
            for (int i = 0; i < 20; i++) {
                one.writeWord(100 + i, at(1, 8L * i));
                two.writeWord(200 + i, at(2, 8L * i));
            }
            two.post(on.completion);
            one.post(on.completion);
            on.awaitSuccess();
            return null;
        });
        assertThat(words(cluster.data(1), 0, 20)).startsWith(100, 101).endsWith(118, 119);
        assertThat(words(cluster.data(2), 0, 20)).startsWith(200, 201).endsWith(218, 219);
    }

    @Test
    void shouldReachItsOwnNode() throws Exception {
        cluster(2);
        cluster.handleEverywhere(ECHO, FabricContract::echo);
        cluster.start();
        cluster.run(0, 1, on -> {
            on.put(0, 77);
            on.endpoint.batch(0).cas(at(0, 8), 0, 3, on.local(8)).post(on.completion);
            on.call(0, ECHO, 0, 16);
            on.awaitSuccess();
            assertThat(on.get(16)).isEqualTo(~77L);
            return null;
        });
        assertThat(cluster.data(0).getLong(8)).isEqualTo(3);
    }

    // Order and atomicity, under contention.

    // Goal: a record is published by a flag that is written behind it in one batch.
    // Method: the reader spins on the flag. The writer goes on only after the reader has read the round's
    // record. So every round looks into the moment between the two writes, and the expected record is known
    // exactly. READs have no order, so the record is read after the flag was seen. An atomic must not read
    // the flag: atomics need not exclude WRITEs, and Soft-RoCE's atomics write back the value that they
    // have read.
    @Test
    void shouldShowTheRecordToARemoteReaderThatSeesItsFlag() throws Exception {
        int rounds = rounds();
        int words = 40;
        long flag = 0;
        long record = 64;
        long seen = 4096;
        cluster(1, 1, 1).start();
        CompletableFuture<Void> writer = cluster.start(0, 0, on -> {
            for (long round = 1; round <= rounds; round++) {
                for (int i = 0; i < words; i++) {
                    on.put(8L * i, round);
                }
                on.endpoint
                        .batch(2)
                        .write(on.local(0), words * WORD, at(2, record))
                        .writeWord(round, at(2, flag))
                        .post(on.completion);
                on.awaitSuccess();
                on.awaitWord(at(2, seen), round);
            }
            return null;
        });
        CompletableFuture<Void> reader = cluster.start(1, 0, on -> {
            for (long round = 1, attempts = 0; round <= rounds; attempts++) {
                on.endpoint.batch(2).read(at(2, flag), WORD, on.local(0)).post(on.completion);
                on.awaitSuccess();
                if (on.get(0) < round) {
                    on.backOff((int) attempts);
                    continue;
                }
                on.endpoint
                        .batch(2)
                        .read(at(2, record), words * WORD, on.local(8))
                        .post(on.completion);
                on.awaitSuccess();
                for (int i = 0; i < words; i++) {
                    assertThat(on.get(8 + 8L * i))
                            .as("word %d of round %d", i, round)
                            .isEqualTo(round);
                }
                on.endpoint.batch(2).writeWord(round, at(2, seen)).post(on.completion);
                on.awaitSuccess();
                round++;
                attempts = 0;
            }
            return null;
        });
        joinBoth(writer, reader);
    }

    // Goal: within one cache line, a READ never finds a word older than a later word implies.
    // Method: the writer writes the later word first. So a READ that takes the words in ascending order, or
    // at once, never finds the earlier word ahead.
    @Test
    void shouldReadTheWordsOfALineAtOnceOrInAscendingOrder() throws Exception {
        int rounds = rounds();
        int words = 7;
        long line = 64;
        cluster(1, 1, 1).start();
        CompletableFuture<Void> writer = cluster.start(0, 0, on -> {
            for (long round = 1; round <= rounds; round++) {
                Batch batch = on.endpoint.batch(2);
                for (int i = words; i > 0; i--) {
                    batch.writeWord(round, at(2, line + 8L * i));
                }
                batch.post(on.completion);
                on.awaitSuccess();
            }
            return null;
        });
        CompletableFuture<Void> reader = cluster.start(1, 0, on -> {
            long last = 0;
            while (last < rounds) {
                on.endpoint
                        .batch(2)
                        .read(at(2, line + 8), 4 * words * WORD, on.local(8))
                        .post(on.completion);
                on.awaitSuccess();
                for (int i = 1; i < words; i++) {
                    assertThat(on.get(8L * i)).as("word %d", i).isLessThanOrEqualTo(on.get(8L * (i + 1)));
                }
                last = on.get(8);
            }
            return null;
        });
        joinBoth(writer, reader);
    }

    @Test
    void shouldShowTheRecordToTheOwnerThatSeesItsFlag() throws Exception {
        int rounds = rounds();
        int words = 40;
        long flag = 0;
        long record = 64;
        long seen = 4096;
        cluster(1, 1).start();
        CompletableFuture<Void> writer = cluster.start(0, 0, on -> {
            for (long round = 1; round <= rounds; round++) {
                for (int i = 0; i < words; i++) {
                    on.put(8L * i, round);
                }
                on.endpoint
                        .batch(1)
                        .write(on.local(0), words * WORD, at(1, record))
                        .writeWord(round, at(1, flag))
                        .post(on.completion);
                on.awaitSuccess();
                on.awaitWord(at(1, seen), round);
            }
            return null;
        });
        CompletableFuture<Void> owner = cluster.start(1, 0, on -> {
            Memory data = cluster.data(1);
            for (long round = 1; round <= rounds; round++) {
                for (int attempts = 0; data.getAcquire(flag) < round; attempts++) {
                    on.backOff(attempts);
                }
                for (int i = 0; i < words; i++) {
                    assertThat(data.getLong(record + 8L * i))
                            .as("word %d of round %d", i, round)
                            .isEqualTo(round);
                }
                data.putRelease(seen, round);
            }
            return null;
        });
        joinBoth(writer, owner);
    }

    // Goal: a READ does not pass a WRITE before it, in its batch or in a completed one.
    // Method: two workers each write their word and then read the other's; the later writer must see the
    // other's word. They wait for each other after every round, so that they write at nearly the same moment.
    @ParameterizedTest
    @EnumSource(Write.class)
    void shouldNotLetAReadPassAWrite(Write how) throws Exception {
        int rounds = rounds();
        cluster(1, 1, 1).start();
        CompletableFuture<long[]> first = cluster.start(0, 0, on -> writeThenRead(on, rounds, 0, 512, how));
        CompletableFuture<long[]> second = cluster.start(1, 0, on -> writeThenRead(on, rounds, 512, 0, how));
        joinBoth(first, second);
        for (int round = 1; round <= rounds; round++) {
            assertThat(Math.max(join(first)[round], join(second)[round]))
                    .as("the later of two writes in round %d", round)
                    .isGreaterThanOrEqualTo(round);
        }
    }

    /** How a WRITE is posted before a READ. */
    private enum Write {
        WITH_THE_READ,
        IN_A_BATCH,
        IN_A_BATCH_AT_ONCE
    }

    private static long[] writeThenRead(OnWorker on, int rounds, long mine, long others, Write how) {
        long[] found = new long[rounds + 1];
        for (int round = 1; round <= rounds; round++) {
            Batch batch = on.endpoint.batch(2).writeWord(round, at(2, mine));
            if (how != Write.WITH_THE_READ) {
                if (how == Write.IN_A_BATCH) {
                    batch.post(on.completion);
                } else {
                    batch.postAtOnce(on.completion);
                }
                on.awaitSuccess();
                batch = on.endpoint.batch(2);
            }
            batch.read(at(2, others), WORD, on.local(0)).post(on.completion);
            on.awaitSuccess();
            found[round] = on.get(0);
            on.awaitWord(at(2, others), round);
        }
        return found;
    }

    @Test
    void shouldLoseNoAdditionOfManyWorkers() throws Exception {
        long each = rounds() / 5;
        cluster(2, 2, 2).start();
        List<CompletableFuture<Long>> sums = onAllWorkers(on -> {
            long sum = 0;
            for (int i = 0; i < each; i++) {
                on.endpoint.batch(0).fetchAdd(at(0, 0), 1, on.local(0)).post(on.completion);
                on.awaitSuccess();
                sum += on.get(0);
            }
            return sum;
        });
        long total = each * sums.size();
        // Each addition found a different number: their sum is that of 0 to total - 1.
        assertThat(sum(sums)).isEqualTo(total * (total - 1) / 2);
        assertThat(cluster.data(0).getAcquire(0)).isEqualTo(total);
    }

    @Test
    void shouldLoseNoSwapOfManyWorkers() throws Exception {
        long each = Math.max(20, rounds() / 20);
        cluster(2, 2, 2).start();
        List<CompletableFuture<Long>> sums = onAllWorkers(on -> {
            long expected = 0;
            for (int swapped = 0; swapped < each; ) {
                on.endpoint
                        .batch(0)
                        .cas(at(0, 0), expected, expected + 1, on.local(0))
                        .post(on.completion);
                on.awaitSuccess();
                if (on.get(0) == expected) {
                    swapped++;
                    expected++;
                } else {
                    expected = on.get(0);
                }
            }
            return each;
        });
        long swaps = sum(sums);
        assertThat(cluster.data(0).getAcquire(0)).isEqualTo(swaps);
    }

    @Test
    void shouldExcludeTheOwnersAtomicsIfAtomicityIsGlobal() throws Exception {
        long each = 5_000;
        cluster(1, 1, 1);
        // JUnit's, as AssertJ's makes classes for it, which takes long in the lab.
        assumeTrue(cluster.fabric(0).atomicity() == Atomicity.GLOBAL, "its atomicity is global");
        cluster.start();
        CompletableFuture<Void> owner = cluster.start(0, 0, on -> {
            Memory data = cluster.data(0);
            for (int i = 0; i < each; i++) {
                data.getAndAdd(0, 1);
                for (long word = data.getAcquire(0); ; ) {
                    long found = data.compareAndExchange(0, word, word + 1);
                    if (found == word) {
                        break;
                    }
                    word = found;
                }
                on.coroutine.pause();
            }
            return null;
        });
        CompletableFuture<Void> adder = cluster.start(1, 0, on -> {
            for (int i = 0; i < each; i++) {
                on.endpoint.batch(0).fetchAdd(at(0, 0), 1, on.local(0)).post(on.completion);
                on.awaitSuccess();
            }
            return null;
        });
        CompletableFuture<Void> swapper = cluster.start(2, 0, on -> {
            long expected = 0;
            for (int swapped = 0; swapped < each; ) {
                on.endpoint
                        .batch(0)
                        .cas(at(0, 0), expected, expected + 1, on.local(0))
                        .post(on.completion);
                on.awaitSuccess();
                if (on.get(0) == expected) {
                    swapped++;
                }
                expected = on.get(0);
            }
            return null;
        });
        joinBoth(owner, adder);
        join(swapper);
        assertThat(cluster.data(0).getAcquire(0)).isEqualTo(4 * each);
    }

    // RPC.

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 8, 13, 1024})
    void shouldCarryRequestAndReply(int bytes) throws Exception {
        cluster(1, 1);
        AtomicReference<byte[]> asked = new AtomicReference<>();
        cluster.handle(1, ECHO, worker -> request -> {
            assertThat(request.caller()).isZero();
            assertThat(request.responseCapacity()).isEqualTo(bytes + 8);
            byte[] payload = new byte[request.payloadBytes()];
            request.payload().getBytes(request.payloadOffset(), payload, 0, payload.length);
            asked.set(payload);
            request.response().putBytes(request.responseOffset(), payload, 0, payload.length);
            request.reply(payload.length);
        });
        cluster.start();
        byte[] content = pattern(bytes);
        byte[] replied = cluster.run(0, 0, on -> {
            on.putBytes(0, content);
            on.endpoint.call(1, ECHO, on.local(0), bytes, on.local(2048), bytes + 8, on.completion);
            on.awaitSuccess();
            return on.getBytes(2048, bytes);
        });
        assertThat(asked.get()).isEqualTo(content);
        assertThat(replied).isEqualTo(content);
    }

    @Test
    void shouldCallSeveralPeersAtOnce() throws Exception {
        cluster(1, 1, 1);
        for (int node = 0; node < 3; node++) {
            int self = node;
            cluster.handle(node, ECHO, worker -> request -> answer(request, word(request) * 10 + self));
        }
        cluster.start();
        long[] replies = cluster.run(0, 0, on -> {
            for (int i = 0; i < 6; i++) {
                on.put(8L * i, i);
                on.call(i % 3, ECHO, 8L * i, 512 + 8L * i);
            }
            assertThat(on.completion.outstanding()).isBetween(4, 6); // requests to this node itself may be done
            on.awaitSuccess();
            assertThat(on.completion.roundTrips()).isEqualTo(1);
            return new long[] {on.get(512), on.get(520), on.get(528), on.get(536), on.get(544), on.get(552)};
        });
        assertThat(replies).containsExactly(0, 11, 22, 30, 41, 52);
    }

    @Test
    void shouldCallTheWorkerOfTheSameIndexModuloTheirNumber() throws Exception {
        cluster(4, 2, 1);
        for (int node = 0; node < 3; node++) {
            int self = node;
            cluster.handle(node, ECHO, worker -> request -> answer(request, 100L * self + worker));
        }
        cluster.start();
        List<Long> served = new ArrayList<>();
        for (int worker = 0; worker < 4; worker++) {
            served.addAll(cluster.run(0, worker, on -> {
                for (int peer = 0; peer < 3; peer++) {
                    on.call(peer, ECHO, 0, 8L * peer);
                }
                on.awaitSuccess();
                return List.of(on.get(0), on.get(8), on.get(16));
            }));
        }
        assertThat(served).containsExactly(0L, 100L, 200L, 1L, 101L, 200L, 2L, 100L, 200L, 3L, 101L, 200L);
    }

    @Test
    void shouldWaitForADeferredReply() throws Exception {
        List<RpcRequest> held = new ArrayList<>();
        cluster(1, 1);
        AtomicBoolean arrived = new AtomicBoolean();
        cluster.handle(1, ECHO, worker -> request -> {
            held.add(request);
            arrived.set(true);
        });
        cluster.handle(1, OTHER, worker -> request -> {
            answer(held.removeFirst(), 5);
            answer(request, 6);
        });
        cluster.start();
        cluster.run(0, 0, on -> {
            on.call(1, ECHO, 0, 8);
            Completion released = new Completion(on.coroutine);
            for (int attempts = 0; !arrived.get(); attempts++) {
                on.backOff(attempts);
            }
            assertThat(on.completion.outstanding()).isEqualTo(1);
            on.endpoint.call(1, OTHER, on.local(0), WORD, on.local(16), WORD, released);
            on.awaitSuccess();
            assertThat(released.await()).isTrue();
            assertThat(on.get(8)).isEqualTo(5);
            assertThat(on.get(16)).isEqualTo(6);
            return null;
        });
    }

    @Test
    void shouldGiveEveryCallItsOwnReplyIfRepliesAreReordered() throws Exception {
        int count = 5;
        List<RpcRequest> held = new ArrayList<>();
        cluster(1, 1);
        cluster.handle(1, ECHO, worker -> request -> {
            held.add(request);
            if (held.size() == count) {
                for (RpcRequest last : held.reversed()) {
                    echo(last);
                }
                held.clear();
            }
        });
        cluster.start();
        cluster.run(0, 0, on -> {
            for (int round = 0; round < 20; round++) {
                for (int i = 0; i < count; i++) {
                    on.put(8L * i, 10 * round + i);
                    on.call(1, ECHO, 8L * i, 512 + 8L * i);
                }
                on.awaitSuccess();
                for (int i = 0; i < count; i++) {
                    assertThat(on.get(512 + 8L * i)).isEqualTo(~(10L * round + i));
                }
            }
            return null;
        });
    }

    @Test
    void shouldFailTheCallWhoseHandlerThrowsAndNoOther() throws Exception {
        log.expect();
        cluster(1, 1);
        cluster.handle(1, ECHO, worker -> request -> {
            if (word(request) == 2) {
                throw new IllegalStateException("thrown on purpose by this test");
            }
            echo(request);
        });
        cluster.start();
        cluster.run(0, 0, on -> {
            Completion[] completions = new Completion[4];
            for (int i = 0; i < 4; i++) {
                completions[i] = new Completion(on.coroutine);
                on.put(8L * i, i);
                on.endpoint.call(1, ECHO, on.local(8L * i), WORD, on.local(512 + 8L * i), WORD, completions[i]);
            }
            for (int i = 0; i < 4; i++) {
                assertThat(completions[i].await()).as("call %d", i).isEqualTo(i != 2);
            }
            assertThat(completions[2].failedPeer()).isEqualTo(1);
            assertThat(on.get(512 + 24)).isEqualTo(~3L);
            return null;
        });
        assertThat(log.thrown()).singleElement().asString().contains("on purpose");
    }

    @Test
    void shouldFailACallWithoutHandler() throws Exception {
        log.expect();
        cluster(1, 1);
        cluster.handle(1, ECHO, worker -> FabricContract::echo);
        cluster.start();
        cluster.run(0, 0, on -> {
            on.call(1, OTHER, 0, 8);
            assertThat(on.awaitFailure()).isEqualTo(1);
            on.call(1, ECHO, 0, 8);
            on.awaitSuccess();
            return null;
        });
        assertThat(log.messages()).singleElement().asString().contains("rpc=" + OTHER);
    }

    @Test
    void shouldRefuseAReplyThatHasNoRoomAndFailItsCall() throws Exception {
        AtomicReference<Throwable> refusal = new AtomicReference<>();
        log.expect();
        cluster(1, 1);
        cluster.handle(1, ECHO, worker -> request -> {
            try {
                request.reply(request.responseCapacity() + 1);
            } catch (IllegalArgumentException e) {
                refusal.set(e);
                throw e;
            }
        });
        cluster.start();
        int failed = cluster.run(0, 0, on -> {
            on.call(1, ECHO, 0, 8);
            return on.awaitFailure();
        });
        assertThat(failed).isEqualTo(1);
        assertThat(refusal.get()).hasMessageContainingAll("8", "9");
    }

    @Test
    void shouldRefuseASecondReply() throws Exception {
        AtomicReference<Throwable> refusal = new AtomicReference<>();
        cluster(1, 1);
        cluster.handle(1, ECHO, worker -> request -> {
            echo(request);
            try {
                request.reply(WORD);
            } catch (IllegalStateException e) {
                refusal.set(e);
            }
        });
        cluster.start();
        cluster.run(0, 0, on -> {
            on.call(1, ECHO, 0, 8);
            on.awaitSuccess();
            return null;
        });
        assertThat(refusal.get()).isInstanceOf(IllegalStateException.class);
    }

    // Goal: no call or batch is lost, doubled or mixed up where chains, pools and full queues meet.
    // Method: many coroutines on more workers than cores, each with calls to all nodes and a batch
    // outstanding.
    @Test
    void shouldAnswerManyCallsOfManyCoroutines() throws Exception {
        int coroutinesOfWorker = 30;
        int rounds = Math.max(5, rounds() / 100);
        cluster(2, 2, 2);
        cluster.handleEverywhere(ECHO, FabricContract::echo);
        cluster.start();
        List<CompletableFuture<Void>> results = new ArrayList<>();
        for (int node = 0; node < 3; node++) {
            for (int worker = 0; worker < 2; worker++) {
                for (int i = 0; i < coroutinesOfWorker; i++) {
                    long tag = (node * 2L + worker) * coroutinesOfWorker + i;
                    results.add(cluster.start(node, worker, on -> {
                        for (int round = 0; round < rounds; round++) {
                            for (int peer = 0; peer < 3; peer++) {
                                on.put(8L * peer, tag << 32 | round << 4 | peer);
                                on.call(peer, ECHO, 8L * peer, 512 + 8L * peer);
                            }
                            on.endpoint
                                    .batch(round % 3)
                                    .fetchAdd(at(round % 3, 0), 1, on.local(1024))
                                    .post(on.completion);
                            on.awaitSuccess();
                            for (int peer = 0; peer < 3; peer++) {
                                assertThat(on.get(512 + 8L * peer)).isEqualTo(~(tag << 32 | round << 4 | peer));
                            }
                        }
                        return null;
                    }));
                }
            }
        }
        for (CompletableFuture<Void> result : results) {
            join(result);
        }
        long added = 0;
        for (int node = 0; node < 3; node++) {
            added += cluster.data(node).getAcquire(0);
        }
        assertThat(added).isEqualTo((long) results.size() * rounds);
    }

    // A peer that stops.

    @Test
    void shouldFailOutstandingCallsToAPeerThatStops() throws Exception {
        CompletableFuture<Void> arrived = new CompletableFuture<>();
        cluster(1, 1, 1);
        List<RpcRequest> held = new ArrayList<>();
        cluster.handle(1, ECHO, worker -> request -> {
            held.add(request);
            if (held.size() == 2) {
                arrived.complete(null);
            }
        });
        cluster.handle(2, ECHO, worker -> FabricContract::echo);
        cluster.start();
        CompletableFuture<Integer> caller = cluster.start(0, 0, on -> {
            on.put(0, 4);
            on.call(1, ECHO, 0, 8);
            on.call(2, ECHO, 0, 16);
            on.call(1, ECHO, 0, 24);
            int failed = on.awaitFailure();
            assertThat(on.get(16)).isEqualTo(~4L);
            return failed;
        });
        join(arrived);
        assertThat(caller).isNotDone();
        cluster.stop(1);
        assertThat(join(caller)).isEqualTo(1);
    }

    @Test
    void shouldFailRequestsToAPeerThatHasStopped() throws Exception {
        cluster(1, 1, 1);
        cluster.handleEverywhere(ECHO, FabricContract::echo);
        cluster.start();
        cluster.stop(1);
        cluster.run(0, 0, on -> {
            for (int round = 0; round < 3; round++) {
                on.endpoint.batch(1).fetchAdd(at(1, 0), 1, on.local(0)).post(on.completion);
                assertThat(on.awaitFailure()).isEqualTo(1);
                on.endpoint.batch(1).writeWord(1, at(1, 0)).postAtOnce(on.completion);
                assertThat(on.awaitFailure()).isEqualTo(1);
                on.call(1, ECHO, 0, 8);
                assertThat(on.awaitFailure()).isEqualTo(1);
                on.put(0, round);
                on.endpoint.batch(2).fetchAdd(at(2, 0), 1, on.local(16)).post(on.completion);
                on.call(2, ECHO, 0, 8);
                on.awaitSuccess();
                assertThat(on.get(8)).isEqualTo(~(long) round);
                assertThat(on.get(16)).isEqualTo(round);
            }
            return null;
        });
    }

    // Goal: a peer that stops under load neither hangs, doubles nor spoils any request to other nodes.
    @Test
    void shouldContinueWithTheOtherPeersWhenAPeerStopsUnderLoad() throws Exception {
        int coroutinesOfNode = 20;
        int roundsAfter = 50;
        cluster(2, 2, 2);
        cluster.handleEverywhere(ECHO, FabricContract::echo);
        cluster.start();
        CompletableFuture<Void> busy = new CompletableFuture<>();
        List<CompletableFuture<Void>> results = new ArrayList<>();
        for (int i = 0; i < 2 * coroutinesOfNode; i++) {
            int node = i % 2 * 2;
            int other = 2 - node;
            int tag = i;
            results.add(cluster.start(node, i / 2 % 2, on -> {
                Completion toStopped = new Completion(on.coroutine);
                int after = 0;
                for (int round = 0; after < roundsAfter; round++) {
                    on.put(0, round * 1000L + tag);
                    on.put(8, -round * 1000L - tag);
                    on.endpoint.call(1, ECHO, on.local(0), WORD, on.local(512), WORD, toStopped);
                    on.call(other, ECHO, 8, 520);
                    on.endpoint.batch(1).fetchAdd(at(1, 0), 1, on.local(1024)).post(toStopped);
                    on.endpoint
                            .batch(other)
                            .fetchAdd(at(other, 0), 1, on.local(1032))
                            .post(on.completion);
                    on.awaitSuccess();
                    assertThat(on.get(520)).isEqualTo(~(-round * 1000L - tag));
                    if (toStopped.await()) {
                        assertThat(after).as("successes after a failure").isZero();
                        assertThat(on.get(512)).isEqualTo(~(round * 1000L + tag));
                    } else {
                        assertThat(toStopped.failedPeer()).isEqualTo(1);
                        after++;
                    }
                    if (round == 100) {
                        busy.complete(null);
                    }
                }
                return null;
            }));
        }
        // Node 1 is a caller, too: its outstanding requests must not disturb the other nodes when it dies.
        List<CompletableFuture<Void>> doomed = new ArrayList<>();
        for (int i = 0; i < coroutinesOfNode; i++) {
            doomed.add(cluster.start(1, i % 2, on -> {
                while (true) {
                    on.call(0, ECHO, 0, 8);
                    on.call(2, ECHO, 0, 16);
                    on.awaitSuccess();
                }
            }));
        }
        join(busy);
        cluster.stop(1);
        for (CompletableFuture<Void> result : results) {
            join(result);
        }
        assertThat(doomed).noneMatch(CompletableFuture::isDone);
    }

    // A peer that is cut off.

    // Goal: a peer that is cut off stays out in every incarnation except the one that is admitted.
    @Test
    void shouldKeepACutOffPeerOutUntilItsNewIncarnationIsAdmitted() throws Exception {
        cluster(1, 1, 1);
        cluster.handleEverywhere(ECHO, FabricContract::echo);
        cluster.start();
        Fabric fabric = cluster.fabric(0);
        if (cluster.fencing() == Fencing.NONE) {
            assertThatThrownBy(() -> fabric.fence(1)).isInstanceOf(UnsupportedOperationException.class);
            return;
        }
        assertThat(addsAndCalls(1, 0)).isTrue();
        long lost = cluster.fabric(1).incarnation();
        cluster.stop(1);
        fabric.fence(1);
        fabric.fence(1);
        cluster.restart(1);
        long next = cluster.fabric(1).incarnation();
        assertThat(next).isGreaterThan(lost);
        cluster.awaitReachable(1, 2);
        for (long notThisOne : new long[] {0, next + 1}) {
            if (notThisOne > 0) {
                fabric.admit(1, notThisOne);
            }
            cluster.run(1, 0, on -> {
                for (int round = 0; round < 20; round++) {
                    assertThat(addsAndCalls(on, 2)).isTrue();
                    assertThat(addsAndCalls(on, 0)).isFalse();
                    on.coroutine.sleep(1_000_000);
                }
                return null;
            });
            assertThat(fabric.isReachable(1)).isFalse();
            assertThat(addsAndCalls(0, 1)).isFalse();
        }
        assertThat(cluster.data(0).getAcquire(0)).isEqualTo(1);
        assertThat(cluster.data(1).getAcquire(0)).isZero();

        fabric.admit(1, next);
        cluster.awaitReachable(0, 1);
        assertThat(addsAndCalls(1, 0)).isTrue();
        assertThat(addsAndCalls(0, 1)).isTrue();
        assertThat(cluster.data(0).getAcquire(0)).isEqualTo(2);
    }

    private boolean addsAndCalls(int node, int peer) throws Exception {
        return cluster.run(node, 0, on -> addsAndCalls(on, peer));
    }

    private static boolean addsAndCalls(OnWorker on, int peer) {
        on.put(0, 77);
        on.put(8, 0);
        on.endpoint.batch(peer).fetchAdd(at(peer, 0), 1, on.local(16)).post(on.completion);
        on.call(peer, ECHO, 0, 8);
        boolean succeeded = on.await();
        assertThat(succeeded || on.completion.failedPeer() == peer).isTrue();
        assertThat(on.get(8)).isEqualTo(succeeded ? ~77 : 0);
        return succeeded;
    }

    // Goal: once a live peer is cut off, none of its outstanding requests takes effect.
    // Method: the peer adds to a word, in long batches and by calls, as fast as it can, when it is cut off;
    // then it tries again.
    @Test
    void shouldLetNothingOfAPeerTakeEffectOnceItIsCutOff() throws Exception {
        cluster(1, 1, 1);
        AtomicLong calls = new AtomicLong();
        cluster.handle(0, ECHO, worker -> request -> {
            calls.incrementAndGet();
            echo(request);
        });
        cluster.handle(1, ECHO, worker -> FabricContract::echo);
        cluster.handle(2, ECHO, worker -> FabricContract::echo);
        cluster.start();
        Fabric fabric = cluster.fabric(0);
        if (cluster.fencing() != Fencing.ANY) {
            assertThatThrownBy(() -> fabric.fence(1))
                    .isInstanceOfAny(UnsupportedOperationException.class, IllegalStateException.class)
                    .hasMessageContaining("node 1");
            return;
        }
        List<CompletableFuture<Void>> zombies = new ArrayList<>();
        for (int coroutine = 0; coroutine < 8; coroutine++) {
            zombies.add(cluster.start(1, 0, on -> {
                while (addsManyTimesAndCalls(on)) {
                    // until it is cut off
                }
                for (int round = 0; round < 10; round++) {
                    assertThat(addsAndCalls(on, 0)).isFalse();
                    assertThat(addsAndCalls(on, 2)).isTrue();
                    on.coroutine.sleep(1_000_000);
                }
                return null;
            }));
        }
        cluster.run(0, 0, on -> {
            for (int attempts = 0; cluster.data(0).getAcquire(0) < 6L * rounds(); attempts++) {
                on.backOff(attempts);
            }
            return null;
        });
        fabric.fence(1);
        long added = cluster.data(0).getAcquire(0);
        assertThat(fabric.isReachable(1)).isFalse();
        long served = cluster.run(0, 0, on -> calls.get()); // calls that were running have ended
        assertThat(addsAndCalls(0, 1)).isFalse();
        for (CompletableFuture<Void> zombie : zombies) {
            join(zombie);
        }
        assertThat(cluster.data(0).getAcquire(0)).isEqualTo(added);
        assertThat(calls).hasValue(served);
        assertThat(addsAndCalls(0, 2)).isTrue();
    }

    private static boolean addsManyTimesAndCalls(OnWorker on) {
        Batch batch = on.endpoint.batch(0);
        for (int i = 0; i < 4000; i++) { // long enough to be under way when the peer is cut off
            batch.fetchAdd(at(0, 0), 1, on.local(16));
        }
        batch.post(on.completion);
        on.call(0, ECHO, 0, 8);
        return on.await();
    }

    // Goal: a node that has admitted an incarnation of a peer does not communicate with a later one, even if
    // the peer was never cut off. Requests to the one must not reach the memory of the other.
    @Test
    void shouldKeepALaterIncarnationOutOnceAnEarlierOneIsAdmitted() throws Exception {
        cluster(1, 1, 1);
        cluster.handleEverywhere(ECHO, FabricContract::echo);
        cluster.start();
        if (cluster.fencing() == Fencing.NONE) {
            return;
        }
        Fabric fabric = cluster.fabric(0);
        fabric.admit(1, cluster.fabric(1).incarnation());
        assertThat(fabric.isReachable(1)).isTrue();
        assertThat(addsAndCalls(0, 1)).isTrue();
        assertThat(addsAndCalls(1, 0)).isTrue();

        cluster.stop(1);
        cluster.restart(1);
        cluster.awaitReachable(1, 2);
        for (int round = 0; round < 20; round++) {
            assertThat(addsAndCalls(0, 1)).isFalse();
            assertThat(addsAndCalls(1, 0)).isFalse();
            assertThat(addsAndCalls(1, 2)).isTrue();
        }
        assertThat(cluster.data(1).getAcquire(0)).isZero();
        assertThat(cluster.data(0).getAcquire(0)).isEqualTo(1);

        fabric.admit(1, cluster.fabric(1).incarnation());
        cluster.awaitReachable(0, 1);
        assertThat(addsAndCalls(0, 1)).isTrue();
        assertThat(addsAndCalls(1, 0)).isTrue();
    }

    // Goal: admitting an incarnation of a peer other than the connected one ends the connection.
    @Test
    void shouldDropAConnectedIncarnationWhenAnotherIsAdmitted() throws Exception {
        cluster(1, 1).start();
        if (cluster.fencing() == Fencing.NONE) {
            return;
        }
        Fabric fabric = cluster.fabric(0);
        long there = cluster.fabric(1).incarnation();
        fabric.admit(1, there + 1);
        assertThat(fabric.isReachable(1)).isFalse();
        fabric.admit(1, there);
        cluster.awaitReachable(0, 1);
    }

    @Test
    void shouldRefuseToCutOffOrAdmitANodeThatIsNoPeer() throws Exception {
        cluster(1, 1).start();
        if (cluster.fencing() == Fencing.NONE) {
            return;
        }
        Fabric fabric = cluster.fabric(0);
        for (int noPeer : new int[] {0, -1, 2}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> fabric.fence(noPeer))
                    .withMessageContaining("" + noPeer);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> fabric.admit(noPeer, 1))
                    .withMessageContaining("" + noPeer);
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> fabric.admit(1, 0))
                .withMessageContaining("0");
        assertThat(fabric.isReachable(1)).isTrue();
    }

    // Counters.

    @Test
    void shouldCountPostedRequestsAndServedCalls() throws Exception {
        cluster(1, 1);
        cluster.handleEverywhere(ECHO, FabricContract::echo);
        cluster.start();
        Map<FabricCounter, Long> before = cluster.fabric(0).counters();
        for (int peer : new int[] {1, 0}) {
            cluster.run(0, 0, on -> {
                on.endpoint
                        .batch(peer)
                        .read(at(peer, 0), WORD, on.local(64))
                        .write(on.local(64), 24, at(peer, 64))
                        .writeWord(7, at(peer, 8))
                        .cas(at(peer, 16), 0, 1, on.local(128))
                        .fetchAdd(at(peer, 16), 1, on.local(136))
                        .read(at(peer, 8), WORD, on.local(72))
                        .post(on.completion);
                on.call(peer, ECHO, 0, 8);
                on.call(peer, ECHO, 0, 16);
                on.call(peer, ECHO, 0, 24);
                on.awaitSuccess();
                return null;
            });
        }
        Map<FabricCounter, Long> after = cluster.fabric(0).counters();
        assertThat(difference(before, after))
                .containsEntry(FabricCounter.BATCHES, 2L)
                .containsEntry(FabricCounter.READS, 4L)
                .containsEntry(FabricCounter.WRITES, 2L)
                .containsEntry(FabricCounter.WORD_WRITES, 2L)
                .containsEntry(FabricCounter.SWAPS, 2L)
                .containsEntry(FabricCounter.ADDITIONS, 2L)
                .containsEntry(FabricCounter.CALLS, 6L)
                .containsEntry(FabricCounter.SERVED_CALLS, 3L);
        Map<FabricCounter, Long> atPeer =
                cluster.run(1, 0, on -> cluster.fabric(1).counters());
        assertThat(atPeer).containsEntry(FabricCounter.CALLS, 0L).containsEntry(FabricCounter.SERVED_CALLS, 3L);
        if (after.containsKey(FabricCounter.BYTES_SENT) && countsTraffic()) {
            // Each call has 8 bytes each way, the batch 6 requests of an address each, and 4 words and more of results.
            assertThat(difference(before, after).get(FabricCounter.BYTES_SENT)).isBetween(3 * 8 + 6 * 8L, 10_000L);
            assertThat(difference(before, after).get(FabricCounter.BYTES_RECEIVED))
                    .isBetween(3 * 8 + 4 * 8L, 10_000L);
        }
    }

    @Test
    void shouldCountTheConnectionsThatAreLost() throws Exception {
        cluster(1, 1, 1).start();
        if (!cluster.fabric(0).counters().containsKey(FabricCounter.LOST_CONNECTIONS) || !countsTraffic()) {
            return; // some networks have no connections
        }
        assertThat(cluster.fabric(0).counters()).containsEntry(FabricCounter.LOST_CONNECTIONS, 0L);
        cluster.stop(1);
        cluster.run(0, 0, on -> {
            for (int attempts = 0; cluster.fabric(0).counters().get(FabricCounter.LOST_CONNECTIONS) == 0; attempts++) {
                on.backOff(attempts);
            }
            return null;
        });
        assertThat(cluster.fabric(0).counters())
                .containsEntry(FabricCounter.LOST_CONNECTIONS, 1L)
                .containsEntry(FabricCounter.REJECTED_CONNECTIONS, 0L);
    }

    private static Map<FabricCounter, Long> difference(
            Map<FabricCounter, Long> before, Map<FabricCounter, Long> after) {
        Map<FabricCounter, Long> difference = new EnumMap<>(after);
        before.forEach((counter, value) -> difference.merge(counter, -value, Long::sum));
        return difference;
    }

    // Misuse.

    @Test
    void shouldRefuseWordsThatAreNotAligned() throws Exception {
        cluster(1, 1).start();
        cluster.run(0, 0, on -> {
            Batch batch = on.endpoint.batch(1);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> batch.cas(at(1, 12), 0, 1, on.local(0)))
                    .withMessageContaining(RemoteAddress.toString(at(1, 12)));
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> batch.fetchAdd(at(1, 17), 1, on.local(0)))
                    .withMessageContaining(RemoteAddress.toString(at(1, 17)));
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> batch.writeWord(1, at(1, 20)))
                    .withMessageContaining(RemoteAddress.toString(at(1, 20)));
            batch.writeWord(3, at(1, 0)).post(on.completion);
            on.awaitSuccess();
            return null;
        });
        assertThat(words(cluster.data(1), 0, 4)).containsExactly(3, 0, 0, 0);
    }

    @Test
    void shouldRefuseAnAddressOnAnotherNode() throws Exception {
        cluster(1, 1).start();
        cluster.run(0, 0, on -> {
            Batch batch = on.endpoint.batch(1);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> batch.read(at(0, 16), WORD, on.local(0)))
                    .withMessageContainingAll("1", RemoteAddress.toString(at(0, 16)));
            batch.post(on.completion);
            on.awaitSuccess();
            return null;
        });
    }

    // The network decides whether this node or the peer rejects the region; but the READ must not succeed.
    @Test
    void shouldNotReadARegionThatThePeerDoesNotHave() throws Exception {
        cluster(1, 1).start();
        boolean succeeded = cluster.run(0, 0, on -> {
            long address = RemoteAddress.of(1, UNKNOWN_REGION, 0);
            try {
                on.endpoint.batch(1).read(address, WORD, on.local(0)).post(on.completion);
            } catch (IllegalArgumentException e) {
                assertThat(e).hasMessageContainingAll("1", String.valueOf(UNKNOWN_REGION));
                return false;
            }
            return on.await();
        });
        assertThat(succeeded).isFalse();
    }

    @Test
    void shouldRefuseCallsThatCannotBeMeant() throws Exception {
        cluster(1, 1).start();
        cluster.run(0, 0, on -> {
            assertThatIllegalArgumentException().isThrownBy(() -> on.call(1, Endpoint.MAX_RPC + 1, 0, 8));
            assertThatIllegalArgumentException().isThrownBy(() -> on.call(1, -1, 0, 8));
            assertThatIllegalArgumentException().isThrownBy(() -> on.call(1, ECHO, 4, 8));
            assertThatIllegalArgumentException().isThrownBy(() -> on.call(1, ECHO, 0, 12));
            assertThat(on.completion.outstanding()).isZero();
            return null;
        });
    }

    @Test
    void shouldRefuseHandlersThatCannotBeMeant() throws Exception {
        cluster(1);
        Endpoint endpoint = cluster.endpoint(0, 0);
        endpoint.handle(Endpoint.MAX_RPC, FabricContract::echo);
        endpoint.handle(0, FabricContract::echo);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> endpoint.handle(Endpoint.MAX_RPC, FabricContract::echo))
                .withMessageContaining("255");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> endpoint.handle(Endpoint.MAX_RPC + 1, FabricContract::echo))
                .withMessageContaining("256");
        assertThatIllegalArgumentException().isThrownBy(() -> endpoint.handle(-1, FabricContract::echo));
    }

    @Test
    void shouldRefuseRegionsThatCannotBeMeant() throws Exception {
        cluster(1);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> cluster.fabric(0).register(DATA_REGION, 64))
                .withMessageContaining("" + DATA_REGION);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> cluster.fabric(0).register(RemoteAddress.MAX_REGION + 1, 64))
                .withMessageContaining("" + RemoteAddress.MAX_REGION);
        assertThatIllegalArgumentException().isThrownBy(() -> cluster.fabric(0).register(-1, 64));
    }

    @Test
    void shouldRefuseASecondEndpointOfAWorker() throws Exception {
        cluster(2);
        Fabric fabric = cluster.fabric(0);
        Region buffers = fabric.register(UNKNOWN_REGION, 64);
        for (int worker : new int[] {0, 1}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> fabric.open(cluster.worker(0, worker), buffers))
                    .withMessageContaining("" + worker);
        }
    }

    @Test
    void shouldRegisterZeroedMemory() throws Exception {
        cluster(1);
        assertThat(words(cluster.data(0), 0, 64)).containsOnly(0);
        assertThat(cluster.fabric(0).node()).isZero();
        assertThat(cluster.fabric(0).register(RemoteAddress.MAX_REGION, 64).address(8))
                .isEqualTo(RemoteAddress.of(0, RemoteAddress.MAX_REGION, 8));
    }

    // Helpers.

    private static void echo(RpcRequest request) {
        answer(request, ~word(request));
    }

    private static long word(RpcRequest request) {
        return request.payload().getLong(request.payloadOffset());
    }

    private static void answer(RpcRequest request, long word) {
        request.response().putLong(request.responseOffset(), word);
        request.reply(WORD);
    }

    private <T> T join(CompletableFuture<T> result) throws Exception {
        return cluster.join(result);
    }

    private <T> List<CompletableFuture<T>> onAllWorkers(FabricCluster.Body<T> body) {
        List<CompletableFuture<T>> results = new ArrayList<>();
        for (int node = 0; node < cluster.nodes(); node++) {
            for (int worker = 0; worker < cluster.workers(node); worker++) {
                results.add(cluster.start(node, worker, body));
            }
        }
        return results;
    }

    private long sum(List<CompletableFuture<Long>> results) throws Exception {
        long sum = 0;
        for (CompletableFuture<Long> result : results) {
            sum += join(result);
        }
        return sum;
    }

    /** Joins two coroutines that wait for each other, so that the first failure is reported and not its effect. */
    private void joinBoth(CompletableFuture<?> one, CompletableFuture<?> other) throws Exception {
        join(CompletableFuture.anyOf(one, other));
        join(one);
        join(other);
    }

    private static long[] words(Memory memory, long offset, int count) {
        long[] words = new long[count];
        for (int i = 0; i < count; i++) {
            words[i] = memory.getAcquire(offset + 8L * i);
        }
        return words;
    }

    /** Bytes that are all different from their neighbours and from zero. */
    private static byte[] pattern(int bytes) {
        byte[] pattern = new byte[bytes];
        for (int i = 0; i < bytes; i++) {
            pattern[i] = (byte) (i % 251 + 1);
        }
        return pattern;
    }
}
