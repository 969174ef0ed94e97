package dev.rcc.it.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.bench.verify.Scenario;
import dev.rcc.bench.verify.Trial;
import dev.rcc.core.testing.ForkedJvm;
import dev.rcc.protocols.Protocols;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A seed that another process has found: it has the same result here. */
class SeedInTwoProcessesTest {
    /** Nodes die in all of them. In those with failover three are left, and the result depends on the order of these, if it depends on any order. */
    private static final List<String> SCENARIOS = List.of(
            "mvcc failover 10",
            "sundial failover 1",
            "calvin failover 3",
            "calvin failover 6",
            "calvin failover 10",
            "nowait deaths 1",
            "sundial deaths 3");

    /** The chance that none of so many has other orders is below one in a million. */
    private static final int PROCESSES_MAX = 100;

    private static final String LINE = "> ";
    private static final String ALIKE = "alike";

    /** Runs the scenarios in a process, and prints a line about each; but nothing if maps have the same order as in another process. */
    static final class Hunter {
        private Hunter() {}

        /** The property {@code orders} is what {@link #orders} was in another process, or empty. */
        public static void main(String[] args) throws Exception {
            if (isAnyOrderAlike(System.getProperty("orders"))) {
                System.out.println(LINE + ALIKE);
                return;
            }
            System.out.println(LINE + orders());
            for (String scenario : System.getProperty("scenarios").split(",", -1)) {
                System.out.println(LINE + scenario + ": " + run(scenario.split(" ", -1)));
            }
        }

        private static boolean isAnyOrderAlike(String others) {
            return !others.isEmpty()
                    && IntStream.range(0, 4).anyMatch(i -> others.split(" ", -1)[i].equals(orders().split(" ", -1)[i]));
        }

        /** The orders in which immutable maps show any three of four nodes: they depend on a number that each process draws. */
        private static String orders() {
            return IntStream.range(0, 4)
                    .mapToObj(dead -> order(IntStream.range(0, 4)
                            .filter(node -> node != dead)
                            .boxed()
                            .collect(Collectors.toMap(Function.identity(), node -> node))))
                    .collect(Collectors.joining(" "));
        }

        private static String order(Map<Integer, Integer> nodes) {
            return Map.copyOf(nodes).keySet().stream().map(String::valueOf).collect(Collectors.joining());
        }

        private static String run(String[] words) throws IOException {
            Scenario.FaultKind faults = Scenario.FaultKind.valueOf(words[1].toUpperCase(Locale.ROOT));
            Scenario.Wish wish = new Scenario.Wish(workload -> true, code -> true, each -> each == faults);
            Trial trial = Trial.run(Scenario.draw(Protocols.byName(words[0]), Long.parseLong(words[2]), wish));
            Path history = Files.createTempFile("history", ".json");
            try {
                trial.history().write(history);
                return trial.scenario().nodes() + " nodes, " + trial.committed() + " committed, " + trial.faults()
                        + ", " + trial.windows() + ", " + trial.violations() + ", history "
                        + digest(Files.readAllBytes(history));
            } finally {
                Files.delete(history);
            }
        }

        private static String digest(byte[] bytes) {
            try {
                return HexFormat.of()
                        .formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
            } catch (NoSuchAlgorithmException e) {
                throw new AssertionError(e);
            }
        }
    }

    /** The output of a process: the orders of its maps first, and then a line about each scenario. */
    private static List<String> hunt(String otherOrders) throws Exception {
        String output = ForkedJvm.run(
                Hunter.class,
                "-ea",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "--enable-native-access=ALL-UNNAMED",
                "-Dlogback.configurationFile=" + System.getProperty("logback.configurationFile", ""),
                "-Dorders=" + otherOrders,
                "-Dscenarios=" + String.join(",", SCENARIOS));
        return output.lines()
                .filter(line -> line.startsWith(LINE))
                .map(line -> line.substring(LINE.length()))
                .toList();
    }

    // Goal: the result of a seed does not depend on values that a JVM draws at its start, such as the order
    // of immutable collections and identity hashes.
    @Test
    void shouldGiveTheSameResultInAProcessWithOtherMapOrders() throws Exception {
        List<String> first = hunt("");
        List<String> second = List.of(ALIKE);
        for (int i = 0; i < PROCESSES_MAX && second.equals(List.of(ALIKE)); i++) {
            second = hunt(first.getFirst());
        }
        assertThat(second.getFirst()).isNotIn(ALIKE, first.getFirst());
        assertThat(second.subList(1, second.size())).isEqualTo(first.subList(1, first.size()));
    }
}
