package dev.rcc.client;

import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.nio.file.Path;
import javax.net.ssl.SSLException;

/** Makes the TLS context for {@link ClientOptions#withTls} from PEM files. */
public final class PemFiles {
    private PemFiles() {}

    /**
     * Makes a TLS context that encrypts connections, checks the gateways' certificates, and authenticates the client by its own certificate.
     *
     * @param trust the file of the certificates that sign the gateways' certificates
     * @param certificate the file of the client's certificate, or null for none
     * @param key the file of the certificate's private key, PKCS #8, or null for none
     * @return a context for {@link ClientOptions#withTls}; any number of clients may share it
     * @throws IllegalArgumentException when a file cannot be read or is not such a file, or only one of certificate and key is given
     */
    public static SslContext client(Path trust, Path certificate, Path key) {
        if ((certificate == null) != (key == null)) {
            throw new IllegalArgumentException("a certificate and its key must both be given, got only the "
                    + (key == null ? "certificate" : "key"));
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
