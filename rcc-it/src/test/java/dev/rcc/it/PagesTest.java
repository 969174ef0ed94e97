package dev.rcc.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.testing.PageCommand;
import dev.rcc.core.testing.SourceTree;
import java.io.IOException;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks the links of the pages: every relative link leads to a file that is there, and to a heading of it. */
class PagesTest {
    private static final Path ROOT = SourceTree.root();
    private static final Path DOCS = ROOT.resolve("docs");
    private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)");
    private static final Pattern HEADING = Pattern.compile("#{1,6} +(.+)");
    private static final Pattern PACKAGE =
            Pattern.compile("`((?:core|transport|protocols|server|client|bench)(?:\\.[a-z]+)*)`");
    private static final Pattern DECISION = Pattern.compile("# (?<number>\\d{4})\\. (?<title>.+)\n\nStatus: accepted,"
            + " (?<date>\\d{4}-\\d\\d-\\d\\d)(?:; amended by (?<amendments>.+))?\n\n## Context\n");
    private static final Pattern AMENDMENT = Pattern.compile("\\[(\\d{4})]\\(\\1-[^)]+\\.md\\)");
    private static final Pattern NAMED_IN_SOURCES = Pattern.compile("docs/[\\w/-]+\\.md");
    private static final String YCSB_TABLE = "usertable:";

    @TempDir
    private Path directory;

    @Test
    void shouldHaveNoBrokenLinks() throws IOException {
        List<Path> pages = SourceTree.pages();
        assertThat(pages).hasSizeGreaterThan(50);
        List<String> broken = new ArrayList<>();
        for (Path page : pages) {
            broken.addAll(brokenLinks(page));
        }
        assertThat(broken).isEmpty();
    }

    // A broken link is named, be it the file or the heading; links in code and to other sites are not
    // checked.
    @Test
    void shouldNameALinkThatLeadsNowhere() throws IOException {
        Files.writeString(directory.resolve("b.md"), "# A `key`, and (more)\n## Twice\n## Twice\n");
        Path page = Files.writeString(directory.resolve("a.md"), """
                # Top
                [1](b.md) [2](b.md#a-key-and-more) [3](#top) [4](b.md#twice-1) [5](https://example.org/x.md)
                ```
                # Not a heading [6](none.md)
                ```
                `[7](none.md)`
                [8](gone.md) [9](b.md#twice-2) [10](#not-a-heading-6)
                """);
        assertThat(brokenLinks(page))
                .containsExactly(
                        "a.md: gone.md: there is no such file",
                        "a.md: b.md#twice-2: there is no such heading",
                        "a.md: #not-a-heading-6: there is no such heading");
    }

    // Texts of --help and sources send their readers to pages by name.
    @Test
    void shouldHaveThePagesThatSourcesName() throws IOException {
        Set<String> named = new HashSet<>();
        for (String module : modules()) {
            for (Path source : SourceTree.mainSources(module)) {
                Matcher name = NAMED_IN_SOURCES.matcher(Files.readString(source));
                while (name.find()) {
                    named.add(name.group());
                }
            }
        }
        assertThat(named)
                .isNotEmpty()
                .allSatisfy(name -> assertThat(ROOT.resolve(name)).exists());
    }

    // Commands that a page gives together work together: a cluster on which YCSB runs has YCSB's table.
    @Test
    void shouldDeclareTheTableOfYcsbWhereYcsbRuns() throws IOException {
        List<PageCommand> without = new ArrayList<>();
        for (Path page : SourceTree.pages()) {
            Map<List<Object>, List<String>> started = new HashMap<>(); // by block and directory
            for (PageCommand command : PageCommand.in(page)) {
                if (command.block() == 0) {
                    continue;
                }
                List<String> words = command.words();
                int dir = words.indexOf("--dir");
                List<Object> cluster = List.of(command.block(), dir < 0 ? "" : words.get(dir + 1));
                if (words.subList(0, Math.min(2, words.size())).equals(List.of("cluster", "up"))) {
                    started.put(cluster, words);
                } else if (words.getFirst().equals("ycsb")
                        && started.containsKey(cluster)
                        && started.get(cluster).stream().noneMatch(word -> word.startsWith(YCSB_TABLE))) {
                    without.add(command);
                }
            }
        }
        assertThat(without).isEmpty();
    }

    // A page without a link to it is not found.
    @Test
    void shouldLeadToEveryPageFromTheReadme() throws IOException {
        Set<Path> reached = new HashSet<>();
        List<Path> open = new ArrayList<>(List.of(ROOT.resolve("README.md")));
        while (!open.isEmpty()) {
            Path page = open.removeLast();
            if (reached.add(page)) {
                links(page).stream()
                        .map(link -> target(page, link))
                        .filter(target -> target.toString().endsWith(".md") && Files.exists(target))
                        .forEach(open::add);
            }
        }
        assertThat(reached).containsAll(SourceTree.pages());
    }

    // The picture of the architecture is complete: every package of main sources, and no deleted one.
    @Test
    void shouldDrawEveryPackageOfTheHouse() throws IOException {
        Set<String> packages = new TreeSet<>();
        for (String module : modules()) {
            Path sources = ROOT.resolve(module).resolve("src/main/java/dev/rcc");
            try (Stream<Path> files = Files.walk(sources)) {
                files.filter(file -> file.endsWith("package-info.java"))
                        .map(file -> sources.relativize(file.getParent()).toString())
                        .map(name -> name.replace('/', '.'))
                        .forEach(packages::add);
            }
        }
        String page = Files.readString(DOCS.resolve("architecture.md"));
        Set<String> drawn = page.lines()
                .filter(line -> line.startsWith("| `"))
                .map(line -> line.substring(0, line.indexOf(" | ", 2)))
                .flatMap(cell -> PACKAGE.matcher(cell).results().map(name -> name.group(1)))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(drawn).isEqualTo(packages);
    }

    // The index of decisions has every record, in order, with its own title, date and status.
    @Test
    void shouldIndexTheDecisionsAsTheyAre() throws IOException {
        List<Path> records;
        try (Stream<Path> files = Files.list(DOCS.resolve("adr"))) {
            records = files.filter(file -> file.getFileName().toString().matches("\\d{4}-.*\\.md"))
                    .sorted()
                    .toList();
        }
        List<String> rows = new ArrayList<>();
        for (Path record : records) {
            String file = record.getFileName().toString();
            Matcher head = DECISION.matcher(Files.readString(record));
            assertThat(head.lookingAt()).as("title and status of %s", file).isTrue();
            String number = head.group("number");
            assertThat(file).startsWith(number + "-");
            String amendments = head.group("amendments") == null ? "" : head.group("amendments") + " ";
            assertThat(AMENDMENT.matcher(amendments).results().map(link -> link.group(1)))
                    .as("what amends %s came later", file)
                    .allMatch(other -> other.compareTo(number) > 0)
                    .isSorted();
            rows.add("| [" + number + "](" + file + ") | " + head.group("title") + " | " + head.group("date") + " | "
                    + amendments + "|");
        }
        assertThat(Files.readAllLines(DOCS.resolve("adr/README.md")).stream().filter(line -> line.startsWith("| [")))
                .containsExactlyElementsOf(rows);
    }

    private static List<String> modules() throws IOException {
        try (Stream<Path> files = Files.list(ROOT)) {
            return files.filter(file -> Files.isDirectory(file.resolve("src/main/java")))
                    .map(file -> file.getFileName().toString())
                    .toList();
        }
    }

    private static List<String> brokenLinks(Path page) throws IOException {
        List<String> broken = new ArrayList<>();
        for (String link : links(page)) {
            Path target = target(page, link);
            String fragment = URI.create(link).getFragment();
            if (!Files.exists(target)) {
                broken.add(page.getFileName() + ": " + link + ": there is no such file");
            } else if (fragment != null && !anchors(target).contains(fragment)) {
                broken.add(page.getFileName() + ": " + link + ": there is no such heading");
            }
        }
        return broken;
    }

    /** The relative links of a page, as they are written. */
    private static List<String> links(Path page) {
        List<String> links = new ArrayList<>();
        for (String line : prose(page)) {
            Matcher link = LINK.matcher(line.replaceAll("`[^`]*`", ""));
            while (link.find()) {
                if (URI.create(link.group(1)).getScheme() == null) {
                    links.add(link.group(1));
                }
            }
        }
        return links;
    }

    private static Path target(Path page, String link) {
        String path = link.replaceFirst("#.*", "");
        return path.isEmpty()
                ? page
                : page.resolveSibling(URLDecoder.decode(path, StandardCharsets.UTF_8))
                        .normalize();
    }

    /** The anchors that a link can have behind its {@code #}: GitHub makes them of headings. */
    private static Set<String> anchors(Path page) {
        Map<String, Integer> times = new HashMap<>();
        return prose(page).stream()
                .map(HEADING::matcher)
                .filter(Matcher::matches)
                .map(heading -> heading.group(1)
                        .replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1")
                        .strip()
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\p{L}\\p{N}_ -]", "")
                        .replace(' ', '-'))
                .map(anchor -> {
                    int before = times.merge(anchor, 1, Integer::sum) - 1;
                    return before == 0 ? anchor : anchor + "-" + before;
                })
                .collect(Collectors.toSet());
    }

    /** The lines of a page that are not in a block of code. */
    private static List<String> prose(Path page) {
        List<String> prose = new ArrayList<>();
        boolean isCode = false;
        try {
            for (String line : Files.readAllLines(page)) {
                if (line.stripLeading().startsWith("```")) {
                    isCode = !isCode;
                } else if (!isCode) {
                    prose.add(line);
                }
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return prose;
    }
}
