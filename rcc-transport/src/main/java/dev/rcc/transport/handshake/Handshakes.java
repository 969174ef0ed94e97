package dev.rcc.transport.handshake;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.function.IntFunction;

/**
 * The mutual proofs of a node and its peers, on every port: that both have the cluster's secret, by challenge and response, and with TLS that their
 * certificates name the nodes that they claim to be. A process without that proof receives nothing except a refusal.
 *
 * <p>A process that only sees or sends bytes is not admitted: a proof is valid for one connection, one end of it, one kind of port, one pair of nodes
 * and their incarnations. Without TLS, the bytes that follow on the connection are not protected against a host that can change them on their way.
 *
 * <p>Used on any thread.
 */
public final class Handshakes {
    private static final byte[] NO_CONTEXT = {};

    private final String cluster;
    private final int node;
    private final long incarnation;
    private final ClusterSecrets secrets;
    private final Duration deadline;
    private final SecureRandom random = new SecureRandom();

    /**
     * The handshakes of a node.
     *
     * @param cluster the cluster's name
     * @param node this node's id
     * @param incarnation the number of its process's incarnation
     * @param secrets the secrets that it shares with its peers
     * @param deadline how long a handshake may take, TLS included
     */
    public Handshakes(String cluster, int node, long incarnation, ClusterSecrets secrets, Duration deadline) {
        this.cluster = cluster;
        this.node = node;
        this.incarnation = incarnation;
        this.secrets = secrets;
        this.deadline = deadline;
    }

    /** The end of a connection to {@code peer}. */
    public Handshake dial(PeerPort port, int peer) {
        return dial(port, peer, 0, NO_CONTEXT);
    }

    /**
     * The end of a connection to {@code peer}, one of several.
     *
     * @param connection the connection's number
     * @param context data that the peer has, too, and no other process
     */
    public Handshake dial(PeerPort port, int peer, int connection, byte[] context) {
        return new DiallersHandshake(this, port, peer, connection, context);
    }

    /** The end of a connection that was dialled. */
    public Handshake accept(PeerPort port) {
        return accept(port, dialler -> NO_CONTEXT);
    }

    /**
     * The end of a connection that was dialled, and must be an expected one.
     *
     * @param contextOfDialler the context that a node that dials must have; null if none of its connections is expected. Called on the connection's
     *     I/O thread with any node number that the other end has sent
     */
    public Handshake accept(PeerPort port, IntFunction<byte[]> contextOfDialler) {
        return new AcceptorsHandshake(this, port, contextOfDialler);
    }

    /** How long a handshake may take. */
    public Duration deadline() {
        return deadline;
    }

    String cluster() {
        return cluster;
    }

    int node() {
        return node;
    }

    long incarnation() {
        return incarnation;
    }

    List<ClusterSecret> secrets() {
        return secrets.current();
    }

    byte[] nonce() {
        byte[] nonce = new byte[HandshakeFrames.NONCE_BYTES];
        random.nextBytes(nonce);
        return nonce;
    }

    @Override
    public String toString() {
        return "cluster '" + cluster + "'";
    }
}
