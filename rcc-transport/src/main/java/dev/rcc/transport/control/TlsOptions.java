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
 * Mutual TLS between nodes: both ends show a certificate, and both must be signed by what is trusted. A process that has such a
 * certificate is a node of the cluster, at whatever address: names in certificates are not compared, so sign no others with
 * the authority that is trusted here.
 *
 * @param certificate a PEM file with this node's certificate, and those between it and the trusted one
 * @param key a PEM file with the certificate's private key: PKCS #8, not encrypted
 * @param trust a PEM file with the certificates that are trusted
 */
public record TlsOptions(Path certificate, Path key, Path trust) {
    /**
     * Checks that the files can be read.
     *
     * @throws IllegalArgumentException when one can't
     */
    public TlsOptions {
        checkReadable("certificate", certificate);
        checkReadable("key", key);
        checkReadable("trust", trust);
    }

    /**
     * What a node that lets others in shows and asks for.
     *
     * @throws IllegalArgumentException when a file is not what it should be
     */
    public SslContext forServer() {
        return build(() ->
                SslContextBuilder.forServer(certificate.toFile(), key.toFile()).clientAuth(ClientAuth.REQUIRE));
    }

    /**
     * What a node that connects to another shows and asks for.
     *
     * @throws IllegalArgumentException when a file is not what it should be
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
