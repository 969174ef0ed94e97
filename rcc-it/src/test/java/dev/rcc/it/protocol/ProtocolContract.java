package dev.rcc.it.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.protocol.HybridCode;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.core.protocol.WordChange;
import dev.rcc.core.store.KeyHash;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Procedure;
import dev.rcc.core.txn.RetryPolicy;
import dev.rcc.core.txn.Transaction;
import dev.rcc.protocols.Protocols;
import dev.rcc.server.config.ClusterConfig;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.Parameter;

/**
 * The parts that the contracts share: a cluster to run transactions on, and keys whose place is known. Records start
 * with a word that the tests call the value.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ProtocolContract implements ProtocolSetup {
    /** Where a record's value is. */
    static final int VALUE = 0;
    /** Enough for every conflict to pass, but a livelock ends. */
    static final RetryPolicy PATIENT = new RetryPolicy(20_000, 4_000, 1_000_000);

    private static final long SEED = Long.getLong("rcc.seed", 42);

    /** The protocol of a class that is run for several; {@link OnNetwork}. */
    @Parameter
    Protocol parameter;

    /**
     * The codes that tests run under: of those that the network admits the uniform ones, and a sample that has each
     * two stages in all combinations. {@link HybridCodeContract} runs every code.
     */
    List<HybridCode> codes() {
        return HybridCode.all(protocol()).stream()
                .filter(ProtocolContract::isInSample)
                .filter(code ->
                        WordChange.conflict(protocol(), code, atomicity()).isEmpty())
                .filter(this::isTried)
                .toList();
    }

    /** The codes that one test runs under: {@link #maxCodes} of them, which the seed draws, or none if it is not drawn. */
    List<HybridCode> codesOf(TestInfo test) {
        List<HybridCode> codes = codes();
        assertThat(codes).as("codes of %s", protocol().name()).isNotEmpty();
        String name =
                getClass().getSimpleName() + test.getTestMethod().orElseThrow().getName();
        if (!isDrawn(name)) {
            return List.of();
        }
        return codes.size() > maxCodes() ? drawn(codes, name) : codes;
    }

    /** The uniform codes first; each test has others beside them. */
    private List<HybridCode> drawn(List<HybridCode> codes, String test) {
        List<HybridCode> drawn = new ArrayList<>(codes);
        Collections.shuffle(drawn, random(test + " of " + protocol().name()));
        drawn.sort(Comparator.comparing(code -> !isUniform(code)));
        return drawn.subList(0, maxCodes());
    }

    /** The protocols that ship take turns, so that of as many as {@link #oneIn} says one is drawn; any other is drawn by itself. */
    private boolean isDrawn(String test) {
        if (!isShort()) {
            return true;
        }
        if (!isInBuild()) {
            return false;
        }
        if (oneIn() == 1) {
            return true;
        }
        RandomGenerator random = random(test);
        List<String> names = new ArrayList<>(Protocols.names());
        Collections.shuffle(names, random);
        int turn = Math.max(0, names.indexOf(protocol().name()));
        return turn % oneIn() == random.nextInt(oneIn());
    }

    /** The protocol that the class is run for. */
    public Protocol parameter() {
        return parameter;
    }

    static boolean isUniform(HybridCode code) {
        return code.digits().chars().distinct().count() == 1;
    }

    /** An orthogonal array of strength 2: three stages are free, each further one is a parity of them. */
    static boolean isInSample(HybridCode code) {
        String digits = code.digits();
        if (isUniform(code)) {
            return true;
        }
        int[][] parities = {{0, 1, 2}, {0, 1}, {1, 2}};
        for (int stage = 3; stage < digits.length(); stage++) {
            int parity = IntStream.of(parities[stage - 3])
                    .map(free -> digits.charAt(free) - '0')
                    .reduce(0, (a, b) -> a ^ b);
            if (digits.charAt(stage) - '0' != parity) {
                return false;
            }
        }
        return true;
    }

    /** Three nodes of one worker, three replicas, little memory. */
    ClusterConfig config(HybridCode code, TableSchema... tables) {
        return ClusterConfig.of(protocol(), List.of(tables))
                .withCode(code)
                .withSeed(SEED)
                .withShape(3, 1, 4, 3)
                .withMemory(64 * 1024, 32 * 1024, 1024)
                .withRetries(PATIENT);
    }

    /** Starts a cluster; every key of {@code keys} is loaded with its own number as value. */
    TestCluster start(ClusterConfig config, long... keys) {
        return start(
                config,
                cluster -> LongStream.of(keys).forEach(key -> cluster.loader.load(cluster.table(0), key, value(key))));
    }

    /** Starts a cluster after {@code load} has filled it. */
    TestCluster start(ClusterConfig config, Consumer<TestCluster> load) {
        TestCluster cluster = new TestCluster(newCluster(config));
        load.accept(cluster);
        cluster.start();
        return cluster;
    }

    /** A record with this value. */
    static Consumer<Memory> value(long value) {
        return memory -> memory.putLong(VALUE, value);
    }

    /** A procedure that declares with one function and executes with another, which gets the result of the first. */
    static <A> Procedure procedure(Function<Transaction, A> declare, BiConsumer<Transaction, A> execute) {
        return new Procedure() {
            private A accesses;

            @Override
            public void declare(Transaction txn) {
                accesses = declare.apply(txn);
            }

            @Override
            public void execute(Transaction txn) {
                execute.accept(txn, accesses);
            }
        };
    }

    /** Sets the value of a key that exists. */
    static Procedure write(Table table, long key, long value) {
        return procedure(txn -> txn.update(table, key), (txn, access) -> access.putLong(VALUE, value));
    }

    /** Changes the value of a key that exists. */
    static Procedure change(Table table, long key, UnaryOperator<Long> change) {
        return procedure(
                txn -> txn.update(table, key),
                (txn, access) -> access.putLong(VALUE, change.apply(access.getLong(VALUE))));
    }

    /** Inserts a key with a value, or does nothing if it exists. */
    static Procedure insert(Table table, long key, long value) {
        return procedure(txn -> txn.insert(table, key), (txn, access) -> {
            if (!access.exists()) {
                access.putLong(VALUE, value);
            }
        });
    }

    /** Deletes a key, or does nothing if it does not exist. */
    static Procedure delete(Table table, long key) {
        return procedure(txn -> txn.delete(table, key), (txn, access) -> {});
    }

    /** The value of an access, or null if it has no record. */
    static Long valueOf(Access access) {
        return access.exists() ? access.getLong(VALUE) : null;
    }

    /** The {@code n}-th key of a table whose primary is on {@code node}. */
    static long keyOn(TestCluster cluster, Table table, int node, int n) {
        return keysOn(cluster, node, n + 1)[n];
    }

    /** The first {@code count} keys whose primary is on {@code node}. */
    static long[] keysOn(TestCluster cluster, int node, int count) {
        return LongStream.iterate(0, key -> key + 1)
                .filter(key -> cluster.embedded.catalog().placement().partition(KeyHash.of(key)) == node)
                .limit(count)
                .toArray();
    }

    /** Keys of one partition of a table that have the same leaf. */
    static long[] keysOfOneLeaf(TestCluster cluster, Table table, int node, int count) {
        long leaf = table.layout().leafOffset(KeyHash.of(keyOn(cluster, table, node, 0)));
        return LongStream.iterate(0, key -> key + 1)
                .filter(key -> cluster.embedded.catalog().placement().partition(KeyHash.of(key)) == node
                        && table.layout().leafOffset(KeyHash.of(key)) == leaf)
                .limit(count)
                .toArray();
    }
}
