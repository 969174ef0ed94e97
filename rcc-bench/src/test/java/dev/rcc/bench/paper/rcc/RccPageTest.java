package dev.rcc.bench.paper.rcc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.bench.paper.Claim;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** That docs/papers/rcc.md is about the claims that the command judges, and its table about the output that it quotes. */
class RccPageTest {
    private static final Path PAGE = Path.of("..", "docs", "papers", "rcc.md");
    private static final Pattern ROW =
            Pattern.compile("^\\| (\\d[^|]*) \\| ([^|]*) \\| \\*\\*([^|]*)\\*\\* \\|$", Pattern.MULTILINE);
    private static final Pattern PRINTED = Pattern.compile(
            "^(\\d\\.\\d, .*)\\n  the paper  (.*)\\n(?:  criterion .*\\n(?: {11,}.*\\n)*  measured .*\\n(?: {11,}.*\\n)*)?"
                    + "  verdict    (HELD|NOT HELD|NOT TESTED)",
            Pattern.MULTILINE);

    /** What the page says of a claim. */
    private record Line(String where, String text, String verdict) {
        static Line of(MatchResult match) {
            return new Line(match.group(1), match.group(2), match.group(3).toLowerCase(Locale.ROOT));
        }
    }

    private static List<Line> lines(Pattern pattern) throws IOException {
        return pattern.matcher(Files.readString(PAGE)).results().map(Line::of).toList();
    }

    private static Stream<String> claims() {
        return RccBook.BOOK.sections().stream()
                .flatMap(section -> section.claims().stream().map(Claim::text));
    }

    @Test
    void shouldHaveARowForEachClaimInOrder() throws IOException {
        assertThat(lines(ROW).stream().map(Line::text)).containsExactlyElementsOf(claims().toList());
    }

    @Test
    void shouldHaveTheVerdictsOfTheOutput() throws IOException {
        assertThat(lines(ROW)).isEqualTo(lines(PRINTED));
    }
}
