package dev.rcc.bench.driver;

import dev.rcc.bench.workload.Workload;
import dev.rcc.core.fabric.Atomicity;
import dev.rcc.core.protocol.HybridCode;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.transport.sim.SimOptions;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * What to run, where, and for how long.
 *
 * @param protocol the concurrency control
 * @param protocolOptions what was chosen about it, by key; for reports
 * @param code the primitive of each of its stages
 * @param workload what the clients do
 * @param network where the nodes are, and over what they talk
 * @param nodes number of nodes
 * @param workers workers of each node
 * @param coroutines coroutines of each worker, each a client that runs one transaction after the other
 * @param replicas copies of each partition
 * @param warmupSeconds how long to run before measuring, 0 or more
 * @param seconds how long to measure, more than 0
 * @param seed of all random choices
 * @param checks whether the history is recorded and checked for serializability
 * @param historyFile where the history that was checked goes, if it is wanted
 * @param load clients of the client library, if they run the workload; the coroutines then run what these ask for
 */
public record BenchConfig(
        Protocol protocol,
        Map<String, String> protocolOptions,
        HybridCode code,
        Workload workload,
        BenchNetwork network,
        int nodes,
        int workers,
        int coroutines,
        int replicas,
        double warmupSeconds,
        double seconds,
        long seed,
        boolean checks,
        Optional<Path> historyFile,
        Optional<ClientLoad> load) {
    /** Checks what the cluster does not check itself. */
    public BenchConfig {
        Objects.requireNonNull(protocol, "protocol");
        Objects.requireNonNull(code, "code");
        Objects.requireNonNull(workload, "workload");
        Objects.requireNonNull(network, "network");
        if (!(warmupSeconds >= 0) || !(seconds > 0)) {
            throw new IllegalArgumentException("a run measures for more than 0 seconds after 0 or more, got " + seconds
                    + " after " + warmupSeconds);
        }
    }

    /** A run on the {@code local} network, whose history nobody checks. */
    public static BenchConfig local(
            Protocol protocol,
            HybridCode code,
            Workload workload,
            int nodes,
            int workers,
            int coroutines,
            int replicas,
            double warmupSeconds,
            double seconds,
            long seed) {
        return new BenchConfig(
                protocol,
                Map.of(),
                code,
                workload,
                new BenchNetwork.Local(),
                nodes,
                workers,
                coroutines,
                replicas,
                warmupSeconds,
                seconds,
                seed,
                false,
                Optional.empty(),
                Optional.empty());
    }

    /** The network's name. */
    public String fabric() {
        return network.name();
    }

    /** What remote atomics are atomic against on the network. */
    public Atomicity atomicity() {
        return network.atomicity();
    }

    /** The simulated network, if it is that. */
    public Optional<SimOptions> simulation() {
        return network.simulation();
    }

    /** The same run with another code. */
    public BenchConfig withCode(HybridCode newCode) {
        return with(newCode, checks, historyFile, load);
    }

    /** The same run, whose history goes to a file. */
    public BenchConfig withHistoryFile(Path file) {
        return with(code, checks, Optional.of(file), load);
    }

    /** The same run by clients of the client library. */
    public BenchConfig withLoad(ClientLoad newLoad) {
        return with(code, checks, historyFile, Optional.of(newLoad));
    }

    /** The same run, whose history is recorded and checked. */
    public BenchConfig withChecks() {
        return with(code, true, historyFile, load);
    }

    private BenchConfig with(
            HybridCode newCode, boolean newChecks, Optional<Path> newHistoryFile, Optional<ClientLoad> newLoad) {
        return new BenchConfig(
                protocol,
                protocolOptions,
                newCode,
                workload,
                network,
                nodes,
                workers,
                coroutines,
                replicas,
                warmupSeconds,
                seconds,
                seed,
                newChecks,
                newHistoryFile,
                newLoad);
    }

    /** Clients in all where every coroutine is one. */
    public int clients() {
        return nodes * workers * coroutines;
    }
}
