package dev.rcc.bench.cli;

import dev.rcc.bench.check.CheckResult;
import dev.rcc.bench.check.Checker;
import dev.rcc.bench.check.Finding;
import dev.rcc.bench.check.Model;
import dev.rcc.bench.history.ElleEdn;
import dev.rcc.bench.history.History;
import dev.rcc.bench.locks.check.LockCheckResult;
import dev.rcc.bench.locks.check.LockChecker;
import dev.rcc.bench.locks.check.LockHistoryFile;
import dev.rcc.core.option.Option;
import dev.rcc.core.option.OptionTable;
import dev.rcc.core.option.OptionValues;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code rcc check}: checks a history from a file, or writes it in another format. */
@Command(
        name = "check",
        mixinStandardHelpOptions = true,
        versionProvider = Rcc.Version.class,
        sortOptions = false,
        header = "Checks whether a recorded history is serializable, and explains why not.",
        description = {
            "",
            "Reads a history, by name compressed (.gz) or not, and looks for anomalies: reads of versions that were"
                    + " never committed, and cycles of transactions each of which must come before the next."
                    + " docs/checker.md describes the format and the verdicts. A history of locks, of the format"
                    + " rcc-locks, is checked against the promises of lock managers in docs/locks.md.",
            ""
        })
final class CheckCommand implements Callable<Integer> {
    private static final String JSON_FORMAT = "json";
    private static final String ELLE_FORMAT = "elle-edn";

    static final Option MODEL = Option.choice(
            "--model",
            Model.SERIALIZABLE.label(),
            Arrays.stream(Model.values()).map(Model::label).toList(),
            "Model that the history is checked against.");
    static final Option JSON =
            Option.text("--json", "", "a file that can be written", "File for the result as one JSON object.");
    static final Option EXPORT = Option.text(
            "--export",
            "",
            "a file that can be written",
            "File for the history in the format of --format; it is written, and not checked.");
    static final Option FORMAT = Option.choice(
            "--format",
            ELLE_FORMAT,
            List.of(ELLE_FORMAT, JSON_FORMAT),
            "Format of --export: for Elle, as a list-append history; or RCC's own.");
    static final OptionTable TABLE = new OptionTable("", List.of(MODEL, JSON, EXPORT, FORMAT));

    @Spec
    private CommandSpec spec;

    private CheckCommand() {}

    static CommandLine commandLine() {
        CommandLine command = CommandOptions.command(
                new CheckCommand(),
                TABLE,
                "Exit codes: 0 no anomaly; 1 an anomaly; 2 bad input.",
                "",
                "Examples:",
                "  rcc check history.json.gz",
                "  rcc check history.json --model strict-serializable --json result.json",
                "  rcc check history.json --format elle-edn --export history.edn");
        command.getCommandSpec()
                .addPositional(PositionalParamSpec.builder()
                        .paramLabel("<history>")
                        .index("0")
                        .arity("1")
                        .required(true)
                        .type(String.class)
                        .description("File with the history.")
                        .build());
        return command;
    }

    @Override
    public Integer call() throws IOException {
        try {
            ParseResult parsed = spec.commandLine().getParseResult();
            Map<String, String> given = CommandOptions.given(parsed, TABLE);
            OptionValues values = values(given);
            String name = parsed.matchedPositionalValue(0, "");
            if (isOfLocks(name)) {
                return checkLocks(Path.of(name), values);
            }
            OutputFiles files = OutputFiles.of(given, JSON, EXPORT);
            files.checkKeep(name);
            Optional<Path> export = files.file(EXPORT);
            History history = read(name);
            return export.isPresent()
                    ? export(history, values, export.get())
                    : check(history, values, files.file(JSON));
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    /**
     * The options that were given.
     *
     * @throws IllegalArgumentException for options that do not go together
     */
    static OptionValues values(Map<String, String> given) {
        OptionValues values = TABLE.parse(given);
        if (values.isGiven(FORMAT) && !values.isGiven(EXPORT)) {
            throw values.refuse(FORMAT, "only with --export <file>, which says where to");
        }
        if (values.isGiven(EXPORT) && (values.isGiven(JSON) || values.isGiven(MODEL))) {
            throw values.refuse(EXPORT, "without --json and --model, for then nothing is checked");
        }
        return values;
    }

    private static boolean isOfLocks(String name) throws IOException {
        try {
            Path file = Path.of(name);
            return Files.isRegularFile(file) && LockHistoryFile.isOne(file);
        } catch (FileSystemException | InvalidPathException e) {
            return false; // the method that reads the history reports why
        }
    }

    private int checkLocks(Path file, OptionValues values) throws IOException {
        values.refuseGiven(
                List.of(MODEL, JSON, EXPORT), "only for a history of transactions, and this one is of locks");
        LockCheckResult checked = LockChecker.check(LockHistoryFile.read(file));
        PrintWriter out = spec.commandLine().getOut();
        out.print(checked.report());
        out.flush();
        return checked.isClean() ? Rcc.OK : Rcc.FAILED;
    }

    private int check(History history, OptionValues values, Optional<Path> json) throws IOException {
        Model model = Arrays.stream(Model.values())
                .filter(m -> m.label().equals(values.text(MODEL)))
                .findFirst()
                .orElseThrow();
        CheckResult checked = Checker.check(history, model);
        PrintWriter out = spec.commandLine().getOut();
        out.print(checked.report());
        out.flush();
        if (json.isPresent()) {
            Files.writeString(json.get(), toJson(checked));
        }
        return checked.isClean() ? Rcc.OK : Rcc.FAILED;
    }

    private int export(History history, OptionValues values, Path file) throws IOException {
        if (values.text(FORMAT).equals(ELLE_FORMAT)) {
            ElleEdn.write(history, file);
        } else {
            history.write(file);
        }
        spec.commandLine()
                .getOut()
                .format(
                        Locale.ROOT,
                        "wrote %,d transactions to %s as %s%n",
                        history.size(),
                        values.text(EXPORT),
                        values.text(FORMAT));
        return Rcc.OK;
    }

    private static History read(String name) throws IOException {
        try {
            Path file = Path.of(name);
            if (Files.isDirectory(file)) {
                throw new FileSystemException(name, null, "it is a directory");
            }
            return History.read(file);
        } catch (FileSystemException | InvalidPathException e) {
            throw new IllegalArgumentException(
                    "<history>: got '" + name + "', allowed: a file that can be read (" + e + ")", e);
        }
    }

    private static String toJson(CheckResult checked) {
        JsonMapper mapper = JsonMapper.builder().build();
        ObjectNode json = mapper.createObjectNode();
        json.put("model", checked.model().label());
        json.put("clean", checked.isClean());
        json.put("transactions", checked.transactions());
        json.put("edges", checked.edges());
        ArrayNode findings = json.putArray("findings");
        for (Finding finding : checked.findings()) {
            ObjectNode node = findings.addObject();
            node.put("anomaly", finding.anomaly().label());
            node.put("title", finding.title());
            finding.transactions().forEach(node.putArray("transactions")::add);
            finding.reasons().forEach(node.putArray("reasons")::add);
            finding.operations().forEach(node.putArray("operations")::add);
        }
        checked.remarks().forEach(json.putArray("notes")::add);
        return mapper.writerWithDefaultPrettyPrinter().writeValueAsString(json) + "\n";
    }
}
