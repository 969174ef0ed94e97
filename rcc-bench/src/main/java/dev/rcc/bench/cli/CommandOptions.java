package dev.rcc.bench.cli;

import dev.rcc.bench.workload.WorkloadType;
import dev.rcc.bench.workloads.Workloads;
import dev.rcc.core.option.Option;
import dev.rcc.core.option.OptionTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Column;
import picocli.CommandLine.Help.TextTable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** An {@link OptionTable} as the options of a command, with {@code -P} for the workload's options. */
final class CommandOptions {
    private static final int HELP_INDENT = 26;
    private static final String DASHES = "--";

    private CommandOptions() {}

    /** Makes a command of an object, with the options of a table. */
    static CommandLine command(Object command, OptionTable table, String... examples) {
        return command(command, table, List.of(), List.of(), examples);
    }

    private static CommandLine command(
            Object command, OptionTable table, List<Option> repeated, List<String> explained, String... examples) {
        CommandLine line = new CommandLine(command);
        CommandSpec spec = line.getCommandSpec();
        table.options().forEach(option -> spec.addOption(optionSpec(option).build()));
        repeated.forEach(option -> spec.addOption(optionSpec(option)
                .type(List.class)
                .auxiliaryTypes(String.class)
                .paramLabel("<key=value>")
                .build()));
        spec.usageMessage().footer(footer(explained, examples));
        return line;
    }

    /** Makes a command of an object. Each key of the tables, with two dashes before it, is an option. */
    static CommandLine dashedCommand(Object command, List<OptionTable> tables, String... examples) {
        CommandLine line = new CommandLine(command);
        CommandSpec spec = line.getCommandSpec();
        for (OptionTable table : tables) {
            table.options()
                    .forEach(option -> spec.addOption(
                            optionSpec(option, DASHES + option.key()).build()));
        }
        spec.usageMessage().footer(footer(List.of(), examples));
        return line;
    }

    /** The options of {@code table} that were given with two dashes, by key. */
    static Map<String, String> dashed(ParseResult parsed, OptionTable table) {
        Map<String, String> given = new LinkedHashMap<>();
        for (Option option : table.options()) {
            String name = DASHES + option.key();
            if (parsed.hasMatchedOption(name)) {
                given.put(option.key(), option.isFlag() ? Option.ON : parsed.matchedOptionValue(name, ""));
            }
        }
        return given;
    }

    /** Makes a command of an object, with the options of a table, and the options of the workloads and protocols. */
    static CommandLine workloadCommand(Object command, OptionTable table, String... examples) {
        List<String> explained = new ArrayList<>();
        addWorkloads(explained);
        addProtocols(explained);
        List<Option> repeated = List.of(BenchOptions.PROPERTY, BenchOptions.PROTOCOL_OPTION);
        return command(command, table, repeated, explained, examples);
    }

    /** Makes a command of an object, with the options of a table, and the options of the protocols. */
    static CommandLine protocolCommand(Object command, OptionTable table, String... examples) {
        List<String> explained = new ArrayList<>();
        addProtocols(explained);
        return command(command, table, List.of(BenchOptions.PROTOCOL_OPTION), explained, examples);
    }

    /** The options of {@code table} that were given. */
    static Map<String, String> given(ParseResult parsed, OptionTable table) {
        Map<String, String> given = new LinkedHashMap<>();
        for (Option option : table.options()) {
            if (parsed.hasMatchedOption(option.key())) {
                given.put(option.key(), option.isFlag() ? Option.ON : parsed.matchedOptionValue(option.key(), ""));
            }
        }
        return given;
    }

    /** The values given with {@code -P}. */
    static List<String> properties(ParseResult parsed) {
        return parsed.matchedOptionValue(BenchOptions.PROPERTY.key(), List.of());
    }

    /** The values given with {@code -O}. */
    static List<String> protocolOptions(ParseResult parsed) {
        return parsed.matchedOptionValue(BenchOptions.PROTOCOL_OPTION.key(), List.of());
    }

    /** The option for the number of a command's threads. */
    static Option threads(String what) {
        return Option.integer("--threads", Runtime.getRuntime().availableProcessors(), 1, 1024, "threads", what);
    }

    private static OptionSpec.Builder optionSpec(Option option) {
        return optionSpec(option, option.key());
    }

    private static OptionSpec.Builder optionSpec(Option option, String name) {
        if (option.isFlag()) {
            return OptionSpec.builder(name)
                    .type(boolean.class)
                    .arity("0")
                    .userObject(option)
                    .description(escape(option.description()), escape(option.limits()));
        }
        String label = option.unit().isEmpty() ? option.key().replaceFirst("^-+", "") : option.unit();
        return OptionSpec.builder(name)
                .paramLabel("<" + label + ">")
                .type(String.class)
                .arity("1")
                .userObject(option)
                .description(escape(option.description()), escape(option.limits()));
    }

    private static void addWorkloads(List<String> lines) {
        for (WorkloadType type : Workloads.types()) {
            lines.add("");
            lines.add(escape("Workload " + type.name() + ": " + type.description()));
            addOptions(lines, "-P", type.options());
        }
    }

    private static void addProtocols(List<String> lines) {
        lines.add("");
        lines.add("Protocols:");
        addOptions(lines, BenchOptions.PROTOCOL_OPTION.key(), ProtocolOptions.TABLE);
    }

    /** The help text below the options: the explained options, and examples. */
    private static String[] footer(List<String> explained, String... examples) {
        List<String> lines = new ArrayList<>(explained);
        lines.add("");
        List.of(examples).forEach(example -> lines.add(escape(example)));
        return lines.toArray(String[]::new);
    }

    /** Adds the options in two columns, as picocli does for the options of a command. */
    private static void addOptions(List<String> lines, String flag, OptionTable table) {
        TextTable columns = TextTable.forColumns(
                Help.defaultColorScheme(Help.Ansi.OFF),
                new Column(HELP_INDENT, 2, Column.Overflow.SPAN),
                new Column(Rcc.HELP_COLUMNS - HELP_INDENT, 0, Column.Overflow.WRAP));
        for (Option option : table.options()) {
            columns.addRowValues(flag + " " + option.key() + "=", option.description());
            columns.addRowValues("", option.limits());
        }
        columns.toString().lines().forEach(line -> lines.add(escape(line)));
    }

    /** Help texts are format strings to picocli. */
    private static String escape(String text) {
        return text.replace("%", "%%");
    }
}
