package dev.rcc.transport.control;

import dev.rcc.transport.handshake.ClusterSecrets;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;

/**
 * The options of a {@link ControlChannel}.
 *
 * @param cluster the cluster's name; nodes of other clusters are refused
 * @param node the node that this process is
 * @param nodes number of nodes in the cluster
 * @param incarnation the number of this incarnation of the node, greater than the numbers of earlier ones
 * @param heartbeat the interval of the heartbeats to the peers
 * @param failureTimeout the silence after which a peer is down
 * @param configuration the settings that must be equal on all nodes, or a digest of them; a node with other settings is refused
 * @param secrets the secrets that the nodes of the cluster prove to each other
 * @param tls the certificates to show and to require, if the peers are not trusted without
 * @param faults the faults to add to the links, for tests and to try out distances
 */
public record ControlOptions(
        String cluster,
        int node,
        int nodes,
        long incarnation,
        Duration heartbeat,
        Duration failureTimeout,
        String configuration,
        ClusterSecrets secrets,
        Optional<TlsOptions> tls,
        Optional<LinkFaults> faults) {
    /** Longest name of a cluster, and longest configuration, in bytes of UTF-8. */
    public static final int MAX_TEXT_BYTES = 512;

    private static final int MAX_NODES = 256;
    private static final Duration MIN_HEARTBEAT = Duration.ofMillis(1);
    private static final Duration MAX_FAILURE_TIMEOUT = Duration.ofHours(1);

    /** Checks all values. */
    public ControlOptions {
        checkText("cluster", cluster);
        checkText("configuration", configuration);
        if (nodes < 1 || nodes > MAX_NODES) {
            throw new IllegalArgumentException("nodes must be 1 to " + MAX_NODES + ", got " + nodes);
        }
        if (node < 0 || node >= nodes) {
            throw new IllegalArgumentException("node must be 0 to " + (nodes - 1) + ", got " + node);
        }
        if (heartbeat.compareTo(MIN_HEARTBEAT) < 0) {
            throw new IllegalArgumentException(
                    "heartbeat must be at least " + MIN_HEARTBEAT.toMillis() + " ms, got " + heartbeat);
        }
        // With fewer than three, one late heartbeat would bring a healthy peer down.
        if (failureTimeout.compareTo(heartbeat.multipliedBy(3)) < 0
                || failureTimeout.compareTo(MAX_FAILURE_TIMEOUT) > 0) {
            throw new IllegalArgumentException("failureTimeout must be 3 heartbeats of " + heartbeat + " to "
                    + MAX_FAILURE_TIMEOUT + ", got " + failureTimeout);
        }
    }

    /** A node in a new incarnation that trusts every process that reaches it, with a heartbeat of 250 ms and a failure timeout of 2 s. */
    public static ControlOptions of(String cluster, int node, int nodes) {
        return new ControlOptions(
                cluster,
                node,
                nodes,
                Incarnations.next(),
                Duration.ofMillis(250),
                Duration.ofSeconds(2),
                "",
                ClusterSecrets.NONE,
                Optional.empty(),
                Optional.empty());
    }

    /** The same with another configuration to compare. */
    public ControlOptions withConfiguration(String other) {
        return new ControlOptions(
                cluster, node, nodes, incarnation, heartbeat, failureTimeout, other, secrets, tls, faults);
    }

    /** The same with other times. */
    public ControlOptions withTimes(Duration otherHeartbeat, Duration otherFailureTimeout) {
        return new ControlOptions(
                cluster,
                node,
                nodes,
                incarnation,
                otherHeartbeat,
                otherFailureTimeout,
                configuration,
                secrets,
                tls,
                faults);
    }

    /** The same in another incarnation. */
    public ControlOptions withIncarnation(long other) {
        return new ControlOptions(
                cluster, node, nodes, other, heartbeat, failureTimeout, configuration, secrets, tls, faults);
    }

    /** The same with other secrets. */
    public ControlOptions withSecrets(ClusterSecrets other) {
        return new ControlOptions(
                cluster, node, nodes, incarnation, heartbeat, failureTimeout, configuration, other, tls, faults);
    }

    /** The same with TLS. */
    public ControlOptions withTls(TlsOptions other) {
        return new ControlOptions(
                cluster,
                node,
                nodes,
                incarnation,
                heartbeat,
                failureTimeout,
                configuration,
                secrets,
                Optional.of(other),
                faults);
    }

    /** The same on links with faults. */
    public ControlOptions withFaults(LinkFaults other) {
        return new ControlOptions(
                cluster,
                node,
                nodes,
                incarnation,
                heartbeat,
                failureTimeout,
                configuration,
                secrets,
                tls,
                Optional.of(other));
    }

    private static void checkText(String what, String text) {
        int bytes = text.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > MAX_TEXT_BYTES) {
            throw new IllegalArgumentException(
                    what + " must have " + MAX_TEXT_BYTES + " bytes at most, got " + bytes + ": " + text);
        }
    }
}
