package dev.rcc.bench.cli;

import dev.rcc.bench.driver.BenchConfig;
import dev.rcc.bench.driver.BenchNetwork;
import dev.rcc.bench.driver.BenchResult;
import dev.rcc.bench.driver.HybridChoice;
import dev.rcc.bench.driver.Manifest;
import dev.rcc.bench.paper.Claim;
import dev.rcc.bench.paper.Lab;
import dev.rcc.bench.paper.Measured;
import dev.rcc.bench.paper.RccClaims;
import dev.rcc.bench.paper.Setup;
import dev.rcc.bench.paper.Verdict;
import dev.rcc.bench.workload.Workload;
import dev.rcc.bench.workloads.Workloads;
import dev.rcc.core.option.Option;
import dev.rcc.core.option.OptionTable;
import dev.rcc.core.option.OptionValues;
import dev.rcc.core.protocol.HybridCode;
import dev.rcc.core.protocol.Primitive;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.protocols.Protocols;
import dev.rcc.transport.sim.SimOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
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

/** {@code rcc paper}: puts what a paper claims in words to the test, on a model of its cluster. */
@Command(
        name = "paper",
        mixinStandardHelpOptions = true,
        versionProvider = Rcc.Version.class,
        sortOptions = false,
        header = "Puts what a paper claims in words to the test, on a model of its cluster.",
        description = {
            "",
            "Runs what each claim is about on the simulated network, 4 nodes with 10 workers, and prints whether it holds by"
                    + " a criterion that was fixed before, with the figures. All figures are modelled. The exit code says"
                    + " whether all runs were in order, not whether the claims hold.",
            ""
        })
final class PaperCommand implements Callable<Integer> {
    private static final String RCC = "rcc";
    private static final String ALL = "all";
    private static final int WORKERS = 10;
    private static final int REPLICAS = 3;

    private static final Option SECTION = Option.choice(
            "--section", ALL, List.of(ALL, "6.2", "6.3", "6.4", "6.5", "6.6"), "Only the claims of this section.");
    private static final Option WARMUP =
            Option.decimal("--warmup", 0.0005, 0, 10, "seconds", "How long to run before measuring, in virtual time.");
    private static final Option SECONDS = Option.decimal(
            "--seconds",
            0.0015,
            0.0001,
            10,
            "seconds",
            "How long to measure, in virtual time; longer with more computation.");
    private static final Option RECORDS = Option.integer(
            "--records",
            20_000,
            1000,
            1_000_000_000,
            "records",
            "Records of YCSB and customers of SmallBank per node.");
    private static final OptionTable TABLE =
            new OptionTable("", List.of(SECTION, WARMUP, SECONDS, RECORDS, BenchOptions.SEED, BenchOptions.JSON));

    private final Rcc.Bench bench;

    @Spec
    private CommandSpec spec;

    private OptionValues values;
    private boolean allInOrder = true;
    private final Map<Setup, BenchResult> results = new LinkedHashMap<>();

    private PaperCommand(Rcc.Bench bench) {
        this.bench = bench;
    }

    static CommandLine commandLine(Rcc.Bench bench) {
        CommandLine command = CommandOptions.command(
                new PaperCommand(bench),
                TABLE,
                "Example: what RCC says about contention",
                "  rcc paper rcc --section 6.4 --json contention.json");
        command.getCommandSpec()
                .addPositional(PositionalParamSpec.builder()
                        .index("0")
                        .arity("1")
                        .paramLabel("<paper>")
                        .type(String.class)
                        .description("The paper: " + RCC + ".")
                        .build());
        return command;
    }

    @Override
    public Integer call() throws InterruptedException, IOException {
        ParseResult parsed = spec.commandLine().getParseResult();
        Optional<Path> json;
        try {
            String paper = parsed.matchedPositionalValue(0, "");
            if (!paper.equals(RCC)) {
                throw new IllegalArgumentException("<paper>: got '" + paper + "', allowed: " + RCC);
            }
            Map<String, String> given = CommandOptions.given(parsed, TABLE);
            values = TABLE.parse(given);
            json = CommandOptions.writable(BenchOptions.JSON, given);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
        PrintWriter out = spec.commandLine().getOut();
        out.print(header());
        Lab lab = new Lab(this::measure);
        Map<Claim, Claim.Finding> findings = new LinkedHashMap<>();
        for (Claim claim : RccClaims.all()) {
            if (values.text(SECTION).equals(ALL) || values.text(SECTION).equals(claim.section())) {
                Claim.Finding finding = claim.test().decide(lab);
                findings.put(claim, finding);
                out.print(describe(claim, finding));
                out.flush();
            }
        }
        out.print(summary(findings, lab));
        out.flush();
        if (json.isPresent()) {
            Files.writeString(json.get(), toJson(findings, lab));
        }
        return allInOrder ? Rcc.OK : Rcc.FAILED;
    }

    private Measured measure(Setup setup) throws InterruptedException {
        BenchResult result = result(setup);
        return new Measured(
                result.committedPerSecond(),
                result.metrics().latency().getMean() / TimeUnit.MICROSECONDS.toNanos(1),
                result.abortRate());
    }

    private BenchResult result(Setup setup) throws InterruptedException {
        BenchResult known = results.get(setup);
        if (known != null) {
            return known;
        }
        BenchResult result = bench.run(config(setup));
        if (!result.isOk()) {
            allInOrder = false;
            spec.commandLine().getOut().print(Report.troubles(result));
        }
        results.put(setup, result);
        return result;
    }

    private BenchConfig config(Setup setup) throws InterruptedException {
        Protocol protocol = Protocols.byName(setup.protocol());
        return new BenchConfig(
                protocol,
                Map.of(),
                code(setup, protocol),
                workload(setup),
                new BenchNetwork.Simulated(SimOptions.of(setup.network()).withEmulatedNodes(setup.emulatedNodes())),
                Setup.NODES,
                WORKERS,
                setup.coroutines(),
                REPLICAS,
                values.decimal(WARMUP) * stretch(setup),
                values.decimal(SECONDS) * stretch(setup),
                values.integer(BenchOptions.SEED),
                false,
                Optional.empty());
    }

    /** Transactions that compute for longer are fewer, and need more time until there are enough of them. */
    private static double stretch(Setup setup) {
        return Math.max(1, setup.computeMicros() / Setup.COMPUTE_MICROS);
    }

    private HybridCode code(Setup setup, Protocol protocol) throws InterruptedException {
        return setup.code().equals(BenchPlan.HYBRID)
                ? HybridChoice.cherryPick(
                        result(setup.withCode(Primitive.RPC.label())),
                        result(setup.withCode(Primitive.ONE_SIDED.label())))
                : HybridCode.parse(protocol, setup.code());
    }

    private Workload workload(Setup setup) {
        long records = values.integer(RECORDS);
        return setup.workload().equals("ycsb")
                ? Workloads.create(
                        "ycsb",
                        Map.of(
                                "records-per-node", Long.toString(records),
                                "hot-access-percent", Double.toString(setup.hotAccessPercent()),
                                "compute-us", Double.toString(setup.computeMicros())))
                : Workloads.create(setup.workload(), Map.of("accounts", Long.toString(records * Setup.NODES)));
    }

    private String header() {
        Manifest manifest = Manifest.here();
        return String.format(
                Locale.ROOT,
                "RCC %s (%s)  the paper rcc, sections 6.2 to 6.6, MODELLED as %s%n"
                        + "%d nodes x %d workers, %d replicas, seed %d, %s s warm-up, %s s measured, %,d records a node%n%n",
                manifest.version(),
                manifest.commit(),
                Setup.RDMA,
                Setup.NODES,
                WORKERS,
                REPLICAS,
                values.integer(BenchOptions.SEED),
                values.text(WARMUP),
                values.text(SECONDS),
                values.integer(RECORDS));
    }

    private static String describe(Claim claim, Claim.Finding finding) {
        StringBuilder text = new StringBuilder();
        text.append(claim.section()).append("  ").append(claim.text()).append('\n');
        text.append("     ").append(finding.verdict().words().toUpperCase(Locale.ROOT));
        text.append(": ").append(claim.criterion()).append('\n');
        finding.figures()
                .forEach(figure -> text.append("       ").append(figure).append('\n'));
        return text.append('\n').toString();
    }

    private static String summary(Map<Claim, Claim.Finding> findings, Lab lab) {
        Map<Verdict, Integer> counts = new EnumMap<>(Verdict.class);
        findings.values().forEach(finding -> counts.merge(finding.verdict(), 1, Integer::sum));
        return String.format(
                Locale.ROOT,
                "%d claims: %d hold, %d do not hold, %d not tested; %d runs, all modelled.%n",
                findings.size(),
                counts.getOrDefault(Verdict.HOLDS, 0),
                counts.getOrDefault(Verdict.DOES_NOT_HOLD, 0),
                counts.getOrDefault(Verdict.NOT_TESTED, 0),
                lab.done().size());
    }

    private static String toJson(Map<Claim, Claim.Finding> findings, Lab lab) {
        JsonMapper mapper = JsonMapper.builder().build();
        ObjectNode json = mapper.createObjectNode();
        json.put("paper", RCC);
        json.put("modelled", Setup.RDMA);
        ArrayNode claims = json.putArray("claims");
        findings.forEach((claim, finding) -> {
            ObjectNode each = claims.addObject();
            each.put("section", claim.section());
            each.put("claim", claim.text());
            each.put("criterion", claim.criterion());
            each.put("verdict", finding.verdict().words());
            finding.figures().forEach(each.putArray("figures")::add);
        });
        ArrayNode runs = json.putArray("runs");
        lab.done().forEach((setup, measured) -> {
            ObjectNode each = runs.addObject();
            each.put("protocol", setup.protocol());
            each.put("code", setup.code());
            each.put("workload", setup.workload());
            each.put("network", setup.network());
            each.put("coroutines", setup.coroutines());
            each.put("hot_access_percent", setup.hotAccessPercent());
            each.put("compute_us", setup.computeMicros());
            each.put("emulated_nodes", setup.emulatedNodes());
            each.put("committed_per_s", measured.committedPerSecond());
            each.put("latency_mean_us", measured.latencyMicros());
            each.put("abort_rate", measured.abortRate());
        });
        return mapper.writerWithDefaultPrettyPrinter().writeValueAsString(json) + "\n";
    }
}
