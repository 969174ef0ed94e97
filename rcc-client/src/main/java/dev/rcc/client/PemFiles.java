package dev.rcc.client;

import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.nio.file.Path;
import javax.net.ssl.SSLException;

/** Makes of PEM files what {@link ClientOptions#withTls} takes. */
public final class PemFiles {
    private PemFiles() {}

    /**
     * Encrypts connections, checks the gateways' certificates, and proves who the client is.
     *
     * @param trust the certificates that the gateways' are signed with
     * @param certificate the client's own, or null for none
     * @param key the private key of {@code certificate}, PKCS #8, or null for none
     * @return what {@link ClientOptions#withTls} takes, for as many clients as you like
     * @throws IllegalArgumentException when a file cannot be read, or is something else, or one of certificate and key is missing
     */
    public static SslContext client(Path trust, Path certificate, Path key) {
        if ((certificate == null) != (key == null)) {
            throw new IllegalArgumentException(
                    "a certificate and its key come together, got only the " + (key == null ? "certificate" : "key"));
        }
        SslContextBuilder builder = SslContextBuilder.forClient().trustManager(trust.toFile());
        if (certificate != null) {
            builder.keyManager(certificate.toFile(), key.toFile());
        }
        try {
            return builder.build();
        } catch (SSLException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }
}
