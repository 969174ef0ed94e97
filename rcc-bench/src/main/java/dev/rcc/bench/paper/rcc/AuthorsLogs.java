package dev.rcc.bench.paper.rcc;

import dev.rcc.bench.paper.BenchSetup;
import dev.rcc.bench.paper.Lab;
import dev.rcc.bench.paper.Measured;
import dev.rcc.bench.paper.Quantity;
import dev.rcc.bench.paper.Setup;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The measurements of RCC's authors for the book's runs, as far as their published logs have them. It measures nothing itself; a run that the
 * logs lack has no values.
 */
final class AuthorsLogs implements Lab.Experiment {
    private static final String FILE = "authors-logs.tsv";

    private final Map<Run, Measured> runs = new HashMap<>();

    /** The properties that distinguish their runs; numbers are texts as in the file. */
    private record Run(
            String protocol,
            String code,
            String workload,
            String emulated,
            String coroutines,
            String hot,
            String compute,
            String network) {
        Run withEmulated(String nodes) {
            return new Run(protocol, code, workload, nodes, coroutines, hot, compute, network);
        }
    }

    /** Reads the logs. */
    AuthorsLogs() {
        try (BufferedReader file = new BufferedReader(
                new InputStreamReader(AuthorsLogs.class.getResourceAsStream(FILE), StandardCharsets.UTF_8))) {
            file.lines()
                    .filter(line -> !line.startsWith("#"))
                    .skip(1)
                    .map(line -> line.split("\t", -1))
                    .forEach(this::add);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + FILE, e);
        }
    }

    private void add(String[] cells) {
        Run run = new Run(cells[1], cells[2], cells[3], cells[4], cells[5], cells[6], cells[7], cells[8]);
        Map<Quantity, Double> values = new LinkedHashMap<>();
        List<Quantity> quantities = List.of(Quantity.THROUGHPUT, Quantity.LATENCY_MEAN, Quantity.ABORT_RATE);
        for (int i = 0; i < quantities.size(); i++) {
            String cell = cells[9 + i];
            if (!cell.isEmpty()) {
                values.put(quantities.get(i), Double.parseDouble(cell));
            }
        }
        runs.put(run, new Measured(values));
    }

    @Override
    public Measured run(Setup any) {
        BenchSetup setup = (BenchSetup) any;
        if (RccBook.READ_APART.equals(setup.protocolOptions().get(RccBook.DOORBELL_OPTION))) {
            return new Measured(Map.of());
        }
        Run run = run(setup);
        return Stream.of(run, run.withEmulated("4"))
                .filter(runs::containsKey)
                .findFirst()
                .map(runs::get)
                .orElseGet(() -> new Measured(Map.of()));
    }

    private static Run run(BenchSetup setup) {
        Setup.Network.Simulated network = (Setup.Network.Simulated) setup.network();
        boolean isYcsb = setup.workload().equals(RccBook.YCSB);
        boolean isLarger = network.emulatedNodes() > setup.shape().nodes();
        return new Run(
                setup.protocol(),
                setup.code(),
                setup.workload(),
                isLarger ? Integer.toString(network.emulatedNodes()) : "",
                Integer.toString(setup.shape().coroutines()),
                hot(setup),
                isYcsb ? whole(setup, RccBook.COMPUTE_OPTION) : "0",
                RccBook.isTcp(network) ? "tcp" : "rdma");
    }

    private static String hot(BenchSetup setup) {
        return switch (setup.workload()) {
            case RccBook.YCSB ->
                RccSettings.isOfSleepCurve(setup)
                        ? RccSettings.HOT_ACCESS_OF_SLEEP_CURVE
                        : whole(setup, RccBook.HOT_ACCESS_OPTION);
            case RccBook.SMALLBANK -> RccSettings.HOT_ACCESS_OF_SMALLBANK;
            default -> "";
        };
    }

    private static String whole(BenchSetup setup, String option) {
        return Long.toString(
                Math.round(Double.parseDouble(setup.workloadOptions().get(option))));
    }
}
