package dev.rcc.transport.verbs;

import dev.rcc.transport.verbs.darpc.DarpcOptions;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * Options of the {@code verbs} network.
 *
 * @param device name of the device, such as {@code mlx5_0}; empty for the first device
 * @param port its port, from 1
 * @param gidIndex the index of the port's global identifier to use; -1 for an IPv4 address by RoCE v2, or else the best one
 * @param qpsPerPeer queue pairs from each worker to each peer, used in turns; with n of them, the NIC has the load of a cluster
 *     with n times the nodes
 * @param sendQueueDepth work requests that one queue pair holds; a longer batch is posted piece by piece
 * @param ackTimeout a packet without acknowledgement is sent again after 4.096 us * 2^this
 * @param retries how often a packet is sent again before the peer counts as unreachable
 * @param trafficClass the packets' traffic class (DSCP and ECN bits), for networks that use it
 * @param serviceLevel the packets' service level, for networks that use it
 * @param rpc the way in which calls travel
 * @param rpcTimeoutMillis the time after which a call fails if its request or reply was lost
 * @param darpc the options of DaRPC, if calls travel by it
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
    /** The defaults, which suit most clusters. */
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

    /** The ways in which calls travel. */
    public enum Rpc {
        /** By unreliable datagrams; a call whose request or reply is lost fails. */
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
     * How long a reliable connection may take to end a request, with all retries, in nanoseconds; at least 1 s. The device's timer is 4.096 us times
     * a power of two, and may take four times that (InfiniBand, 9.7.6.1.3); another factor of two is for an emulated device.
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

    /** These options with another time-out of calls. */
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

    /** These options with other options of DaRPC. */
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

    /** The part of the options for calls that must be the same on all nodes. */
    String rpcDescription() {
        return switch (rpc) {
            case UD -> "ud";
            case DARPC ->
                "darpc with darpc-calls-per-peer " + darpc.callsPerPeer() + " and darpc-message-bytes "
                        + darpc.messageBytesMax();
        };
    }

    /** These options with another way in which calls travel. */
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
