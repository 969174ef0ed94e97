package dev.rcc.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.testing.SourceTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Checks that docs/new-protocol.md shows code that compiles: its code is quoted from sources, and its links lead somewhere, and to both examples. */
class NewProtocolPageTest {
    private static final Path ROOT = SourceTree.root();
    private static final Path DOCS = ROOT.resolve("docs");
    private static final Path TESTS = ROOT.resolve("rcc-it/src/test/java/dev/rcc/it");
    private static final Path LOCKING = ROOT.resolve("rcc-protocols/src/main/java/dev/rcc/protocols/locking");

    private static final Pattern CODE = Pattern.compile("^```java\\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);
    private static final Pattern LINK = Pattern.compile("]\\(([^)#]+)\\)");

    private final String page = read(DOCS.resolve("new-protocol.md"));

    @Test
    void shouldQuoteOnlyCodeThatIsInTheSources() {
        List<String> sources = Stream.concat(example(), filesIn(LOCKING))
                .map(file -> normalized(read(file)))
                .toList();
        List<String> quotes =
                CODE.matcher(page).results().map(match -> match.group(1)).toList();
        assertThat(quotes).hasSizeGreaterThan(10);
        for (String quote : quotes) {
            assertThat(sources).as("a source with%n%s", quote).anyMatch(source -> source.contains(normalized(quote)));
        }
    }

    @Test
    void shouldLeadToEveryFileOfTheExample() {
        List<Path> linked = LINK.matcher(page)
                .results()
                .map(MatchResult::group)
                .map(link -> DOCS.resolve(link.substring(2, link.length() - 1)).normalize())
                .toList();
        assertThat(linked).allSatisfy(file -> assertThat(file).exists());
        assertThat(linked).containsAll(example().toList());
    }

    /** The protocols, and their tests among those of the other protocols. The second one's contracts are named by their setups. */
    private static Stream<Path> example() {
        return Stream.of(
                        filesIn(TESTS.resolve("example")),
                        filesIn(TESTS.resolve("example/punctual")),
                        filesIn(TESTS.resolve("protocol")).filter(NewProtocolPageTest::isOfAnExample))
                .flatMap(files -> files);
    }

    private static boolean isOfAnExample(Path file) {
        String name = file.getFileName().toString();
        boolean isOfTheSecond = name.startsWith("Punctual");
        return name.startsWith("Exclusive")
                || (isOfTheSecond && !read(file).contains("Contract implements"))
                || (isOfTheSecond && read(file).contains("@ForEveryCode"));
    }

    private static Stream<Path> filesIn(Path directory) {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(Files::isRegularFile).toList().stream();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Indentation and line breaks are the formatter's. */
    private static String normalized(String code) {
        return code.replaceAll("\\s+", " ").strip();
    }
}
