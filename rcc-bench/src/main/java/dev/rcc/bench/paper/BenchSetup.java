package dev.rcc.bench.paper;

import dev.rcc.bench.driver.BenchConfig;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * A run of transactions, as {@code rcc bench} makes it. Immutable.
 *
 * @param protocol the protocol's name
 * @param protocolOptions the protocol's options with other values than the default, by key, as in {@code mvcc.versions}
 * @param code {@code rpc}, {@code one-sided}, a digit for each stage, or {@link #HYBRID}
 * @param workload the workload's name
 * @param workloadOptions the workload's options with other values than the default, by key. An option for the number of records that is
 *     not given here has the command's value
 * @param shape the cluster's shape
 * @param network the network between the nodes
 * @param stretch factor by which the run takes longer than others, at least 1, since it commits fewer transactions in a second
 */
public record BenchSetup(
        String protocol,
        Map<String, String> protocolOptions,
        String code,
        String workload,
        Map<String, String> workloadOptions,
        BenchConfig.Shape shape,
        Network network,
        double stretch)
        implements Setup {
    /** The best mix by the stage latencies of {@code rpc} and {@code one-sided}, which are run to find it. */
    public static final String HYBRID = "hybrid";

    /** Takes copies of the maps. */
    public BenchSetup {
        protocolOptions = Collections.unmodifiableMap(new TreeMap<>(protocolOptions));
        workloadOptions = Collections.unmodifiableMap(new TreeMap<>(workloadOptions));
        if (!(stretch >= 1)) {
            throw new IllegalArgumentException("a run takes at least as long as others, got " + stretch);
        }
    }

    /** A run in which protocol, code, workload and network have their default options. */
    public static BenchSetup of(
            String protocol, String code, String workload, BenchConfig.Shape shape, Network network) {
        return new BenchSetup(protocol, Map.of(), code, workload, Map.of(), shape, network, 1);
    }

    @Override
    public String describe() {
        return workload + " " + protocol + " " + code + " on " + network.describe();
    }

    @Override
    public String cluster() {
        return shape.nodes() + " nodes x " + shape.workers() + " workers, " + shape.replicas() + " replicas";
    }

    @Override
    public boolean isScaled() {
        return true;
    }

    @Override
    public String times(Scale scale) {
        BenchConfig.Times times = scale.times(network);
        return Scale.plain(times.warmupSeconds()) + " s warm-up, " + Scale.plain(times.seconds()) + " s measured, in "
                + (network.isModelled() ? "virtual time" : "real time");
    }

    @Override
    public Measured measuredBy(Experiments experiments) throws InterruptedException {
        return experiments.transactions().run(this);
    }

    @Override
    public Map<String, Object> facts() {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("protocol", protocol);
        facts.put("protocol_options", protocolOptions);
        facts.put("code", code);
        facts.put("workload", workload);
        facts.put("workload_options", workloadOptions);
        facts.put("nodes", shape.nodes());
        facts.put("workers", shape.workers());
        facts.put("coroutines", shape.coroutines());
        facts.put("replicas", shape.replicas());
        facts.put("fabric", network.name());
        facts.put("stretch", stretch);
        facts.putAll(network.facts());
        return facts;
    }

    /** With another code. */
    public BenchSetup withCode(String newCode) {
        return new BenchSetup(protocol, protocolOptions, newCode, workload, workloadOptions, shape, network, stretch);
    }

    /** With another number of coroutines. */
    public BenchSetup withCoroutines(int count) {
        return withShape(shape.withCoroutines(count));
    }

    /** With another shape. */
    public BenchSetup withShape(BenchConfig.Shape newShape) {
        return new BenchSetup(protocol, protocolOptions, code, workload, workloadOptions, newShape, network, stretch);
    }

    /** On another network. */
    public BenchSetup withNetwork(Network other) {
        return new BenchSetup(protocol, protocolOptions, code, workload, workloadOptions, shape, other, stretch);
    }

    @Override
    public BenchSetup withCosts(Map<String, String> costs) {
        return withNetwork(network.withCosts(costs));
    }

    /** With another value of one of the workload's options. */
    public BenchSetup withWorkloadOption(String key, String value) {
        return new BenchSetup(
                protocol, protocolOptions, code, workload, with(workloadOptions, key, value), shape, network, stretch);
    }

    /** With other values of some of the workload's options. */
    public BenchSetup withWorkloadOptions(Map<String, String> values) {
        BenchSetup changed = this;
        for (Map.Entry<String, String> each : values.entrySet()) {
            changed = changed.withWorkloadOption(each.getKey(), each.getValue());
        }
        return changed;
    }

    /** With another value of one of the protocol's options. */
    public BenchSetup withProtocolOption(String key, String value) {
        return new BenchSetup(
                protocol, with(protocolOptions, key, value), code, workload, workloadOptions, shape, network, stretch);
    }

    /** With another stretch. */
    public BenchSetup withStretch(double times) {
        return new BenchSetup(protocol, protocolOptions, code, workload, workloadOptions, shape, network, times);
    }

    private static Map<String, String> with(Map<String, String> options, String key, String value) {
        Map<String, String> more = new LinkedHashMap<>(options);
        more.put(key, value);
        return more;
    }
}
