package dev.rcc.transport.handshake;

import java.net.URI;
import java.net.URISyntaxException;
import java.security.cert.Certificate;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;

/**
 * The node of a certificate, which names it among its subject alternative names, as the URI {@code urn:rcc:CLUSTER:node:ID}. A certificate may name
 * several. Characters of the cluster's name that a URI does not allow are written as {@code %XX}.
 */
public final class NodeCertificates {
    private static final int URI_NAME = 6;

    private NodeCertificates() {}

    /** The name of a node in its certificate. */
    public static String name(String cluster, int node) {
        try {
            return new URI("urn", "rcc:" + cluster + ":node:" + node, null).toASCIIString();
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("cluster: got '" + cluster + "', which a URI cannot have", e);
        }
    }

    /** Whether a certificate names a node. */
    public static boolean names(X509Certificate certificate, String cluster, int node) {
        try {
            Collection<List<?>> names = certificate.getSubjectAlternativeNames();
            String wanted = name(cluster, node);
            return names != null
                    && names.stream()
                            .anyMatch(name ->
                                    name.get(0).equals(URI_NAME) && name.get(1).equals(wanted));
        } catch (CertificateParsingException e) {
            return false;
        }
    }

    /** Whether the other end of a TLS session has shown a node's certificate. */
    static boolean names(SSLSession session, String cluster, int node) {
        try {
            Certificate[] chain = session.getPeerCertificates();
            return chain.length > 0
                    && chain[0] instanceof X509Certificate certificate
                    && names(certificate, cluster, node);
        } catch (SSLPeerUnverifiedException e) {
            return false;
        }
    }

    static String refusal(String cluster, int node) {
        return "its certificate is not of node " + node + ": it has no subject alternative name URI:"
                + name(cluster, node);
    }
}
