package dev.rcc.transport.verbs;

import dev.rcc.transport.verbs.darpc.DarpcOptions;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * How the verbs network is set up.
 *
 * @param device name of the device, such as {@code mlx5_0}; empty for the first that is there
 * @param port its port, from 1
 * @param gidIndex which of the port's global identifiers to use; -1 for an IPv4 address by RoCE v2, or else the best there is
 * @param qpsPerPeer queue pairs from each worker to each peer, used in turns; more than 1 loads the NIC as a cluster of as
 *     many times the nodes would
 * @param sendQueueDepth work requests that one queue pair holds; a longer batch is posted piece by piece
 * @param ackTimeout when a packet without acknowledgement is sent again: after 4.096 us * 2^this
 * @param retries how often it is, before the peer counts as unreachable
 * @param trafficClass the packets' traffic class (DSCP and ECN bits), for networks that go by it
 * @param serviceLevel the packets' service level, likewise
 * @param rpc how calls travel
 * @param rpcTimeoutMillis after how long a call fails whose request or reply was lost
 * @param darpc how calls by DaRPC are set up, if they travel so
 */
public record VerbsOptions(
        String device,
        int port,
        int gidIndex,
        int qpsPerPeer,
        int sendQueueDepth,
        int ackTimeout,
        int retries,
        int trafficClass,
        int serviceLevel,
        Rpc rpc,
        long rpcTimeoutMillis,
        DarpcOptions darpc) {
    /** What most clusters want. */
    public static final VerbsOptions DEFAULT =
            new VerbsOptions("", 1, -1, 1, 128, 16, 7, 0, 0, Rpc.UD, 5_000, DarpcOptions.DEFAULT);

    private static final int PORT_MAX = 255;
    private static final int GID_INDEX_MAX = 255;
    private static final int QPS_PER_PEER_MAX = 64;
    private static final int SEND_QUEUE_DEPTH_MIN = 2;
    private static final int SEND_QUEUE_DEPTH_MAX = 1 << 15;
    private static final int ACK_TIMEOUT_MAX = 31;
    private static final long ACK_TIMEOUT_UNIT_NANOS = 4_096;
    private static final int RETRIES_MAX = 7;
    private static final int TRAFFIC_CLASS_MAX = 255;
    private static final int SERVICE_LEVEL_MAX = 15;
    private static final long RPC_TIMEOUT_MAX = 3_600_000;

    /** How calls travel. */
    public enum Rpc {
        /** By unreliable datagrams; what is lost fails. */
        UD,
        /** By DaRPC, over reliable connections. */
        DARPC
    }

    /** Checks the ranges. */
    public VerbsOptions {
        check("port", port, 1, PORT_MAX);
        check("gid-index", gidIndex, -1, GID_INDEX_MAX);
        check("qps-per-peer", qpsPerPeer, 1, QPS_PER_PEER_MAX);
        check("send-queue-depth", sendQueueDepth, SEND_QUEUE_DEPTH_MIN, SEND_QUEUE_DEPTH_MAX);
        check("ack-timeout", ackTimeout, 1, ACK_TIMEOUT_MAX);
        check("retries", retries, 0, RETRIES_MAX);
        check("traffic-class", trafficClass, 0, TRAFFIC_CLASS_MAX);
        check("service-level", serviceLevel, 0, SERVICE_LEVEL_MAX);
        Objects.requireNonNull(darpc);
        check("rpc-timeout-ms", rpcTimeoutMillis, 1, RPC_TIMEOUT_MAX);
    }

    /**
     * For how long a reliable connection may take to end a request, with all retries, in nanoseconds. The device's timer is 4.096 us times a power
     * of two, and may take four times that (InfiniBand, 9.7.6.1.3); another factor of two is for a device that is emulated.
     */
    long completionNanos() {
        long nominalNanos = (ACK_TIMEOUT_UNIT_NANOS << ackTimeout) * (retries + 1);
        return Math.max(TimeUnit.SECONDS.toNanos(1), 8 * nominalNanos);
    }

    /** These options on another device. */
    public VerbsOptions withDevice(String name) {
        return new VerbsOptions(
                name,
                port,
                gidIndex,
                qpsPerPeer,
                sendQueueDepth,
                ackTimeout,
                retries,
                trafficClass,
                serviceLevel,
                rpc,
                rpcTimeoutMillis,
                darpc);
    }

    /** These options with another number of queue pairs. */
    public VerbsOptions withQpsPerPeer(int count) {
        return new VerbsOptions(
                device,
                port,
                gidIndex,
                count,
                sendQueueDepth,
                ackTimeout,
                retries,
                trafficClass,
                serviceLevel,
                rpc,
                rpcTimeoutMillis,
                darpc);
    }

    /** These options with queues of another length. */
    public VerbsOptions withSendQueueDepth(int workRequests) {
        return new VerbsOptions(
                device,
                port,
                gidIndex,
                qpsPerPeer,
                workRequests,
                ackTimeout,
                retries,
                trafficClass,
                serviceLevel,
                rpc,
                rpcTimeoutMillis,
                darpc);
    }

    /** The same with another time after which a call fails. */
    public VerbsOptions withRpcTimeoutMillis(long millis) {
        return new VerbsOptions(
                device,
                port,
                gidIndex,
                qpsPerPeer,
                sendQueueDepth,
                ackTimeout,
                retries,
                trafficClass,
                serviceLevel,
                rpc,
                millis,
                darpc);
    }

    /** These options with other ones for DaRPC. */
    public VerbsOptions withDarpc(DarpcOptions options) {
        return new VerbsOptions(
                device,
                port,
                gidIndex,
                qpsPerPeer,
                sendQueueDepth,
                ackTimeout,
                retries,
                trafficClass,
                serviceLevel,
                rpc,
                rpcTimeoutMillis,
                options);
    }

    /** What of the way for calls must be the same on all nodes. */
    String rpcDescription() {
        return switch (rpc) {
            case UD -> "ud";
            case DARPC ->
                "darpc with darpc-calls-per-peer " + darpc.callsPerPeer() + " and darpc-message-bytes "
                        + darpc.messageBytesMax();
        };
    }

    /** These options with another way for calls. */
    public VerbsOptions withRpc(Rpc kind) {
        return new VerbsOptions(
                device,
                port,
                gidIndex,
                qpsPerPeer,
                sendQueueDepth,
                ackTimeout,
                retries,
                trafficClass,
                serviceLevel,
                kind,
                rpcTimeoutMillis,
                darpc);
    }

    private static void check(String option, long given, long min, long max) {
        if (given < min || given > max) {
            throw new IllegalArgumentException(option + " must be " + min + " to " + max + ", got " + given);
        }
    }
}
