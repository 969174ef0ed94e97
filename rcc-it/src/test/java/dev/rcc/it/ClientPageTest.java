package dev.rcc.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.client.ErrorCode;
import dev.rcc.core.testing.SourceTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Checks that the code in docs/client.md compiles, and that the pages have every error code. */
class ClientPageTest {
    private static final Path DOCS = SourceTree.root().resolve("docs");
    private static final Path EXAMPLES = SourceTree.root().resolve("rcc-it/src/test/java/dev/rcc/it/client");
    private static final Pattern CODE = Pattern.compile("^```java\\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);

    @Test
    void shouldQuoteOnlyCodeThatIsInTheSources() throws IOException {
        List<String> sources = Stream.of("BankService.java", "BankServiceTest.java", "NightlyJob.java")
                .map(EXAMPLES::resolve)
                .map(ClientPageTest::normalized)
                .toList();
        List<String> quotes = CODE.matcher(Files.readString(DOCS.resolve("client.md")))
                .results()
                .map(match -> match.group(1).replaceAll("\\s+", " ").strip())
                .toList();
        assertThat(quotes).hasSizeGreaterThanOrEqualTo(2);
        for (String quote : quotes) {
            assertThat(sources).as("a source with%n%s", quote).anyMatch(source -> source.contains(quote));
        }
    }

    @Test
    void shouldListEveryErrorCode() throws IOException {
        String page = Files.readString(DOCS.resolve("wire-protocol.md"));
        assertThat(ErrorCode.values())
                .allSatisfy(code -> assertThat(page).contains("| " + code.number() + " | `" + code + "` |"));
    }

    private static String normalized(Path file) {
        try {
            return Files.readString(file).replaceAll("\\s+", " ");
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
