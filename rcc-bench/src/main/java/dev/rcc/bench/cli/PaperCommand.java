package dev.rcc.bench.cli;

import dev.rcc.bench.driver.BenchConfig;
import dev.rcc.bench.driver.BenchResult;
import dev.rcc.bench.driver.Manifest;
import dev.rcc.bench.locks.run.LockBench;
import dev.rcc.bench.paper.BenchExperiment;
import dev.rcc.bench.paper.Book;
import dev.rcc.bench.paper.Claim;
import dev.rcc.bench.paper.Condition;
import dev.rcc.bench.paper.Evidence;
import dev.rcc.bench.paper.Experiments;
import dev.rcc.bench.paper.Lab;
import dev.rcc.bench.paper.LockExperiment;
import dev.rcc.bench.paper.Measured;
import dev.rcc.bench.paper.PaperJson;
import dev.rcc.bench.paper.Scale;
import dev.rcc.bench.paper.SeriesChart;
import dev.rcc.bench.paper.Setup;
import dev.rcc.bench.paper.VerdictTable;
import dev.rcc.bench.papers.Books;
import dev.rcc.bench.verify.Hunt;
import dev.rcc.core.option.Option;
import dev.rcc.core.option.OptionTable;
import dev.rcc.core.option.OptionValues;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
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

/** {@code rcc paper}: tests the claims that a paper makes in words. */
@Command(
        name = "paper",
        mixinStandardHelpOptions = true,
        versionProvider = Rcc.Version.class,
        sortOptions = false,
        header = "Tests the claims of a paper's text on a model of its cluster.",
        description = {
            "",
            "Makes the runs of each claim, and prints the claim, the measured figures, and whether the claim holds by a"
                    + " criterion that was fixed before: HELD, NOT HELD, UNDECIDED (with some seeds it holds), DEPENDS"
                    + " (on costs that have no source), NOT TESTED, or VIOLATED (the data of a run was not correct). Runs on the simulated network are marked"
                    + " MODELLED. The exit code says whether all runs were in order, not whether the claims hold.",
            ""
        })
final class PaperCommand implements Callable<Integer> {
    private static final String ALL = "all";
    /** The warm-up of runs in real time, in seconds. */
    private static final double REAL_WARMUP = 0.5;

    private static final double REAL_SECONDS = 1.5;

    static final Option LIST = Option.flag("--list", "Print the papers and their sections; nothing runs.");
    private static final Option SECTION =
            Option.text("--section", ALL, "all, or a section of the paper", "Only the claims of this section.");
    private static final Option WARMUP = Option.decimal(
            "--warmup",
            0.0005,
            0,
            10,
            "seconds",
            "How long to run before measuring, in virtual time; 0.5 on a network that is not simulated.");
    private static final Option SECONDS = Option.decimal(
            "--seconds",
            0.0015,
            0.0001,
            10,
            "seconds",
            "How long to measure, in virtual time; 1.5 on a network that is not simulated. Runs of slower transactions take"
                    + " longer. Runs of lock managers have times of their own.");
    private static final Option RECORDS = Option.integer(
            "--records",
            20_000,
            1000,
            1_000_000_000,
            "records",
            "Records of YCSB and customers of SmallBank per node, where the paper's claims give no number.");
    private static final Option SEEDS = Option.integer(
            "--seeds",
            5,
            1,
            1000,
            "seeds",
            "How many seeds all runs are made with, from --seed on; a claim is decided if it comes out alike with each.");
    private static final Option PROFILE_ONLY =
            Option.flag("--profile-only", "Leave out the runs with other costs, at the ends of the assumed ranges.");
    private static final Option THREADS = CommandOptions.threads(
            "How many run at a time, if all are simulated; otherwise one by one. The figures do not depend on it.");
    private static final Option FROM = Option.text(
            "--from",
            "",
            "a file that --json wrote",
            "Print and write the findings of an earlier run, from the JSON that it wrote; nothing runs.");
    private static final Option VERDICTS = Option.text(
            "--table", "", "a file that can be written", "Write the claims and their verdicts as a table in Markdown.");
    private static final Option CHARTS = Option.text(
            "--charts",
            "",
            "a directory",
            "Write an SVG for each claim about series, with the authors' own figures where they have published them.");
    private static final List<Option> OF_RUNS =
            List.of(WARMUP, SECONDS, RECORDS, BenchOptions.SEED, SEEDS, PROFILE_ONLY, THREADS, BenchOptions.JSON);
    static final OptionTable TABLE = new OptionTable(
            "",
            List.of(
                    LIST,
                    SECTION,
                    WARMUP,
                    SECONDS,
                    RECORDS,
                    BenchOptions.SEED,
                    SEEDS,
                    PROFILE_ONLY,
                    THREADS,
                    BenchOptions.JSON,
                    FROM,
                    VERDICTS,
                    CHARTS));

    private final Rcc.Bench bench;

    @Spec
    private CommandSpec spec;

    /** The troubles of runs, in words; used by several threads. */
    private final List<String> troubles = Collections.synchronizedList(new ArrayList<>());

    private PaperCommand(Rcc.Bench bench) {
        this.bench = bench;
    }

    static CommandLine commandLine(Rcc.Bench bench) {
        List<String> footer = new ArrayList<>();
        footer.add("Papers and their sections:");
        Books.all().forEach(book -> footer.add("  " + book.name() + "  " + String.join(", ", book.numbers())));
        footer.add("");
        footer.add("Example: what RCC says about contention");
        footer.add("  rcc paper rcc --section 6.4 --json contention.json");
        CommandLine command = CommandOptions.command(new PaperCommand(bench), TABLE, footer.toArray(String[]::new));
        command.getCommandSpec()
                .addPositional(PositionalParamSpec.builder()
                        .index("0")
                        .arity("0..1")
                        .paramLabel("<paper>")
                        .type(String.class)
                        .description("The paper: " + String.join(", ", Books.names()) + ".")
                        .build());
        return command;
    }

    @Override
    public Integer call() throws InterruptedException, IOException {
        ParseResult parsed = spec.commandLine().getParseResult();
        Map<String, String> given = CommandOptions.given(parsed, TABLE);
        String paper = parsed.matchedPositionalValue(0, "");
        PrintWriter out = spec.commandLine().getOut();
        Wish wish;
        List<Claim.Finding> findings;
        try {
            OptionValues values = TABLE.parse(given);
            if (values.isGiven(LIST)) {
                out.print(PaperReport.list(paper.isEmpty() ? Books.all() : List.of(book(paper))));
                return Rcc.OK;
            }
            Book book = book(paper, values);
            wish = wish(values.isGiven(PROFILE_ONLY) ? book.withoutAssumptions() : book, values, given);
            findings = values.isGiven(FROM) ? found(wish.book(), values) : List.of();
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
        if (findings.isEmpty()) {
            findings = run(wish);
        } else {
            print(wish.book(), findings);
        }
        if (wish.table().isPresent()) {
            Files.writeString(wish.table().get(), VerdictTable.of(wish.book(), findings));
        }
        if (wish.charts().isPresent()) {
            writeCharts(wish.charts().get(), findings);
        }
        boolean isOk = troubles.isEmpty() && findings.stream().noneMatch(Claim.Finding::isViolated);
        return isOk ? Rcc.OK : Rcc.FAILED;
    }

    /**
     * The part of a paper that the options name.
     *
     * @throws IllegalArgumentException if there is none, or for options that do not go together
     */
    static Book book(String paper, OptionValues values) {
        if (values.isGiven(FROM)) {
            values.refuseGiven(OF_RUNS, "nothing with " + FROM + ", as nothing runs");
        }
        return section(book(paper), values);
    }

    /** The options of one call. */
    private record Wish(
            Book book,
            Scale scale,
            int seeds,
            int threads,
            Optional<Path> json,
            Optional<Path> table,
            Optional<Path> charts) {}

    private static Wish wish(Book book, OptionValues values, Map<String, String> given) {
        OutputFiles files = OutputFiles.of(given, BenchOptions.JSON, VERDICTS);
        SeedRange.of(BenchOptions.SEED, values.integer(BenchOptions.SEED), SEEDS, values.integer(SEEDS));
        return new Wish(
                book,
                scale(book, values),
                (int) values.integer(SEEDS),
                (int) values.integer(THREADS),
                files.file(BenchOptions.JSON),
                files.file(VERDICTS),
                values.isGiven(CHARTS) ? Optional.of(directory(values)) : Optional.empty());
    }

    private static Path directory(OptionValues values) {
        try {
            return Files.createDirectories(Path.of(values.text(CHARTS)));
        } catch (IOException | InvalidPathException e) {
            throw new IllegalArgumentException(
                    CHARTS + ": got '" + values.text(CHARTS) + "', allowed: " + CHARTS.allowed() + " (" + e + ")", e);
        }
    }

    /** The findings of an earlier run about the book's claims. */
    private static List<Claim.Finding> found(Book book, OptionValues values) {
        String file = values.text(FROM);
        try {
            List<Claim.Finding> all = PaperJson.findings(Books.byName(book.name()), Files.readString(Path.of(file)));
            List<Claim.Finding> wanted = all.stream()
                    .filter(finding -> book.numbers().contains(finding.section()))
                    .toList();
            if (wanted.isEmpty()) {
                throw new IllegalArgumentException("it has no claim of section " + String.join(", ", book.numbers()));
            }
            return wanted;
        } catch (IOException | RuntimeException e) {
            throw new IllegalArgumentException(
                    FROM + ": got '" + file + "', allowed: " + FROM.allowed() + " (" + e.getMessage() + ")", e);
        }
    }

    private void print(Book book, List<Claim.Finding> findings) {
        PrintWriter out = spec.commandLine().getOut();
        findings.forEach(finding -> out.print(PaperReport.describe(finding)));
        out.print(PaperReport.verdicts(book, findings));
        out.flush();
    }

    private static void writeCharts(Path directory, List<Claim.Finding> findings) throws IOException {
        Map<String, Integer> claims = new LinkedHashMap<>();
        for (Claim.Finding finding : findings) {
            int number = claims.merge(finding.section(), 1, Integer::sum);
            Optional<String> chart = SeriesChart.of(finding);
            if (chart.isPresent()) {
                Files.writeString(directory.resolve(finding.section() + "-" + number + ".svg"), chart.get());
            }
        }
    }

    private List<Claim.Finding> run(Wish wish) throws InterruptedException, IOException {
        PrintWriter out = spec.commandLine().getOut();
        Book book = wish.book();
        List<Condition> conditions = Condition.of(book, wish.scale().seed(), wish.seeds());
        out.print(PaperReport.header(book, wish.scale(), conditions));
        out.flush();
        Map<Condition, Lab> labs = run(book, wish.scale(), conditions, wish.threads());
        List<Claim.Finding> findings = book.judge(Evidence.of(book, labs, book.published()));
        out.println();
        print(book, findings);
        troubles.forEach(out::print);
        out.print(PaperReport.runs(book.setups(), conditions.size()));
        out.flush();
        if (wish.json().isPresent()) {
            Files.writeString(wish.json().get(), PaperJson.toText(book, findings, labs, wish.scale(), Manifest.here()));
        }
        return findings;
    }

    /** Makes all runs; the runs of a condition share one thread. */
    private Map<Condition, Lab> run(Book book, Scale scale, List<Condition> conditions, int threads) {
        boolean isModelled =
                book.setups().stream().allMatch(setup -> setup.network().isModelled());
        Map<Condition, Lab> labs = new LinkedHashMap<>();
        RunProgress progress = RunProgress.of(
                spec.commandLine().getErr(),
                (long) conditions.size() * book.setups().size());
        Iterator<Condition> each = conditions.iterator();
        Hunt.<Condition, Map.Entry<Condition, Lab>>run(
                each,
                isModelled ? threads : 1,
                condition -> Map.entry(condition, run(book, condition, scale.withSeed(condition.seed()), progress)),
                done -> {
                    labs.put(done.getKey(), done.getValue());
                    progress.clear();
                    PrintWriter out = spec.commandLine().getOut();
                    out.print(PaperReport.ran(
                            done.getKey(), done.getValue().done().size()));
                    out.flush();
                });
        return labs;
    }

    private Lab run(Book book, Condition condition, Scale scale, RunProgress progress) {
        Experiments experiments = new Experiments(
                new BenchExperiment(bench::run, scale, this::look), new LockExperiment(LockBench::run, scale.seed()));
        try {
            return book.run(condition, setup -> {
                Measured measured = experiments.run(setup);
                progress.ran();
                return measured;
            });
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    private static Book book(String name) {
        try {
            return Books.byName(name);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("<paper>: " + e.getMessage(), e);
        }
    }

    private static Book section(Book book, OptionValues values) {
        String section = values.text(SECTION);
        if (section.equals(ALL)) {
            return book;
        }
        if (!book.numbers().contains(section)) {
            throw values.refuse(SECTION, "one of " + ALL + ", " + String.join(", ", book.numbers()));
        }
        return book.only(section);
    }

    private static Scale scale(Book book, OptionValues values) {
        if (book.setups().stream().noneMatch(Setup::isScaled)) {
            values.refuseGiven(
                    List.of(WARMUP, SECONDS, RECORDS), "nothing for this paper, whose runs each have their own");
        }
        BenchConfig.Times simulated = new BenchConfig.Times(values.decimal(WARMUP), values.decimal(SECONDS));
        BenchConfig.Times real = new BenchConfig.Times(
                values.isGiven(WARMUP) ? simulated.warmupSeconds() : REAL_WARMUP,
                values.isGiven(SECONDS) ? simulated.seconds() : REAL_SECONDS);
        return new Scale(simulated, real, values.integer(RECORDS), values.integer(BenchOptions.SEED));
    }

    /** Keeps the troubles of a run, if it has any. */
    private void look(BenchResult result) {
        if (!result.isOk()) {
            troubles.add(Report.troubles(result));
        }
    }
}
