package dev.rcc.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.testing.SourceTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The mistakes that {@code rcc-it/mutants/run} plants: a change of the sources must not leave a patch behind that no longer fits them. */
class PlantedMistakesTest {
    static List<Path> patches() throws IOException {
        try (Stream<Path> files = Files.list(SourceTree.root().resolve("rcc-it/mutants"))) {
            return files.filter(file -> file.toString().endsWith(".patch"))
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("patches")
    void shouldFitTheSources(Path patch) throws IOException {
        String source = "";
        List<String> expected = new ArrayList<>();
        for (String line : Files.readAllLines(patch)) {
            if (line.startsWith("+++ b/")) {
                assertFits(patch, expected, source);
                source = Files.readString(SourceTree.root().resolve(line.substring("+++ b/".length())));
            } else if (line.startsWith("@@")) {
                assertFits(patch, expected, source);
            } else if (!source.isEmpty()
                    && (line.startsWith(" ") || line.startsWith("-"))
                    && !line.startsWith("--- ")) {
                expected.add(line.substring(1));
            }
        }
        assertThat(expected).as("%s changes something", patch).isNotEmpty();
        assertFits(patch, expected, source);
    }

    /** The lines that a hunk leaves or removes are in the source. */
    private static void assertFits(Path patch, List<String> expected, String source) {
        assertThat(source).as("%s", patch).contains(String.join("\n", expected));
        expected.clear();
    }
}
