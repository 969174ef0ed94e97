package dev.rcc.transport.control;

import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Supplier;
import javax.net.ssl.SSLException;

/**
 * Mutual TLS between nodes: both ends show a certificate, and a trusted authority must have signed both. A process with such a certificate can be the
 * nodes that it names ({@link dev.rcc.transport.handshake.NodeCertificates}), at any address: host names in certificates are not compared.
 *
 * @param certificate a PEM file with this node's certificate, and the certificates between it and the trusted one
 * @param key a PEM file with the certificate's private key: PKCS #8, not encrypted
 * @param trust a PEM file with the certificates that are trusted
 */
public record TlsOptions(Path certificate, Path key, Path trust) {
    /**
     * Checks that the files can be read.
     *
     * @throws IllegalArgumentException when a file can't be read
     */
    public TlsOptions {
        checkReadable("certificate", certificate);
        checkReadable("key", key);
        checkReadable("trust", trust);
    }

    /**
     * The TLS context of a node that accepts connections: it shows its certificate and requires the peer's.
     *
     * @throws IllegalArgumentException when a file does not have the required form
     */
    public SslContext forServer() {
        return build(() ->
                SslContextBuilder.forServer(certificate.toFile(), key.toFile()).clientAuth(ClientAuth.REQUIRE));
    }

    /**
     * The TLS context of a node that connects to another node: it shows its certificate and requires the peer's.
     *
     * @throws IllegalArgumentException when a file does not have the required form
     */
    public SslContext forClient() {
        return build(() -> SslContextBuilder.forClient()
                .keyManager(certificate.toFile(), key.toFile())
                .endpointIdentificationAlgorithm(null));
    }

    private SslContext build(Supplier<SslContextBuilder> builder) {
        try {
            return builder.get()
                    .trustManager(trust.toFile())
                    .sslProvider(SslProvider.JDK)
                    .protocols("TLSv1.3")
                    .build();
        } catch (SSLException | IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "cannot do TLS with certificate " + certificate + ", key " + key + " and trust " + trust
                            + ", which must be PEM, the key unencrypted PKCS #8: " + e.getMessage(),
                    e);
        }
    }

    private static void checkReadable(String what, Path file) {
        if (!Files.isReadable(file)) {
            throw new IllegalArgumentException("the TLS " + what + " file cannot be read: " + file);
        }
    }
}
