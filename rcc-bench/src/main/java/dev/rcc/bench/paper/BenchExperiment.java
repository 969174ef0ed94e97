package dev.rcc.bench.paper;

import dev.rcc.bench.driver.BenchConfig;
import dev.rcc.bench.driver.BenchNetwork;
import dev.rcc.bench.driver.BenchResult;
import dev.rcc.bench.driver.HybridChoice;
import dev.rcc.bench.driver.StageCosts;
import dev.rcc.bench.workload.Workload;
import dev.rcc.bench.workload.WorkloadType;
import dev.rcc.bench.workloads.Workloads;
import dev.rcc.core.option.OptionValues;
import dev.rcc.core.protocol.HybridCode;
import dev.rcc.core.protocol.Primitive;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.protocols.Protocols;
import dev.rcc.server.Networks;
import dev.rcc.transport.sim.CostModel;
import dev.rcc.transport.sim.SimOptions;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** Runs setups as benchmarks in this JVM. Used by one thread. */
public final class BenchExperiment {
    private static final String RECORDS_PER_NODE = "records-per-node";
    private static final String ACCOUNTS = "accounts";

    private final Bench bench;
    private final Scale scale;
    private final Consumer<BenchResult> afterRun;
    private final Map<BenchSetup, Ran> runs = new LinkedHashMap<>();

    /** The kept part of a run's result: a book makes thousands of runs, and the histograms of one take megabytes. */
    private record Ran(Measured measured, StageCosts costs) {}

    /**
     * An experiment.
     *
     * @param bench runs a benchmark
     * @param scale the size and duration of its runs
     * @param afterRun called with each result, also of the runs that are only made to choose a hybrid code
     */
    public BenchExperiment(Bench bench, Scale scale, Consumer<BenchResult> afterRun) {
        this.bench = bench;
        this.scale = scale;
        this.afterRun = afterRun;
    }

    /** Runs benchmarks. */
    @FunctionalInterface
    public interface Bench {
        /**
         * Runs a benchmark.
         *
         * @throws InterruptedException when the calling thread was interrupted
         */
        BenchResult run(BenchConfig config) throws InterruptedException;
    }

    /**
     * Runs a setup.
     *
     * @throws IllegalArgumentException when a protocol, code, workload, network or option of the setup does not exist
     * @throws InterruptedException when the calling thread was interrupted
     */
    public Measured run(BenchSetup setup) throws InterruptedException {
        return ran(setup).measured;
    }

    private Ran ran(BenchSetup setup) throws InterruptedException {
        Ran known = runs.get(setup);
        if (known == null) {
            BenchResult result = bench.run(config(setup));
            known = new Ran(withPilots(setup, Measured.of(result)), StageCosts.of(result));
            runs.put(setup, known);
            afterRun.accept(result);
        }
        return known;
    }

    /** A hybrid code is chosen by the costs of other runs: if their data was wrong, so is the choice. */
    private Measured withPilots(BenchSetup setup, Measured measured) throws InterruptedException {
        if (!setup.code().equals(BenchSetup.HYBRID)) {
            return measured;
        }
        Invariants invariants = measured.invariants();
        for (Primitive primitive : Primitive.values()) {
            BenchSetup pilot = pilot(setup, primitive);
            invariants = invariants.and(pilot.describe(), ran(pilot).measured.invariants());
        }
        return measured.withInvariants(invariants);
    }

    /** The same setup with a uniform code: by the runs of both, a hybrid code is chosen. */
    private static BenchSetup pilot(BenchSetup setup, Primitive primitive) {
        return setup.withCode(primitive.label());
    }

    private BenchConfig config(BenchSetup setup) throws InterruptedException {
        OptionValues options = Protocols.options().parse(setup.protocolOptions());
        Protocol protocol = Protocols.byName(setup.protocol()).with(options);
        return new BenchConfig(
                protocol,
                shortKeys(setup),
                code(setup, protocol),
                workload(setup),
                network(setup.network()),
                setup.shape(),
                scale.times(setup.network()).stretched(setup.stretch()),
                scale.seed(),
                BenchConfig.History.NONE,
                Optional.empty());
    }

    /** A benchmark's configuration names a protocol's options without the protocol. */
    private static Map<String, String> shortKeys(BenchSetup setup) {
        Map<String, String> options = new LinkedHashMap<>();
        setup.protocolOptions().forEach((key, value) -> options.put(key.substring(key.indexOf('.') + 1), value));
        return options;
    }

    private HybridCode code(BenchSetup setup, Protocol protocol) throws InterruptedException {
        return setup.code().equals(BenchSetup.HYBRID)
                ? HybridChoice.cherryPick(
                        ran(pilot(setup, Primitive.RPC)).costs, ran(pilot(setup, Primitive.ONE_SIDED)).costs)
                : HybridCode.parse(protocol, setup.code());
    }

    private Workload workload(BenchSetup setup) {
        WorkloadType type = Workloads.byName(setup.workload());
        Map<String, String> options = new LinkedHashMap<>(setup.workloadOptions());
        Set<String> keys = type.options().keys();
        if (keys.contains(RECORDS_PER_NODE)) {
            options.putIfAbsent(RECORDS_PER_NODE, Long.toString(scale.recordsPerNode()));
        } else if (keys.contains(ACCOUNTS)) {
            long accounts = scale.recordsPerNode() * setup.shape().nodes();
            options.putIfAbsent(ACCOUNTS, Long.toString(accounts));
        }
        return type.create(options);
    }

    private static BenchNetwork network(Setup.Network network) {
        return switch (network) {
            case Setup.Network.Simulated simulated ->
                new BenchNetwork.Simulated(SimOptions.of(simulated.profile())
                        .withCosts(CostModel.profile(simulated.profile(), simulated.costs()))
                        .withAtomicity(simulated.atomicity())
                        .withEmulatedNodes(simulated.emulatedNodes()));
            case Setup.Network.Real real ->
                real.name().equals(BenchNetwork.LOCAL)
                        ? new BenchNetwork.Local()
                        : new BenchNetwork.Embedded(Networks.byName(real.name())
                                .with(Networks.options("").parse(real.options())));
        };
    }
}
