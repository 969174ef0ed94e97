package dev.rcc.bench.papers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.bench.paper.Book;
import dev.rcc.bench.paper.Claim;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** That each book's page in docs/papers is about the claims that the command judges, and its table about the output that it quotes. */
class BookPagesTest {
    private static final Path PAGES = Path.of("..", "docs", "papers");
    private static final Pattern ROW =
            Pattern.compile("^\\| ([\\dA-Z]\\.\\d[^|]*) \\| ([^|]*) \\| \\*\\*([^|]*)\\*\\* \\|$", Pattern.MULTILINE);
    private static final Pattern PRINTED = Pattern.compile(
            "^([\\dA-Z]\\.\\d, .*)\\n  the paper  (.*)\\n(?:  criterion .*\\n(?: {11,}.*\\n)*  measured .*\\n(?: {11,}.*\\n)*)?"
                    + "  verdict    (HELD|NOT HELD|NOT TESTED)",
            Pattern.MULTILINE);

    /** What the page says of a claim. */
    private record Line(String where, String text, String verdict) {
        static Line of(MatchResult match) {
            return new Line(match.group(1), match.group(2), match.group(3).toLowerCase(Locale.ROOT));
        }
    }

    static List<Book> books() {
        return Books.all();
    }

    private static String page(Book book) throws IOException {
        return Files.readString(PAGES.resolve(book.name() + ".md"));
    }

    private static List<Line> lines(Book book, Pattern pattern) throws IOException {
        return pattern.matcher(page(book)).results().map(Line::of).toList();
    }

    private static List<String> claims(Book book) {
        return book.sections().stream()
                .flatMap(section -> section.claims().stream().map(Claim::text))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("books")
    void shouldHaveARowForEachClaimInOrder(Book book) throws IOException {
        assertThat(lines(book, ROW).stream().map(Line::text)).containsExactlyElementsOf(claims(book));
    }

    @ParameterizedTest
    @MethodSource("books")
    void shouldHaveTheVerdictsOfTheOutput(Book book) throws IOException {
        assertThat(lines(book, ROW)).isEqualTo(lines(book, PRINTED));
    }

    // Goal: the page is of the criteria that are judged by today. Method: each is in the output that it quotes.
    @ParameterizedTest
    @MethodSource("books")
    void shouldQuoteEachCriterion(Book book) throws IOException {
        assertThat(page(book).lines())
                .containsAll(book.sections().stream()
                        .flatMap(section -> section.claims().stream())
                        .filter(claim -> claim.criterion().isPresent())
                        .map(claim -> "  criterion  " + claim.words())
                        .distinct()
                        .toList());
    }
}
