package dev.rcc.bench.cli;

import dev.rcc.bench.driver.Manifest;
import dev.rcc.bench.locks.cluster.LockSchemes;
import dev.rcc.bench.verify.Hunt;
import dev.rcc.bench.verify.HuntFile;
import dev.rcc.bench.verify.Scenario;
import dev.rcc.bench.verify.Scenario.FaultKind;
import dev.rcc.bench.verify.Trial;
import dev.rcc.bench.verify.TrialSummary;
import dev.rcc.core.cluster.Zones;
import dev.rcc.core.option.Option;
import dev.rcc.core.option.OptionTable;
import dev.rcc.core.option.OptionValues;
import dev.rcc.core.protocol.HybridCode;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.protocols.Protocols;
import dev.rcc.server.process.Datacenters;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
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
            "Each seed is a small cluster in virtual time with its own shape, workload, hybrid code, network and"
                    + " faults. Its data is checked at the end, and its history for serializability. A seed always does"
                    + " the same: a violation is replayed by the command that is printed with it. An error that is"
                    + " logged, or thrown, is a violation, too; it ends its trial, and the hunt goes on.",
            ""
        })
final class VerifyCommand implements Callable<Integer> {
    private static final String ANY = "any";
    /** Larger clusters take longer, and show no more anomalies. */
    private static final int NODES_MAX = 16;
    /** A hunt of this many seeds must hit every window. */
    private static final long SEEDS_OF_ALL_WINDOWS = 1_000;
    /** The prefix of a window's name among the counts of a trial. */
    private static final String WINDOW = "window: ";

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
            Stream.of(
                            Stream.of(ANY),
                            Scenario.WORKLOADS.stream(),
                            Stream.of(Scenario.TPCC),
                            Scenario.BESIDE.stream(),
                            Stream.of(Scenario.FRAGMENTS))
                    .flatMap(each -> each)
                    .toList(),
            "Only this workload; clients are clients of gateways, indexes are records with secondary indexes,"
                    + " read-first is churn that decides to write a record after it has read it, overflow is churn in"
                    + " tables that overflow, fragments are transactions that any node can run.");
    private static final Option CODE = Option.text(
            "--code",
            "",
            "a hybrid code of the protocol",
            "Only this hybrid code, in place of any that is admissible.");
    private static final Option FAULTS = Option.text(
            "--faults",
            ANY,
            ANY + ", or one or several, with commas, of "
                    + Stream.of(FaultKind.values()).map(FaultKind::label).collect(Collectors.joining(", ")),
            "Only these faults, one of them for each seed.");
    private static final Option DATACENTERS = Option.text(
            "--datacenters",
            "",
            "a name for each node, by id, with commas, for 2 to 16 nodes",
            "Data centre of each node, as in a,a,b,b; in place of the nodes and data centres that a seed draws.");
    private static final Option HISTORY = Option.text(
            "--history",
            "",
            "a file that can be written",
            "File for the history of one seed of one protocol or lock manager, for 'rcc check'. Of a seed with several"
                    + " trials, it is that of the first one that fails, or else of the first one.");

    private static final Option THREADS =
            CommandOptions.threads("Trials that run at a time; the findings do not depend on it.");
    private static final Option RESUME = Option.text(
            "--resume",
            "",
            "a file that can be written",
            "File that keeps the results of finished trials: the same command, of the same build, goes on after them.");

    private static final Option LOCKS = Option.text(
            "--locks",
            "",
            "all, or one or several, with commas, of " + String.join(", ", LockSchemes.names()),
            "Lock managers to verify, in place of protocols.");

    static final OptionTable TABLE = new OptionTable(
            "", List.of(PROTOCOL, SEEDS, SEED, WORKLOAD, CODE, FAULTS, DATACENTERS, HISTORY, THREADS, RESUME, LOCKS));

    @Spec
    private CommandSpec spec;

    private final Function<Scenario, Trial> runner;
    /** The options that narrowed the choice, as they were given: without them a seed is another scenario. */
    private String choice = "";

    /** The values given with {@code -O}. */
    private Map<String, String> protocolOptions = Map.of();

    private Optional<Path> historyFile = Optional.empty();
    /** The results of earlier hunts that are kept, or null. */
    private HuntFile before;

    private VerifyCommand(Function<Scenario, Trial> runner) {
        this.runner = runner;
    }

    /** The command, with the function that runs scenarios; tests replace {@link Trial#run}. */
    static CommandLine commandLine(Function<Scenario, Trial> runner) {
        return CommandOptions.protocolCommand(
                new VerifyCommand(runner),
                TABLE,
                "Example: two hundred seeds of each protocol",
                "  rcc verify --protocol all --seeds 200",
                "Example: a night's hunt, to be stopped and gone on with",
                "  rcc verify --protocol all --seeds 10000 --resume hunt.json",
                "Example: with an option of a protocol that is not drawn",
                "  rcc verify --protocol mvcc -O mvcc.versions=2 --seeds 100",
                "Example: two hundred seeds of each lock manager",
                "  rcc verify --locks all --seeds 200",
                "Example: one seed again, with its history",
                "  rcc verify --protocol nowait --seed 17 --history h.json && rcc check h.json");
    }

    /** A task: a seed of a protocol. */
    private record Task(Protocol protocol, Scenario.Wish wish, long seed) {}

    /** One of a task's trials; {@code choice} narrows the command to it. */
    private record Case(Scenario scenario, String choice) {}

    /** The result of a task; a trial, the first that failed or the first, only if its history is wanted. */
    private record Result(TrialSummary summary, Trial trial) {}

    @Override
    public Integer call() throws IOException {
        ParseResult parsed = spec.commandLine().getParseResult();
        OptionValues values;
        Targets targets;
        try {
            Map<String, String> given = CommandOptions.given(parsed, TABLE);
            values = TABLE.parse(given);
            targets = targets(values, CommandOptions.protocolOptions(parsed));
            OutputFiles files = OutputFiles.of(given, HISTORY, RESUME);
            historyFile = files.file(HISTORY);
            Optional<Path> resumed = files.file(RESUME);
            before = resumed.isPresent() ? resume(resumed.get(), values) : null;
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
        return targets.locks().isEmpty()
                ? run(targets.protocols(), targets.seeds(), values)
                : new LockHunt(spec.commandLine().getOut(), values.intValue(THREADS), historyFile)
                        .run(targets.locks(), targets.seeds());
    }

    /** What is verified: protocols or lock managers, the others are empty, each with all seeds. */
    record Targets(List<Protocol> protocols, List<LockSchemes.Choice> locks, SeedRange seeds) {}

    /**
     * What the options name. Sets the options that narrow the choice of each protocol.
     *
     * @throws IllegalArgumentException for options that do not go together
     */
    Targets targets(OptionValues values, List<String> givenProtocolOptions) {
        SeedRange seeds = seeds(values);
        Targets targets = values.isGiven(LOCKS)
                ? new Targets(List.of(), locks(values, givenProtocolOptions), seeds)
                : new Targets(protocols(values, givenProtocolOptions), List.of(), seeds);
        if (values.isGiven(HISTORY)) {
            checkHistory(values.text(HISTORY), targets);
        }
        return targets;
    }

    /** A file has one history. So that none replaces another, there must be only one. */
    private static void checkHistory(String file, Targets targets) {
        boolean isOfLocks = !targets.locks().isEmpty();
        String what = isOfLocks ? "lock manager" : "protocol";
        int count = isOfLocks ? targets.locks().size() : targets.protocols().size();
        if (count > 1 || targets.seeds().count() > 1) {
            throw new IllegalArgumentException(String.format(
                    Locale.ROOT,
                    "%s: got '%s' for %s of %s, allowed: one seed of one %s, as in the command that replays an anomaly",
                    HISTORY,
                    file,
                    counted(targets.seeds().count(), "seed"),
                    counted(count, what),
                    what));
        }
    }

    private static String counted(long count, String what) {
        return count + " " + what + (count == 1 ? "" : "s");
    }

    /** The protocols to verify; sets the options that narrow the choice of each. */
    private List<Protocol> protocols(OptionValues values, List<String> givenProtocolOptions) {
        for (Option option : List.of(WORKLOAD, CODE, FAULTS, DATACENTERS)) {
            choice += values.isGiven(option) ? " " + option.key() + " " + values.text(option) : "";
        }
        List<String> names = BenchPlan.protocols(PROTOCOL, values.text(PROTOCOL));
        protocolOptions = ProtocolOptions.parse(givenProtocolOptions, names);
        protocolOptions.forEach((key, value) -> choice += " -O " + key + "=" + value);
        List<Protocol> protocols = names.stream().map(Protocols::byName).toList();
        protocols.forEach(protocol -> wish(protocol, values));
        return protocols;
    }

    /** The lock managers to verify. */
    private static List<LockSchemes.Choice> locks(OptionValues values, List<String> givenProtocolOptions) {
        values.refuseGiven(
                List.of(PROTOCOL, WORKLOAD, CODE, FAULTS, DATACENTERS, RESUME),
                "only for protocols, without " + LOCKS.key());
        if (!givenProtocolOptions.isEmpty()) {
            throw new IllegalArgumentException("-O sets options of a protocol; it cannot be used with " + LOCKS.key());
        }
        return LockHunt.choices(LOCKS, values.text(LOCKS));
    }

    private HuntFile resume(Path file, OptionValues values) throws IOException {
        Manifest manifest = Manifest.here();
        try {
            return HuntFile.open(file, new HuntFile.Origin(manifest.version(), manifest.commit(), choice));
        } catch (IllegalArgumentException e) {
            throw values.refuse(RESUME, "a new file, or one of the same build and options (" + e.getMessage() + ")");
        }
    }

    private static SeedRange seeds(OptionValues values) {
        long count = values.isGiven(SEED) && !values.isGiven(SEEDS) ? 1 : values.integer(SEEDS);
        return SeedRange.of(SEED, values.integer(SEED), SEEDS, count);
    }

    private int run(List<Protocol> protocols, SeedRange seeds, OptionValues values) throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        HuntProgress progress = HuntProgress.of(
                spec.commandLine().getErr(), seeds.count() * protocols.size(), values.intValue(THREADS));
        out.format("  %-9s %7s %13s %11s   %s%n", "protocol", "seeds", "transactions", "anomalies", "faults injected");
        out.flush();
        boolean clean = true;
        for (Protocol protocol : protocols) {
            Scenario.Wish wish = wish(protocol, values);
            Iterator<Task> tasks = seeds.stream()
                    .mapToObj(seed -> new Task(protocol, wish, seed))
                    .iterator();
            clean &= runAll(protocol, wish, tasks, values.intValue(THREADS), progress);
        }
        out.format("  %s%n", progress.total());
        out.flush();
        return clean ? Rcc.OK : Rcc.FAILED;
    }

    /** Runs all tasks, and prints the same as if the trials ran one after the other. */
    private boolean runAll(
            Protocol protocol, Scenario.Wish wish, Iterator<Task> tasks, int threads, HuntProgress progress)
            throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        Tally tally = new Tally();
        Trial[] kept = new Trial[1];
        Hunt.<Task, Result>run(tasks, threads, this::run, result -> {
            tally.add(result.summary());
            if (!result.summary().isClean()) {
                progress.clear();
                out.print(result.summary().anomaly());
                out.flush();
            }
            kept[0] = result.trial();
            progress.ended(result.summary());
        });
        progress.clear();
        out.format(
                Locale.ROOT,
                "  %-9s %,7d %,13d %,11d   %s%n",
                protocol.name(),
                tally.seeds,
                tally.transactions,
                tally.anomalies,
                describe(tally.counts));
        if (!tally.windows.isEmpty()) {
            out.format("  %-9s windows hit: %s%n", "", describe(tally.windows));
        }
        boolean isThorough = hitsAllWindows(tally, Scenario.windows(protocol, wish));
        out.flush();
        if (historyFile.isPresent()) {
            kept[0].history().write(historyFile.get());
        }
        return isThorough && tally.anomalies == 0;
    }

    /** Whether a hunt hit every window that it must hit. A hunt of many seeds that never hits a window does not search there. */
    private boolean hitsAllWindows(Tally tally, List<String> windows) {
        String missed = windows.stream()
                .filter(window -> !tally.windows.containsKey(window))
                .collect(Collectors.joining(", "));
        if (missed.isEmpty() || tally.seeds < SEEDS_OF_ALL_WINDOWS) {
            return true;
        }
        spec.commandLine()
                .getOut()
                .format(Locale.ROOT, "  %-9s WINDOWS NEVER HIT in %,d seeds: %s%n", "", tally.seeds, missed);
        return false;
    }

    private Result run(Task task) {
        boolean wantsHistory = historyFile.isPresent();
        TrialSummary done = before == null || wantsHistory
                ? null
                : before.find(task.protocol().name(), task.seed());
        if (done != null) {
            return new Result(done, null);
        }
        TrialSummary summary = null;
        Trial kept = null;
        for (Case each : cases(task)) {
            Trial trial = runner.apply(each.scenario());
            TrialSummary own = summary(task, trial, each.choice());
            summary = summary == null ? own : summary.and(own);
            kept = kept == null || (kept.isClean() && !trial.isClean()) ? trial : kept;
        }
        if (before != null) {
            before.append(summary);
        }
        return new Result(summary, wantsHistory ? kept : null);
    }

    private List<Case> cases(Task task) {
        List<Case> cases = new ArrayList<>();
        cases.add(new Case(Scenario.draw(task.protocol(), task.seed(), task.wish()), choice));
        Scenario.second(task.protocol(), task.seed(), task.wish())
                .ifPresent(second -> cases.add(only(second, Scenario.beside(task.seed()))));
        Scenario.third(task.protocol(), task.seed(), task.wish())
                .ifPresent(third -> cases.add(only(third, Scenario.FRAGMENTS)));
        return cases;
    }

    private Case only(Scenario scenario, String workload) {
        return new Case(scenario, " " + WORKLOAD.key() + " " + workload + choice);
    }

    private static TrialSummary summary(Task task, Trial trial, String choice) {
        Map<String, Long> counts = new LinkedHashMap<>();
        trial.faults().forEach((kind, count) -> counts.put(kind.toString(), count));
        trial.windows().forEach((window, count) -> counts.put(WINDOW + window, count));
        return new TrialSummary(
                task.protocol().name(),
                task.seed(),
                trial.committed(),
                counts,
                trial.isClean() ? "" : describe(trial, choice));
    }

    /** Sums of the trials of a protocol. */
    private static final class Tally {
        private final Map<String, Long> counts = new LinkedHashMap<>();
        private final Map<String, Long> windows = new TreeMap<>();
        private long seeds;
        private long transactions;
        private long anomalies;

        void add(TrialSummary trial) {
            seeds++;
            transactions += trial.transactions();
            anomalies += trial.isClean() ? 0 : 1;
            trial.counts().forEach((what, count) -> {
                if (what.startsWith(WINDOW)) {
                    windows.merge(what.substring(WINDOW.length()), count, Long::sum);
                } else {
                    counts.merge(what, count, Long::sum);
                }
            });
        }
    }

    /** The anomalies of a trial; {@code choice} narrows the drawn scenario to this trial. */
    private static String describe(Trial trial, String choice) {
        StringBuilder text = new StringBuilder();
        text.append("\n  ANOMALY in ").append(trial.scenario()).append('\n');
        trial.violations()
                .forEach(violation -> text.append("    - ").append(violation).append('\n'));
        if (!trial.checked().isClean()) {
            text.append("    ")
                    .append(trial.checked().report().stripTrailing().replace("\n", "\n    "))
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

    private static String describe(Map<String, Long> faults) {
        String counts = faults.entrySet().stream()
                .filter(entry -> entry.getValue() > 0)
                .map(entry -> String.format(Locale.ROOT, "%,d %s", entry.getValue(), entry.getKey()))
                .collect(Collectors.joining(", "));
        return counts.isEmpty() ? "none" : counts;
    }

    private Scenario.Wish wish(Protocol protocol, OptionValues values) {
        String workload = values.text(WORKLOAD);
        List<String> faults = faults(protocol, values);
        Predicate<HybridCode> code = any -> true;
        if (values.isGiven(CODE)) {
            try {
                HybridCode wanted = HybridCode.parse(protocol, values.text(CODE));
                Scenario.refusal(protocol, wanted, protocolOptions).ifPresent(reason -> {
                    throw new IllegalArgumentException(reason);
                });
                code = each -> each.digits().equals(wanted.digits());
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(CODE + ": " + e.getMessage(), e);
            }
        }
        return new Scenario.Wish(
                each -> workload.equals(ANY) || each.equals(workload),
                code,
                each -> faults.isEmpty() || faults.contains(each.label()),
                true,
                protocolOptions,
                zones(values));
    }

    /** The fault kinds that were asked for; empty if any kind will do. */
    private List<String> faults(Protocol protocol, OptionValues values) {
        String text = values.text(FAULTS);
        List<String> faults = text.equals(ANY) ? List.of() : List.of(text.split(",", -1));
        List<String> known = Stream.of(FaultKind.values()).map(FaultKind::label).toList();
        if (!known.containsAll(faults)) {
            throw values.refuse(FAULTS, FAULTS.allowed());
        }
        List<String> ending = Stream.of(FaultKind.values())
                .filter(kind -> Scenario.comesToAnEnd(protocol, kind, protocolOptions))
                .map(FaultKind::label)
                .toList();
        if (!ending.containsAll(faults)) {
            throw values.refuse(
                    FAULTS,
                    "of " + String.join(", ", ending) + " with these options of " + protocol.name()
                            + ", because with them a lost lock becomes free only in the next configuration");
        }
        return faults;
    }

    private static Optional<Zones> zones(OptionValues values) {
        if (!values.isGiven(DATACENTERS)) {
            return Optional.empty();
        }
        String text = values.text(DATACENTERS);
        Zones zones = Datacenters.parse(DATACENTERS, text, text.split(",", -1).length);
        if (zones.nodes() < 2 || zones.nodes() > NODES_MAX) {
            throw values.refuse(DATACENTERS, DATACENTERS.allowed());
        }
        List<String> faults = List.of(values.text(FAULTS).split(",", -1));
        boolean needsZones = Stream.of(FaultKind.values())
                .filter(Scenario::needsZones)
                .anyMatch(kind -> faults.contains(kind.label()));
        if (needsZones && zones.count() == 1) {
            throw values.refuse(
                    DATACENTERS, "two data centres or more with " + FAULTS.key() + " " + values.text(FAULTS));
        }
        return Optional.of(zones);
    }
}
