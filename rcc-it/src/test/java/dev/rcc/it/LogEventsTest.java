package dev.rcc.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.testing.SourceTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Operators search logs by events: each line that they see begins with one, and docs/log-events.md explains each. */
class LogEventsTest {
    private static final List<String> MODULES =
            List.of("rcc-core", "rcc-transport", "rcc-protocols", "rcc-client", "rcc-server", "rcc-bench");

    /** A line from level INFO on, and what it begins with. */
    private static final Pattern LINE =
            Pattern.compile("\\bLOG\\.(?:(?:info|warn|error)\\(|at[A-Z][^\"]*?\\.log\\()\\s*\"([^\"]*)");

    private static final Pattern EVENT = Pattern.compile("event=([a-z]+(?:_[a-z]+)*)(?=[ :]|$).*");
    private static final Pattern DOCUMENTED = Pattern.compile("(?m)^\\| `([a-z_]+)` \\|");
    private static final Pattern NAMED = Pattern.compile("event=([a-z_]+)");

    @Test
    void shouldBeginWithAnEventAndFields() throws IOException {
        List<String> without = new ArrayList<>();
        for (String line : lines()) {
            if (!EVENT.matcher(line).matches()) {
                without.add(line);
            }
        }
        assertThat(without).isEmpty();
    }

    @Test
    void shouldExplainEachEventInTheDocs() throws IOException {
        assertThat(found(DOCUMENTED, SourceTree.root().resolve("docs/log-events.md")))
                .isEqualTo(events());
    }

    // Goal: an operator who searches the logs for an event that a page names does not search in vain.
    @Test
    void shouldNameNoEventInTheDocsThatIsNeverLogged() throws IOException {
        Set<String> named = new TreeSet<>();
        for (Path page : SourceTree.pages()) {
            named.addAll(found(NAMED, page));
        }
        assertThat(named).hasSizeGreaterThan(5).isSubsetOf(events());
    }

    private static Set<String> events() throws IOException {
        Set<String> events = new TreeSet<>();
        for (String line : lines()) {
            Matcher event = EVENT.matcher(line);
            if (event.matches()) {
                events.add(event.group(1));
            }
        }
        return events;
    }

    private static Set<String> found(Pattern pattern, Path page) throws IOException {
        Set<String> found = new TreeSet<>();
        Matcher matcher = pattern.matcher(Files.readString(page));
        while (matcher.find()) {
            found.add(matcher.group(1));
        }
        return found;
    }

    private static List<String> lines() throws IOException {
        List<String> lines = new ArrayList<>();
        for (String module : MODULES) {
            for (Path file : SourceTree.mainSources(module)) {
                Matcher line = LINE.matcher(Files.readString(file));
                while (line.find()) {
                    lines.add(line.group(1));
                }
            }
        }
        assertThat(lines).hasSizeGreaterThan(50);
        return lines;
    }
}
