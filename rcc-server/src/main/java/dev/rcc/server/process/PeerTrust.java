package dev.rcc.server.process;

import dev.rcc.client.PemFiles;
import dev.rcc.core.option.Option;
import dev.rcc.core.option.OptionValues;
import dev.rcc.transport.control.TlsOptions;
import dev.rcc.transport.handshake.CertificateKeys;
import dev.rcc.transport.handshake.ClusterSecrets;
import dev.rcc.transport.handshake.NodeCertificates;
import dev.rcc.transport.handshake.SecretFile;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Checks the options by which nodes authenticate each other: a configuration that protects less than it seems to is refused. */
final class PeerTrust {
    private PeerTrust() {}

    /**
     * The cluster's secrets.
     *
     * @param peers the addresses of all nodes
     * @param listen the address at which this node listens for its peers
     * @throws IllegalArgumentException when there are none although the nodes can be reached from other machines, or the file cannot be used
     */
    static ClusterSecrets secrets(OptionValues values, List<InetSocketAddress> peers, InetSocketAddress listen) {
        if (values.isGiven(ServerOptions.SECRET_FILE)) {
            String file = values.text(ServerOptions.SECRET_FILE);
            try {
                return new SecretFile(Path.of(file));
            } catch (InvalidPathException e) {
                throw values.refuse(ServerOptions.SECRET_FILE, ServerOptions.SECRET_FILE.allowed());
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(
                        ServerOptions.SECRET_FILE + ": got '" + file + "', " + e.getMessage(), e);
            }
        }
        Optional<String> reachable = reachable(values, peers, listen);
        if (reachable.isPresent()) {
            throw values.refuse(
                    ServerOptions.SECRET_FILE,
                    "a file with the cluster's secret, as " + reachable.get()
                            + " is not on loopback and any process that reaches it could be a node; '(umask 077; rcc token"
                            + " --cluster-secret > FILE)' makes one, copy it to all nodes");
        }
        return ClusterSecrets.NONE;
    }

    /**
     * Checks that nodes use TLS among themselves if clients are authenticated or encrypted, unless all nodes are on loopback.
     *
     * @throws IllegalArgumentException when they do not
     */
    static void checkAskedOfPeers(OptionValues values, List<InetSocketAddress> peers, InetSocketAddress listen) {
        Optional<Option> protecting = ClientAccessOptions.protecting(values);
        Optional<String> reachable = reachable(values, peers, listen);
        boolean encrypts = values.isGiven(ServerOptions.TLS_CERTIFICATE)
                || values.isGiven(ServerOptions.TLS_KEY)
                || values.isGiven(ServerOptions.TLS_TRUST);
        if (protecting.isPresent() && reachable.isPresent() && !encrypts) {
            throw values.refuse(
                    ServerOptions.TLS_CERTIFICATE,
                    "with '" + protecting.get() + "' also '" + ServerOptions.TLS_CERTIFICATE + "', '"
                            + ServerOptions.TLS_KEY + "' and '" + ServerOptions.TLS_TRUST + "', as " + reachable.get()
                            + " is not on loopback: data that is protected from clients would be sent unprotected"
                            + " between nodes");
        }
    }

    /** An address of a node that is not on loopback, if there is one. */
    private static Optional<String> reachable(
            OptionValues values, List<InetSocketAddress> peers, InetSocketAddress listen) {
        Stream<String> data =
                FabricOptions.named(values.text(ServerOptions.FABRIC), values.text(ServerOptions.BETWEEN)).stream()
                        .flatMap(network -> network.hostOption().map(values::text).stream());
        Stream<String> control =
                Stream.concat(peers.stream(), Stream.of(listen)).map(InetSocketAddress::getHostString);
        return Stream.concat(control, data).filter(host -> !isLoopback(host)).findFirst();
    }

    /** Whether a host can be reached from this machine only; an unknown host may be anywhere. */
    static boolean isLoopback(String host) {
        try {
            return Stream.of(InetAddress.getAllByName(host)).allMatch(InetAddress::isLoopbackAddress);
        } catch (UnknownHostException e) {
            return false;
        }
    }

    /**
     * Checks that TLS with these files is possible.
     *
     * @throws IllegalArgumentException when it is not
     */
    static void checkUsable(OptionValues values, TlsOptions tls) {
        try {
            tls.forServer();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    ServerOptions.TLS_CERTIFICATE + ": got '" + tls.certificate()
                            + "', allowed: PEM files that fit together, '" + ServerOptions.TLS_KEY
                            + "' unencrypted PKCS #8 (" + e.getMessage() + ")",
                    e);
        }
        if (!CertificateKeys.fit(tls.certificate(), tls.key())) {
            throw values.refuse(ServerOptions.TLS_KEY, "the private key of '" + ServerOptions.TLS_CERTIFICATE + "'");
        }
    }

    /**
     * Checks that the certificates in an option's file are valid now.
     *
     * @throws IllegalArgumentException when one has expired or is not valid yet; the message has the file and the dates
     */
    static void checkValidNow(OptionValues values, Option certificate) {
        try {
            PemFiles.checkValidNow(Path.of(values.text(certificate)));
        } catch (IllegalArgumentException e) {
            throw values.refuse(certificate, "a certificate that is valid now (" + e.getMessage() + ")");
        }
    }

    /**
     * Checks that a node's certificate names the node, and is valid now.
     *
     * @throws IllegalArgumentException when it does not, or is not
     */
    static void checkOfNode(OptionValues values, TlsOptions tls, int node) {
        checkValidNow(values, ServerOptions.TLS_CERTIFICATE);
        String cluster = values.text(ServerOptions.CLUSTER);
        try (InputStream in = Files.newInputStream(tls.certificate())) {
            X509Certificate certificate =
                    (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
            if (NodeCertificates.names(certificate, cluster, node)) {
                return;
            }
        } catch (IOException | CertificateException e) {
            throw new IllegalArgumentException(
                    ServerOptions.TLS_CERTIFICATE + ": got '" + tls.certificate() + "', allowed: a PEM file ("
                            + e.getMessage() + ")",
                    e);
        }
        throw values.refuse(
                ServerOptions.TLS_CERTIFICATE,
                "a certificate of node " + node + ", with the subject alternative name URI:"
                        + NodeCertificates.name(cluster, node));
    }
}
