package dev.rcc.bench.paper;

/**
 * One experiment: what differs between the runs of a paper's figures. Immutable.
 *
 * @param protocol the protocol's name
 * @param code {@code rpc}, {@code one-sided} or {@code hybrid}, the best mix that the stage latencies recommend
 * @param workload the workload's name
 * @param coroutines coroutines of each worker
 * @param hotAccessPercent how many operations of YCSB go to the hot area
 * @param computeMicros computation of each transaction of YCSB, in microseconds
 * @param emulatedNodes nodes of the cluster whose number of queue pairs is emulated (rcc, 6.6); the real number if equal
 * @param network the name of the network's cost profile
 */
public record Setup(
        String protocol,
        String code,
        String workload,
        int coroutines,
        double hotAccessPercent,
        double computeMicros,
        int emulatedNodes,
        String network) {
    /** Nodes of the cluster that runs (rcc, 6.1). */
    public static final int NODES = 4;
    /** Coroutines of each worker, where the paper does not say otherwise (rcc, 6.1). */
    public static final int COROUTINES = 10;
    /** YCSB's default contention (rcc, 6.1). */
    public static final double HOT_ACCESS_PERCENT = 10;
    /** YCSB's default computation (rcc, 6.1). */
    public static final double COMPUTE_MICROS = 5;
    /** The paper's network. */
    public static final String RDMA = "connectx4-edr";
    /** The network of its traditional baselines. */
    public static final String TCP = "tcp10g";

    /** The defaults of RCC, 6.1, with ten coroutines. */
    public static Setup of(String protocol, String code, String workload) {
        return new Setup(protocol, code, workload, COROUTINES, HOT_ACCESS_PERCENT, COMPUTE_MICROS, NODES, RDMA);
    }

    /** With another code. */
    public Setup withCode(String newCode) {
        return new Setup(
                protocol, newCode, workload, coroutines, hotAccessPercent, computeMicros, emulatedNodes, network);
    }

    /** With another number of coroutines. */
    public Setup withCoroutines(int count) {
        return new Setup(protocol, code, workload, count, hotAccessPercent, computeMicros, emulatedNodes, network);
    }

    /** With another contention. */
    public Setup withHotAccessPercent(double percent) {
        return new Setup(protocol, code, workload, coroutines, percent, computeMicros, emulatedNodes, network);
    }

    /** With another computation. */
    public Setup withComputeMicros(double micros) {
        return new Setup(protocol, code, workload, coroutines, hotAccessPercent, micros, emulatedNodes, network);
    }

    /** With the queue pairs of a cluster of another size. */
    public Setup withEmulatedNodes(int nodes) {
        return new Setup(protocol, code, workload, coroutines, hotAccessPercent, computeMicros, nodes, network);
    }

    /** On another network. */
    public Setup withNetwork(String profile) {
        return new Setup(protocol, code, workload, coroutines, hotAccessPercent, computeMicros, emulatedNodes, profile);
    }
}
