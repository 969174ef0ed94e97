package dev.rcc.bench.cli;

import dev.rcc.core.option.Option;
import dev.rcc.core.option.OptionTable;
import dev.rcc.core.option.OptionValues;
import dev.rcc.core.testing.SourceTree;
import dev.rcc.server.process.ClientAccessOptions;
import dev.rcc.server.process.ServerConfig;
import dev.rcc.server.process.ServerOptions;
import dev.rcc.transport.verbs.ibv.VerbsUnavailable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/**
 * Says why command lines of RCC are refused. Runs nothing, reads no file that a command line names, and looks for no cluster: of these it
 * checks the options only.
 */
final class CommandLines {
    private static final String LAB = "lab";
    private static final String JMH = "jmh";
    private static final String ANY = "...";

    /** A word for the reader to replace, as in {@code --json FILE}. */
    private static final Pattern PLACEHOLDER = Pattern.compile("[A-Z]+|\\.\\.\\.");

    private final Path tree = SourceTree.root();

    /** The reason why a command line is refused; empty if it is not. With words for the reader to replace, only the options' names are checked. */
    Optional<String> refusal(List<String> words) {
        try {
            checkAny(words);
            return Optional.empty();
        } catch (VerbsUnavailable e) {
            return Optional.empty(); // the code depends on the device, and is checked last
        } catch (ParameterException e) {
            return Optional.of(BadInput.oneLine(e));
        } catch (IllegalArgumentException | CommandLineOptionException e) {
            return Optional.of("rcc " + words.getFirst() + ": "
                    + e.getMessage().lines().findFirst().orElse(""));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether words only name a command or an option, as in running text: nothing else is given, or a value that they need is left out. */
    boolean isOnlyNamed(List<String> words) {
        try {
            return last(parse(words)).matchedArgs().isEmpty();
        } catch (MissingParameterException e) {
            return true;
        } catch (ParameterException e) {
            return false;
        }
    }

    private static ParseResult parse(List<String> words) {
        String[] args = words.toArray(String[]::new);
        CommandLine command = Rcc.commandLine(
                config -> {
                    throw new AssertionError("a benchmark ran: " + config);
                },
                args);
        return command.parseArgs(args);
    }

    /** The last of nested commands. */
    private static ParseResult last(ParseResult parsed) {
        return parsed.hasSubcommand() ? last(parsed.subcommand()) : parsed;
    }

    private void checkAny(List<String> words) throws CommandLineOptionException, IOException {
        switch (words.getFirst()) {
            case ANY -> {}
            case LAB -> checkLab(words);
            case JMH -> checkJmh(words);
            default -> check(words);
        }
    }

    private void check(List<String> words) {
        ParseResult parsed = last(parse(words));
        if (words.stream().anyMatch(word -> PLACEHOLDER.matcher(word).matches())) {
            return;
        }
        for (OptionSpec spec : parsed.matchedOptions()) {
            if (spec.userObject() instanceof Option option && !option.isFlag() && !spec.isMultiValue()) {
                OptionValues _ = new OptionTable("", List.of(option)).parse(Map.of(option.key(), spec.getValue()));
            }
        }
        if (!parsed.isUsageHelpRequested()) {
            checkTogether(parsed.commandSpec().userObject(), parsed);
        }
    }

    /** Checks the options as the command does before it runs. */
    private void checkTogether(Object command, ParseResult parsed) {
        List<String> protocolOptions = parsed.hasMatchedOption(BenchOptions.PROTOCOL_OPTION.key())
                ? CommandOptions.protocolOptions(parsed)
                : List.of();
        switch (command) {
            case BenchCommand _ -> {
                Map<String, String> given = CommandOptions.given(parsed, BenchOptions.TABLE);
                checkBench(BenchOptions.TABLE, given, CommandOptions.properties(parsed), protocolOptions);
            }
            case TuneCommand _ -> {
                Map<String, String> given = withoutCluster(CommandOptions.given(parsed, TuneCommand.TABLE));
                var _ = TuneCommand.configs(given, CommandOptions.properties(parsed), protocolOptions);
            }
            case VerifyCommand verify -> {
                OptionValues values = VerifyCommand.TABLE.parse(CommandOptions.given(parsed, VerifyCommand.TABLE));
                VerifyCommand.Targets _ = verify.targets(values, protocolOptions);
            }
            case CheckCommand _ -> {
                OptionValues _ = CheckCommand.values(CommandOptions.given(parsed, CheckCommand.TABLE));
            }
            case PaperCommand _ -> {
                OptionValues values = PaperCommand.TABLE.parse(CommandOptions.given(parsed, PaperCommand.TABLE));
                if (!values.isGiven(PaperCommand.LIST)) {
                    var _ = PaperCommand.book(parsed.matchedPositionalValue(0, ""), values);
                }
            }
            case BenchLocksCommand _ -> {
                var _ = BenchLocksCommand.configs(CommandOptions.given(parsed, BenchLocksCommand.TABLE));
            }
            case ClusterCommand.Up _ -> {
                OptionValues values =
                        ClusterCommand.Up.TABLE.parse(CommandOptions.given(parsed, ClusterCommand.Up.TABLE));
                checkServer(ClusterCommand.Up.settings(values, protocolOptions), values.intValue(ClusterCommand.NODES));
            }
            case FaultsCommand _ -> {
                OptionValues _ =
                        FaultsCommand.values(CommandOptions.given(parsed, FaultsCommand.TABLE), protocolOptions);
            }
            case ServerCommand _ -> {
                Map<String, String> given = CommandOptions.dashed(parsed, ServerOptions.TABLE);
                if (!given.isEmpty() && !parsed.hasMatchedOption("--config")) {
                    ServerConfig _ = ServerConfig.ofUnborn(given);
                }
            }
            default -> {}
        }
    }

    /** Checks a benchmark, and one in this process in place of one on a cluster, which the same options make. */
    private static void checkBench(
            OptionTable table, Map<String, String> given, List<String> properties, List<String> protocolOptions) {
        BenchPlan plan = BenchPlan.of(table, withoutCluster(given), properties, protocolOptions);
        boolean isChecked =
                plan.isSingle() && plan.runs().getFirst().config().history().isChecked();
        if (given.containsKey(BenchOptions.HISTORY.key()) && !isChecked) {
            throw new IllegalArgumentException(BenchOptions.HISTORY + ": allowed: " + BenchOptions.HISTORY.allowed());
        }
    }

    private static Map<String, String> withoutCluster(Map<String, String> given) {
        if (given.containsKey(BenchOptions.CLUSTER.key())) {
            BenchOptions.refuseOfOwnNetwork(BenchOptions.TABLE.parse(given));
        }
        Map<String, String> without = new LinkedHashMap<>(given);
        without.remove(BenchOptions.CLUSTER.key());
        return without;
    }

    /** Checks the settings of the first of some nodes on this machine. */
    private static void checkServer(Map<String, String> settings, int nodes) {
        Map<String, String> node = new LinkedHashMap<>(settings);
        node.put(ServerOptions.CLUSTER.key(), "documented");
        node.put(ServerOptions.NODE.key(), "0");
        List<String> peers = new ArrayList<>();
        for (int port = 7_000; port < 7_000 + nodes; port++) {
            peers.add("127.0.0.1:" + port);
        }
        node.put(ServerOptions.PEERS.key(), String.join(",", peers));
        node.put(ClientAccessOptions.CLIENT.key(), "127.0.0.1:8000");
        node.put(ServerOptions.SECRET_FILE.key(), "secret");
        node.putIfAbsent(ServerOptions.DATA_DIR.key(), "no-such-directory");
        node.values().removeIf(String::isEmpty);
        ServerConfig _ = ServerConfig.ofUnborn(node);
    }

    /** The lab's options are in its help, and the command that it runs may be one of RCC. */
    private void checkLab(List<String> words) throws CommandLineOptionException, IOException {
        String help = Files.readString(tree.resolve("rcc-it/lab/lab"));
        int next = 1;
        while (next < words.size() && words.get(next).startsWith("-")) {
            String option = words.get(next).replaceFirst("=.*", "");
            if (!help.contains(" " + option)) {
                throw new IllegalArgumentException("unknown option '" + option + "'");
            }
            next++;
        }
        if (next + 1 < words.size() && words.get(next).equals("./rcc")) {
            checkAny(words.subList(next + 1, words.size()));
        }
    }

    private void checkJmh(List<String> words) throws CommandLineOptionException, IOException {
        CommandLineOptions options =
                new CommandLineOptions(words.stream().skip(1).toArray(String[]::new));
        List<String> sources = SourceTree.mainSources("rcc-bench").stream()
                .map(file -> tree.relativize(file).toString())
                .filter(file -> file.contains("/jmh/"))
                .toList();
        for (String benchmark : options.getIncludes()) {
            String name = benchmark.replaceFirst("\\..*", "");
            if (sources.stream()
                    .noneMatch(file -> Pattern.compile(name).matcher(file).find())) {
                throw new IllegalArgumentException("no benchmark is called '" + benchmark + "'");
            }
        }
    }
}
