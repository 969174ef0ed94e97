package dev.rcc.bench.driver;

import dev.rcc.bench.workload.Workload;
import dev.rcc.core.cluster.Zones;
import dev.rcc.core.fabric.Atomicity;
import dev.rcc.core.protocol.HybridCode;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.transport.sim.SimOptions;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * A benchmark: the setup, the network, and the duration.
 *
 * @param protocol the concurrency control
 * @param protocolOptions the protocol's options, by key; for reports
 * @param code the primitive of each of the protocol's stages
 * @param workload the clients' transactions
 * @param network the network between the nodes, and where the nodes are
 * @param shape the cluster's shape
 * @param times how long the run takes
 * @param seed the seed of all random choices
 * @param history whether the reads and writes are recorded
 * @param load clients of the client library, if they run the workload; the coroutines then serve these clients
 */
public record BenchConfig(
        Protocol protocol,
        Map<String, String> protocolOptions,
        HybridCode code,
        Workload workload,
        BenchNetwork network,
        Shape shape,
        Times times,
        long seed,
        History history,
        Optional<ClientLoad> load) {
    /** Checks that nothing is missing; the cluster checks the rest. */
    public BenchConfig {
        Objects.requireNonNull(protocol, "protocol");
        Objects.requireNonNull(code, "code");
        Objects.requireNonNull(workload, "workload");
        Objects.requireNonNull(network, "network");
        Objects.requireNonNull(shape, "shape");
        Objects.requireNonNull(times, "times");
        Objects.requireNonNull(history, "history");
    }

    /**
     * A cluster's shape.
     *
     * @param zones the nodes, and their data centres
     * @param workers the number of each node's workers
     * @param coroutines the number of each worker's coroutines, each a client that runs one transaction after the other
     * @param replicas the number of copies of each partition
     */
    public record Shape(Zones zones, int workers, int coroutines, int replicas) {
        /** The shape of a cluster in one zone. */
        public Shape(int nodes, int workers, int coroutines, int replicas) {
            this(Zones.single(nodes), workers, coroutines, replicas);
        }

        /** Number of nodes. */
        public int nodes() {
            return zones.nodes();
        }

        /** The same shape with another number of coroutines. */
        public Shape withCoroutines(int count) {
            return new Shape(zones, workers, count, replicas);
        }
    }

    /**
     * The duration of a run.
     *
     * @param warmupSeconds the shortest warm-up; 0 or more
     * @param warmupMaxSeconds the longest warm-up; if it is more than {@code warmupSeconds}, throughput decides ({@link WarmUp})
     * @param seconds the duration of the measurement, more than 0
     */
    public record Times(double warmupSeconds, double warmupMaxSeconds, double seconds) {
        /** Checks the times. */
        public Times {
            if (!(warmupSeconds >= 0) || !(warmupMaxSeconds >= warmupSeconds) || !(seconds > 0)) {
                throw new IllegalArgumentException("a run measures for more than 0 seconds after 0 or more, got "
                        + seconds + " after " + warmupSeconds + " to " + warmupMaxSeconds);
            }
        }

        /** Times with a warm-up of this duration, whatever the throughput. */
        public Times(double warmupSeconds, double seconds) {
            this(warmupSeconds, warmupSeconds, seconds);
        }

        /** Whether the duration of the warm-up is known beforehand. */
        public boolean isWarmupFixed() {
            return warmupMaxSeconds == warmupSeconds;
        }

        /** The same times, multiplied by {@code factor}. */
        public Times stretched(double factor) {
            return new Times(warmupSeconds * factor, warmupMaxSeconds * factor, seconds * factor);
        }
    }

    /**
     * The use of a run's history.
     *
     * @param isChecked whether the history is recorded and checked for serializability
     * @param file the file for the checked history, if the history is wanted
     */
    public record History(boolean isChecked, Optional<Path> file) {
        /** The history is not recorded. */
        public static final History NONE = new History(false, Optional.empty());
    }

    /** A run on the {@code local} network, whose history is not checked. */
    public static BenchConfig local(
            Protocol protocol, HybridCode code, Workload workload, Shape shape, Times times, long seed) {
        return new BenchConfig(
                protocol,
                Map.of(),
                code,
                workload,
                new BenchNetwork.Local(),
                shape,
                times,
                seed,
                History.NONE,
                Optional.empty());
    }

    /** Number of nodes. */
    public int nodes() {
        return shape.nodes();
    }

    /** The nodes' data centres. */
    public Zones zones() {
        return shape.zones;
    }

    /** Workers of each node. */
    public int workers() {
        return shape.workers;
    }

    /** Coroutines of each worker. */
    public int coroutines() {
        return shape.coroutines;
    }

    /** Copies of each partition. */
    public int replicas() {
        return shape.replicas;
    }

    /** Settings of the network and its nodes, by key; see {@link BenchNetwork#settings}. */
    public Map<String, String> settings() {
        return network.settings();
    }

    /** The way in which commits get to the backups. */
    public String replication() {
        return network.replication();
    }

    /** The network's name. */
    public String fabric() {
        return network.name();
    }

    /** The accesses against which the network's remote atomics are atomic. */
    public Atomicity atomicity() {
        return network.atomicity();
    }

    /** The simulated network's options, if the network is simulated. */
    public Optional<SimOptions> simulation() {
        return network.simulation();
    }

    /** The same run with another code. */
    public BenchConfig withCode(HybridCode newCode) {
        return with(newCode, history, load);
    }

    /** The same run, whose history goes to a file. */
    public BenchConfig withHistoryFile(Path file) {
        return with(code, new History(history.isChecked, Optional.of(file)), load);
    }

    /** The same run by clients of the client library. */
    public BenchConfig withLoad(ClientLoad newLoad) {
        return with(code, history, Optional.of(newLoad));
    }

    /** The same run, whose history is recorded and checked. */
    public BenchConfig withChecks() {
        return with(code, new History(true, history.file), load);
    }

    /** The same run with another seed. */
    public BenchConfig withSeed(long newSeed) {
        return new BenchConfig(
                protocol, protocolOptions, code, workload, network, shape, times, newSeed, history, load);
    }

    private BenchConfig with(HybridCode newCode, History newHistory, Optional<ClientLoad> newLoad) {
        return new BenchConfig(
                protocol, protocolOptions, newCode, workload, network, shape, times, seed, newHistory, newLoad);
    }

    /** The number of clients where every coroutine is a client. */
    public int clients() {
        return shape.nodes() * shape.workers * shape.coroutines;
    }
}
