package dev.rcc.it.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.rcc.core.protocol.HybridCode;
import dev.rcc.core.protocol.WordChange;
import dev.rcc.core.store.TableSchema;
import dev.rcc.server.ClusterConfig;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Which hybrid codes run: those that the network's atomicity allows, and no others. */
abstract class HybridCodeContract extends ProtocolContract {
    private static final TableSchema SCHEMA = TableSchema.ofLongKeys(0, "any", 8, 10);

    Stream<HybridCode> allCodes() {
        return HybridCode.all(protocol()).stream();
    }

    Stream<HybridCode> codesToRunOrRefuse() {
        return allCodes()
                .filter(code -> isStarted(code)
                        || WordChange.conflict(protocol(), code, atomicity()).isPresent());
    }

    @ParameterizedTest(name = "code {0}")
    @MethodSource("codesToRunOrRefuse")
    void shouldRunWhatTheAtomicityAllowsAndRefuseTheRestWithTheReason(HybridCode code) {
        ClusterConfig config = config(code, SCHEMA);
        Optional<String> conflict = WordChange.conflict(protocol(), code, atomicity());
        if (conflict.isPresent()) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> newCluster(config))
                    .withMessage(conflict.get());
            return;
        }
        try (TestCluster cluster = start(config, 1)) {
            cluster.commit(0, write(cluster.table(0), 1, 2));
            assertThat(cluster.read(1, cluster.table(0), 1)).isEqualTo(2);
            cluster.assertAtRest();
        }
    }

    @Test
    void shouldHaveACodeForEveryChoice() {
        assertThat(allCodes().map(HybridCode::digits).distinct())
                .hasSize(1 << protocol().stages().size());
        assertThat(codes()).isNotEmpty();
    }
}
