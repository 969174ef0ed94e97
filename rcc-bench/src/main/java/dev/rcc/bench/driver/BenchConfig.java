package dev.rcc.bench.driver;

import dev.rcc.bench.workload.Workload;
import dev.rcc.core.fabric.Atomicity;
import dev.rcc.core.protocol.HybridCode;
import dev.rcc.core.protocol.Protocol;
import java.util.List;
import java.util.Objects;

/**
 * What to run, where, and for how long.
 *
 * @param protocol the concurrency control
 * @param code the primitive of each of its stages
 * @param workload what the clients do
 * @param fabric the network, one of {@link #FABRICS}
 * @param nodes number of nodes
 * @param workers workers of each node
 * @param coroutines coroutines of each worker, each a client that runs one transaction after the other
 * @param replicas copies of each partition
 * @param warmupSeconds how long to run before measuring, 0 or more
 * @param seconds how long to measure, more than 0
 * @param seed of all random choices
 */
public record BenchConfig(
        Protocol protocol,
        HybridCode code,
        Workload workload,
        String fabric,
        int nodes,
        int workers,
        int coroutines,
        int replicas,
        double warmupSeconds,
        double seconds,
        long seed) {
    /** The fabrics that a benchmark can run on. */
    public static final List<String> FABRICS = List.of("local");

    /** Checks what the cluster does not check itself. */
    public BenchConfig {
        Objects.requireNonNull(protocol, "protocol");
        Objects.requireNonNull(code, "code");
        Objects.requireNonNull(workload, "workload");
        if (!FABRICS.contains(fabric)) {
            throw new IllegalArgumentException("no fabric '" + fabric + "', allowed: " + String.join(", ", FABRICS));
        }
        if (!(warmupSeconds >= 0) || !(seconds > 0)) {
            throw new IllegalArgumentException("a run measures for more than 0 seconds after 0 or more, got " + seconds
                    + " after " + warmupSeconds);
        }
    }

    /** What remote atomics are atomic against on the network. */
    public Atomicity atomicity() {
        return Atomicity.GLOBAL;
    }

    /** The same run with another code. */
    public BenchConfig withCode(HybridCode newCode) {
        return new BenchConfig(
                protocol,
                newCode,
                workload,
                fabric,
                nodes,
                workers,
                coroutines,
                replicas,
                warmupSeconds,
                seconds,
                seed);
    }

    /** Clients in all: every coroutine is one. */
    public int clients() {
        return nodes * workers * coroutines;
    }
}
