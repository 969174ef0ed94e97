package dev.rcc.bench.paper;

import dev.rcc.bench.driver.BenchConfig;
import dev.rcc.core.fabric.Atomicity;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * One run: what a claim needs to be measured, with all that may differ between runs. Immutable.
 *
 * @param protocol the protocol's name
 * @param protocolOptions its options that are not to have their default, by key, as in {@code mvcc.versions}
 * @param code {@code rpc}, {@code one-sided}, a digit for each stage, or {@link #HYBRID}
 * @param workload the workload's name
 * @param workloadOptions its options that are not to have their default, by key; for those that say how many records there are, the
 *     command's
 * @param shape of the cluster
 * @param network over which its nodes talk
 * @param stretch how many times as long as others the run takes, at least 1, since it commits fewer transactions in a second
 */
public record Setup(
        String protocol,
        Map<String, String> protocolOptions,
        String code,
        String workload,
        Map<String, String> workloadOptions,
        BenchConfig.Shape shape,
        Network network,
        double stretch) {
    /** The best mix that the stage latencies of {@code rpc} and {@code one-sided}, which run for it, recommend. */
    public static final String HYBRID = "hybrid";

    /** Takes copies of the maps. */
    public Setup {
        protocolOptions = Collections.unmodifiableMap(new TreeMap<>(protocolOptions));
        workloadOptions = Collections.unmodifiableMap(new TreeMap<>(workloadOptions));
        if (!(stretch >= 1)) {
            throw new IllegalArgumentException("a run takes at least as long as others, got " + stretch);
        }
    }

    /** Over what the nodes talk. */
    public sealed interface Network {
        /** The network's name. */
        String name();

        /** The network in a few words, {@code MODELLED} among them if it is simulated. */
        String describe();

        /** Whether what is measured on it is modelled. */
        boolean isModelled();

        /**
         * The simulated network.
         *
         * @param profile the name of its cost profile
         * @param atomicity against what its NICs' atomics are atomic
         * @param emulatedNodes nodes of the larger cluster whose number of queue pairs every NIC is to have; 0 for none
         */
        record Simulated(String profile, Atomicity atomicity, int emulatedNodes) implements Network {
            /** A profile, whose atomics are atomic against all, with the queue pairs that the cluster has. */
            public static Simulated as(String profile) {
                return new Simulated(profile, Atomicity.GLOBAL, 0);
            }

            @Override
            public String name() {
                return "sim";
            }

            @Override
            public String describe() {
                return "sim, MODELLED as " + profile + (atomicity == Atomicity.DEVICE ? " with device atomicity" : "");
            }

            @Override
            public boolean isModelled() {
                return true;
            }
        }

        /**
         * A network between nodes that are in this JVM, in real time.
         *
         * @param name {@code local}, or that of a network between processes
         * @param options of the network that are not to have their default, by key
         */
        record Real(String name, Map<String, String> options) implements Network {
            /** Takes a copy of the map. */
            public Real {
                options = Collections.unmodifiableMap(new TreeMap<>(options));
            }

            @Override
            public String describe() {
                return name;
            }

            @Override
            public boolean isModelled() {
                return false;
            }
        }
    }

    /** A run in which protocol, code, workload and network have their default options. */
    public static Setup of(String protocol, String code, String workload, BenchConfig.Shape shape, Network network) {
        return new Setup(protocol, Map.of(), code, workload, Map.of(), shape, network, 1);
    }

    /** What runs, in a few words. */
    public String describe() {
        return workload + " " + protocol + " " + code + " on " + network.describe();
    }

    /** With another code. */
    public Setup withCode(String newCode) {
        return new Setup(protocol, protocolOptions, newCode, workload, workloadOptions, shape, network, stretch);
    }

    /** With another number of coroutines. */
    public Setup withCoroutines(int count) {
        return withShape(shape.withCoroutines(count));
    }

    /** With another shape. */
    public Setup withShape(BenchConfig.Shape newShape) {
        return new Setup(protocol, protocolOptions, code, workload, workloadOptions, newShape, network, stretch);
    }

    /** On another network. */
    public Setup withNetwork(Network other) {
        return new Setup(protocol, protocolOptions, code, workload, workloadOptions, shape, other, stretch);
    }

    /** With another value of one of the workload's options. */
    public Setup withWorkloadOption(String key, String value) {
        return new Setup(
                protocol, protocolOptions, code, workload, with(workloadOptions, key, value), shape, network, stretch);
    }

    /** With another value of one of the protocol's options. */
    public Setup withProtocolOption(String key, String value) {
        return new Setup(
                protocol, with(protocolOptions, key, value), code, workload, workloadOptions, shape, network, stretch);
    }

    /** Taking another time. */
    public Setup withStretch(double times) {
        return new Setup(protocol, protocolOptions, code, workload, workloadOptions, shape, network, times);
    }

    private static Map<String, String> with(Map<String, String> options, String key, String value) {
        Map<String, String> more = new LinkedHashMap<>(options);
        more.put(key, value);
        return more;
    }
}
