package dev.rcc.bench.papers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.bench.paper.Book;
import dev.rcc.bench.paper.Claim;
import dev.rcc.core.testing.SourceTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Checks that each book's page in docs/papers has the claims that the command judges, and its table the results in the output that it quotes. */
class BookPagesTest {
    private static final Path PAGES = SourceTree.root().resolve("docs/papers");
    private static final Pattern ROW = Pattern.compile("^\\| ([\\dA-Z]\\.\\d, .*\\*\\*.*) \\|$", Pattern.MULTILINE);
    private static final Pattern PRINTED =
            Pattern.compile("^[\\dA-Z]\\.\\d, .*\\n  the paper  (?:.+\\n)+", Pattern.MULTILINE);
    private static final Pattern VERDICT = Pattern.compile("  verdict    ([A-Z ]+?)(?: \\(MODELLED\\))?(?:: (.*))?");

    static List<Book> books() {
        return Books.all();
    }

    private static String page(Book book) throws IOException {
        return Files.readString(PAGES.resolve(book.name() + ".md"));
    }

    /** The rows of the page's table, by cells. */
    private static List<List<String>> rows(Book book) throws IOException {
        return ROW.matcher(page(book))
                .results()
                .map(row -> List.of(row.group(1).split(" \\| ", -1)))
                .toList();
    }

    /** The content of a claim's row, according to the output that the page quotes. */
    private static List<String> cells(Book book, String printed) {
        List<String> lines = printed.lines().toList();
        List<String> cells = new ArrayList<>();
        cells.add(lines.getFirst());
        cells.add(after("  the paper  ", lines).orElseThrow());
        lines.stream().map(VERDICT::matcher).filter(Matcher::matches).forEach(verdict -> {
            String words = "**" + verdict.group(1).toLowerCase(Locale.ROOT) + "**";
            boolean isExplained = verdict.group(2) != null && !verdict.group(1).equals("NOT TESTED");
            cells.add(isExplained ? words + ": " + verdict.group(2) : words);
        });
        if (book.logs().isPresent()) {
            cells.add(after("  their logs ", lines).orElse("-").toLowerCase(Locale.ROOT));
        }
        return cells;
    }

    private static Optional<String> after(String start, List<String> lines) {
        return lines.stream()
                .filter(line -> line.startsWith(start))
                .map(line -> line.substring(start.length()))
                .findFirst();
    }

    private static List<String> claims(Book book) {
        return book.sections().stream()
                .flatMap(section -> section.claims().stream().map(Claim::text))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("books")
    void shouldHaveARowForEachClaimInOrder(Book book) throws IOException {
        assertThat(rows(book).stream().map(cells -> cells.get(1))).containsExactlyElementsOf(claims(book));
    }

    @ParameterizedTest
    @MethodSource("books")
    void shouldHaveTheVerdictsOfTheOutput(Book book) throws IOException {
        List<List<String>> printed = PRINTED.matcher(page(book))
                .results()
                .map(claim -> cells(book, claim.group()))
                .toList();
        assertThat(rows(book)).isEqualTo(printed);
    }

    // Goal: the page has the criteria that are judged by today. Method: each is in the output that it quotes.
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
