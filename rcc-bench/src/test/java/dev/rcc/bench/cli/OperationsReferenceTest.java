package dev.rcc.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.option.Option;
import dev.rcc.core.testing.SourceTree;
import dev.rcc.server.process.ServerOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** Checks that docs/operations/reference.md has the options of the operators' commands: names, defaults and allowed values. */
class OperationsReferenceTest {
    private static final Path PAGE = SourceTree.root().resolve("docs/operations/reference.md");
    private static final Pattern SECTION = Pattern.compile("## `(rcc [a-z ]+)`");
    private static final Pattern ROW = Pattern.compile("\\| `([^`]+)` \\| ([^|]+) \\| ([^|]+) \\| ([^|]*\\S[^|]*) \\|");
    private static final String NONE = "none";

    /** The cells of a row beside the name. */
    private record Row(String defaultValue, String allowed) {
        @Override
        public String toString() {
            return "default " + defaultValue + ", allowed " + allowed;
        }
    }

    @Test
    void shouldAgreeWithTheOptionsOfTheProgram() throws IOException {
        assertThat(differences(page())).isEmpty();
    }

    // An error in the page is reported with its command and row.
    @Test
    void shouldNameTheRowThatIsMissingSuperfluousOrDifferent() throws IOException {
        String page = page();
        assertThat(differences(page.replaceFirst("\\| `lease-ms` .*\n", "")))
                .containsExactly("rcc server: lease-ms is missing");
        assertThat(differences(page.replaceFirst("(\\| )`lease-ms`( .*\n)", "$0$1`lease-us`$2")))
                .containsExactly("rcc server: lease-us is no option");
        assertThat(differences(page.replaceFirst("(\\| `lease-ms` \\| `)500", "$1501")))
                .containsExactly(
                        "rcc server: lease-ms: the page has default `501`, allowed an integer from 50 to 600000"
                                + " (milliseconds), the program default `500`, allowed an integer from 50 to 600000 (milliseconds)");
        assertThat(differences(page.replaceFirst("(\\| `lease-ms` .*) from 50 ", "$1 from 60 ")))
                .hasSize(1)
                .allMatch(difference -> difference.startsWith("rcc server: lease-ms: the page has"));
        assertThat(differences(page.replace("## `rcc doctor`", "## `rcc nurse`")))
                .containsExactly("rcc doctor has no section", "rcc nurse is no command of operators");
    }

    private static String page() throws IOException {
        return Files.readString(PAGE);
    }

    /** Where the page and the program differ, a line each. */
    private static List<String> differences(String page) {
        Map<String, Map<String, Row>> documented = documented(page);
        Map<String, Map<String, Row>> real = new LinkedHashMap<>();
        addCommands(
                real,
                "rcc ",
                List.of(
                        ServerCommand.commandLine(),
                        ClusterCommand.commandLine(),
                        new CommandLine(new TokenCommand()),
                        DoctorCommand.commandLine(),
                        ClientCommand.commandLine()));
        List<String> differences = new ArrayList<>();
        real.forEach((command, options) -> {
            Map<String, Row> rows = documented.remove(command);
            if (rows == null) {
                differences.add(command + " has no section");
                return;
            }
            options.forEach((name, option) -> {
                Row row = rows.remove(name);
                if (row == null) {
                    differences.add(command + ": " + name + " is missing");
                } else if (!row.equals(option)) {
                    differences.add(command + ": " + name + ": the page has " + row + ", the program " + option);
                }
            });
            rows.keySet().forEach(name -> differences.add(command + ": " + name + " is no option"));
        });
        documented.keySet().forEach(command -> differences.add(command + " is no command of operators"));
        return differences;
    }

    private static Map<String, Map<String, Row>> documented(String page) {
        Map<String, Map<String, Row>> documented = new LinkedHashMap<>();
        Map<String, Row> rows = new LinkedHashMap<>();
        for (String line : page.lines().toList()) {
            Matcher section = SECTION.matcher(line);
            Matcher row = ROW.matcher(line);
            if (section.matches()) {
                rows = new LinkedHashMap<>();
                documented.put(section.group(1), rows);
            } else if (row.matches()) {
                assertThat(rows.put(row.group(1), new Row(row.group(2), row.group(3))))
                        .as("a second row of %s", row.group(1))
                        .isNull();
            }
        }
        return documented;
    }

    private static void addCommands(
            Map<String, Map<String, Row>> commands, String prefix, Collection<CommandLine> added) {
        for (CommandLine line : added) {
            String command = prefix + line.getCommandName();
            Map<String, Row> rows = new LinkedHashMap<>();
            for (OptionSpec option : line.getCommandSpec().options()) {
                if (!option.usageHelp() && !option.versionHelp()) {
                    rows.put(name(option), row(option));
                }
            }
            for (PositionalParamSpec given : line.getCommandSpec().positionalParameters()) {
                rows.put(given.paramLabel(), new Row(NONE, String.join(" ", given.description())));
            }
            commands.put(command, rows);
            addCommands(commands, command + " ", line.getSubcommands().values());
        }
    }

    /** The page writes the keys of a server's file as in the file, and all other options as on the command line. */
    private static String name(OptionSpec option) {
        boolean isKey = option.userObject() instanceof Option key
                && ServerOptions.TABLE.options().contains(key);
        return isKey ? option.longestName().substring(2) : option.longestName();
    }

    private static Row row(OptionSpec spec) {
        if (!(spec.userObject() instanceof Option option)) {
            assertThat(spec.typeInfo().isBoolean()).as("%s is a flag", spec).isTrue();
            return new Row("`off`", "a flag");
        }
        if (option.isFlag()) {
            return new Row("`off`", "a flag");
        }
        String byDefault = option.defaultValue().replace(System.getProperty("user.home"), "~");
        return new Row(
                byDefault.isEmpty() ? NONE : "`" + byDefault + "`",
                option.allowed() + (option.unit().isEmpty() ? "" : " (" + option.unit() + ")"));
    }
}
