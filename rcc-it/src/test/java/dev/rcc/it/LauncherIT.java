package dev.rcc.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.testing.SourceTree;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The script that starts the command from a source tree. */
class LauncherIT {
    @TempDir
    private Path directory;

    // A JVM that is given two collectors does not start.
    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "RCC_JAVA_OPTS=-Xlog:gc, Using Parallel",
        "RCC_JAVA_OPTS=-Xlog:gc -XX:+UseSerialGC, Using Serial",
        "JAVA_TOOL_OPTIONS=-Xlog:gc -XX:+UseSerialGC, Using Serial",
        "JDK_JAVA_OPTIONS=-Xlog:gc -XX:+UseG1GC, Using G1"
    })
    void shouldUseTheParallelCollectorUnlessTheUserNamesAnother(String variable, String collector) throws Exception {
        String launcher = SourceTree.root().resolve("rcc").toString();
        try (RccProcess process = RccProcess.launch(directory, List.of("env", variable, launcher, "--version"))) {
            assertThat(process.exitCode()).as("%s", process).isZero();
            assertThat(process.out()).contains(collector, "rcc ");
        }
    }
}
