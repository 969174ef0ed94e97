package dev.rcc.bench.cli;

import dev.rcc.bench.option.Option;
import dev.rcc.bench.option.OptionTable;
import dev.rcc.bench.option.OptionValues;
import dev.rcc.bench.verify.Scenario;
import dev.rcc.bench.verify.Scenario.Weather;
import dev.rcc.bench.verify.Trial;
import dev.rcc.core.protocol.HybridCode;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.protocols.Protocols;
import dev.rcc.transport.sim.Faults;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** {@code rcc verify}: hunts for anomalies in simulated clusters. */
@Command(
        name = "verify",
        mixinStandardHelpOptions = true,
        versionProvider = Rcc.Version.class,
        sortOptions = false,
        header = "Hunts for anomalies: runs simulated clusters with faults and checks every history.",
        description = {
            "",
            "Each seed is a small cluster in virtual time with its own shape, workload, hybrid code, network and faults."
                    + " Its data is checked at the end, and its history for serializability. A seed always does the same:"
                    + " what is found is replayed by the command that is printed with it.",
            ""
        })
final class VerifyCommand implements Callable<Integer> {
    private static final String ANY = "any";

    private static final Option PROTOCOL = Option.text(
            "--protocol",
            "all",
            "all, or one or several, with commas, of " + String.join(", ", Protocols.names()),
            "Protocols to verify.");
    private static final Option SEEDS =
            Option.integer("--seeds", 50, 1, 1_000_000, "seeds", "How many seeds for each protocol.");
    private static final Option SEED = Option.integer(
            "--seed", 1, 0, Long.MAX_VALUE, "", "The first seed; the only one, unless --seeds is given.");
    private static final Option WORKLOAD = Option.choice(
            "--workload",
            ANY,
            Stream.concat(Stream.of(ANY), Scenario.WORKLOADS.stream()).toList(),
            "Only this workload.");
    private static final Option CODE = Option.text(
            "--code",
            "",
            "a hybrid code of the protocol",
            "Only this hybrid code, in place of any that is admissible.");
    private static final Option FAULTS = Option.choice(
            "--faults",
            ANY,
            Stream.concat(Stream.of(ANY), Stream.of(Weather.values()).map(Weather::label))
                    .toList(),
            "Only these faults.");
    private static final Option HISTORY = Option.text(
            "--history", "", "a file that can be written", "File for the history of the last seed, for 'rcc check'.");

    private static final OptionTable TABLE =
            new OptionTable("", List.of(PROTOCOL, SEEDS, SEED, WORKLOAD, CODE, FAULTS, HISTORY));

    @Spec
    private CommandSpec spec;

    private final Function<Scenario, Trial> runner;
    /** What narrowed the choice, as it was given: a seed is another scenario without. */
    private String choice = "";

    private VerifyCommand(Function<Scenario, Trial> runner) {
        this.runner = runner;
    }

    /** The command, with whoever runs scenarios; tests put themselves in the place of {@link Trial#run}. */
    static CommandLine commandLine(Function<Scenario, Trial> runner) {
        return CommandOptions.command(
                new VerifyCommand(runner),
                TABLE,
                "Example: two hundred seeds of each protocol",
                "  rcc verify --protocol all --seeds 200",
                "Example: one seed again, with its history",
                "  rcc verify --protocol nowait --seed 17 --history h.json && rcc check h.json");
    }

    @Override
    public Integer call() throws IOException {
        ParseResult parsed = spec.commandLine().getParseResult();
        List<Scenario> scenarios = new ArrayList<>();
        Optional<Path> file;
        try {
            Map<String, String> given = CommandOptions.given(parsed, TABLE);
            OptionValues values = TABLE.parse(given);
            file = CommandOptions.writable(HISTORY, given);
            long first = values.integer(SEED);
            long count = values.isGiven(SEED) && !values.isGiven(SEEDS) ? 1 : values.integer(SEEDS);
            for (Option option : List.of(WORKLOAD, CODE, FAULTS)) {
                choice += values.isGiven(option) ? " " + option.key() + " " + values.text(option) : "";
            }
            for (String name : BenchPlan.protocols(PROTOCOL, values.text(PROTOCOL))) {
                Protocol protocol = Protocols.byName(name);
                Scenario.Wish wish = wish(protocol, values);
                for (long seed = first; seed < first + count; seed++) {
                    scenarios.add(Scenario.draw(protocol, seed, wish));
                }
            }
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
        return run(scenarios, file);
    }

    private int run(List<Scenario> scenarios, Optional<Path> file) throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        Map<String, List<Scenario>> byProtocol = scenarios.stream()
                .collect(Collectors.groupingBy(
                        scenario -> scenario.protocol().name(), LinkedHashMap::new, Collectors.toList()));
        out.format("  %-9s %7s %13s %11s   %s%n", "protocol", "seeds", "transactions", "anomalies", "faults injected");
        boolean clean = true;
        for (List<Scenario> each : byProtocol.values()) {
            clean &= runAll(each, out, file);
        }
        return clean ? Rcc.OK : Rcc.FAILED;
    }

    private boolean runAll(List<Scenario> scenarios, PrintWriter out, Optional<Path> file) throws IOException {
        long transactions = 0;
        Map<Faults.Kind, Long> faults = new EnumMap<>(Faults.Kind.class);
        List<Trial> dirty = new ArrayList<>();
        Trial trial = null;
        for (Scenario scenario : scenarios) {
            trial = runner.apply(scenario);
            transactions += trial.committed();
            trial.faults().forEach((kind, count) -> faults.merge(kind, count, Long::sum));
            if (!trial.isClean()) {
                dirty.add(trial);
                out.print(describe(trial));
                out.flush();
            }
        }
        out.format(
                Locale.ROOT,
                "  %-9s %,7d %,13d %,11d   %s%n",
                scenarios.getFirst().protocol().name(),
                scenarios.size(),
                transactions,
                dirty.size(),
                describe(faults));
        out.flush();
        if (file.isPresent() && trial != null) {
            trial.history().write(file.get());
        }
        return dirty.isEmpty();
    }

    private String describe(Trial trial) {
        StringBuilder text = new StringBuilder();
        text.append("\n  ANOMALY in ").append(trial.scenario()).append('\n');
        trial.violations()
                .forEach(violation -> text.append("    - ").append(violation).append('\n'));
        if (!trial.verdict().isClean()) {
            text.append("    ")
                    .append(trial.verdict().report().stripTrailing().replace("\n", "\n    "))
                    .append('\n');
        }
        return text.append("    replay: rcc verify --protocol ")
                .append(trial.scenario().protocol().name())
                .append(choice)
                .append(" --seed ")
                .append(trial.scenario().seed())
                .append("\n\n")
                .toString();
    }

    private static String describe(Map<Faults.Kind, Long> faults) {
        String counts = faults.entrySet().stream()
                .filter(entry -> entry.getValue() > 0)
                .map(entry -> String.format(Locale.ROOT, "%,d %s", entry.getValue(), entry.getKey()))
                .collect(Collectors.joining(", "));
        return counts.isEmpty() ? "none" : counts;
    }

    private static Scenario.Wish wish(Protocol protocol, OptionValues values) {
        String workload = values.text(WORKLOAD);
        String faults = values.text(FAULTS);
        Predicate<HybridCode> code = any -> true;
        if (values.isGiven(CODE)) {
            try {
                String digits = HybridCode.parse(protocol, values.text(CODE)).digits();
                code = each -> each.digits().equals(digits);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(CODE + ": " + e.getMessage(), e);
            }
        }
        return new Scenario.Wish(
                each -> workload.equals(ANY) || each.equals(workload),
                code,
                each -> faults.equals(ANY) || each.label().equals(faults));
    }
}
