package dev.rcc.it.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.rcc.core.protocol.HybridCode;
import dev.rcc.core.protocol.WordChange;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.txn.Procedure;
import dev.rcc.it.protocol.TestCluster.Result;
import dev.rcc.server.config.ClusterConfig;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Which hybrid codes run: those that the network's atomicity allows, and no others. A code that runs gets transactions that conflict, an
 * insert and a deletion: each stage has work to do, and some of it to undo.
 */
abstract class HybridCodeContract extends ProtocolContract {
    private static final TableSchema SCHEMA = TableSchema.ofLongKeys(0, "any", 8, 10);

    Stream<HybridCode> allCodes() {
        return HybridCode.all(protocol()).stream();
    }

    /** The codes that are run, or refused: where the seed draws, the refused codes, the uniform ones, and some of the others. */
    Stream<HybridCode> drawnCodes() {
        if (!isShort()) {
            return allCodes();
        }
        List<String> hybrids = allCodes()
                .filter(code -> !isUniform(code) && isAdmitted(code))
                .map(HybridCode::digits)
                .collect(Collectors.toCollection(ArrayList::new));
        Collections.shuffle(hybrids, random(protocol().name()));
        Set<String> leftOut = Set.copyOf(hybrids.subList(Math.min(hybridCodes(), hybrids.size()), hybrids.size()));
        return allCodes().filter(code -> !leftOut.contains(code.digits()));
    }

    /** Whether the network admits a code. */
    boolean isAdmitted(HybridCode code) {
        return WordChange.conflict(protocol(), code, atomicity()).isEmpty();
    }

    // CALVIN has no code that a device refuses, and in the lab none of it may be drawn.
    @ParameterizedTest(name = "code {0}", allowZeroInvocations = true)
    @MethodSource("drawnCodes")
    void shouldRunCodesThatTheAtomicityAllowsAndRejectOthersWithTheReason(HybridCode code) {
        ClusterConfig config = config(code, SCHEMA);
        Optional<String> conflict = WordChange.conflict(protocol(), code, atomicity());
        if (conflict.isPresent()) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> newCluster(config))
                    .withMessage(conflict.get());
            return;
        }
        try (TestCluster cluster = start(config, 0, 1, 2, 3)) {
            assertLosesNoAddition(cluster, LongStream.range(0, 4).toArray());
            cluster.commit(0, insert(cluster.table(0), 9, 8));
            cluster.commit(1, delete(cluster.table(0), 0));
            assertThat(cluster.read(2, cluster.table(0), 9)).isEqualTo(8);
            assertThat(cluster.read(2, cluster.table(0), 0)).isNull();
            cluster.assertAtRest();
        }
    }

    /** Coroutines of all nodes add to two of a few records each, at the same time. */
    private static void assertLosesNoAddition(TestCluster cluster, long[] values) {
        Table table = cluster.table(0);
        int keys = values.length;
        List<CompletableFuture<List<Result>>> ends = new ArrayList<>();
        for (int node = 0; node < 3; node++) {
            for (int coroutine = 0; coroutine < 2; coroutine++) {
                List<Procedure> additions = new ArrayList<>();
                for (int i = 0; i < 3; i++) {
                    int first = (node + i) % keys;
                    int second = (first + 1 + coroutine) % keys;
                    values[first]++;
                    values[second]++;
                    additions.add(procedure(
                            txn -> List.of(txn.update(table, first), txn.update(table, second)),
                            (txn, accesses) ->
                                    accesses.forEach(access -> access.putLong(VALUE, access.getLong(VALUE) + 1))));
                }
                ends.add(cluster.spawn(node, coroutine, additions));
            }
        }
        ends.forEach(end -> assertThat(cluster.await(end)).containsOnly(Result.COMMITTED));
        for (int key = 0; key < keys; key++) {
            assertThat(cluster.read(key % 3, table, key)).as("key %s", key).isEqualTo(values[key]);
        }
    }

    @Test
    void shouldHaveACodeForEveryChoice() {
        assertThat(allCodes().map(HybridCode::digits).distinct())
                .hasSize(1 << protocol().stages().size());
        assertThat(codes()).isNotEmpty();
    }
}
