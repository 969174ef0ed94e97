package dev.rcc.client;

import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateFactory;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;

/** Makes the TLS context for {@link ClientOptions#withTls} from PEM files. */
public final class PemFiles {
    private static final Pattern CERTIFICATE =
            Pattern.compile("-----BEGIN (?:[A-Z0-9]+ )?CERTIFICATE-----([^-]+)-----END ");

    private PemFiles() {}

    /**
     * Makes a TLS context that encrypts connections, checks the gateways' certificates, and authenticates the client by its own certificate.
     *
     * @param trust the file of the certificates that sign the gateways' certificates
     * @param certificate the file of the client's certificate, or null for none
     * @param key the file of the certificate's private key, PKCS #8, or null for none
     * @return a context for {@link ClientOptions#withTls}; any number of clients may share it
     * @throws IllegalArgumentException when a file cannot be read or is not such a file, when only one of certificate and key is given, or when the
     *     certificate is not valid now
     */
    public static SslContext client(Path trust, Path certificate, Path key) {
        if ((certificate == null) != (key == null)) {
            throw new IllegalArgumentException("a certificate and its key must both be given, got only the "
                    + (key == null ? "certificate" : "key"));
        }
        SslContextBuilder builder = SslContextBuilder.forClient().trustManager(trust.toFile());
        if (certificate != null) {
            checkValidNow(certificate);
            builder.keyManager(certificate.toFile(), key.toFile());
        }
        try {
            return builder.build();
        } catch (SSLException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    /**
     * Checks that the certificates in a file are valid now: TLS refuses others only at the first connection, and without their dates.
     *
     * @param certificate a PEM file with a certificate, and possibly those that sign it
     * @throws IllegalArgumentException when the file cannot be read or has no certificate, or when one of them has expired or is not valid yet; the
     *     message has the file and the dates
     */
    public static void checkValidNow(Path certificate) {
        Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        for (X509Certificate each : certificates(certificate)) {
            try {
                each.checkValidity(Date.from(now));
            } catch (CertificateExpiredException | CertificateNotYetValidException e) {
                throw new IllegalArgumentException(
                        "in " + certificate + ", " + each.getSubjectX500Principal() + " is valid from "
                                + each.getNotBefore().toInstant() + " to "
                                + each.getNotAfter().toInstant() + ", and now it is " + now,
                        e);
            }
        }
    }

    private static List<X509Certificate> certificates(Path file) {
        List<X509Certificate> certificates = new ArrayList<>();
        try {
            CertificateFactory factory = CertificateFactory.getInstance("X.509");
            Matcher matcher = CERTIFICATE.matcher(Files.readString(file, StandardCharsets.ISO_8859_1));
            while (matcher.find()) {
                byte[] encoded = Base64.getMimeDecoder().decode(matcher.group(1));
                certificates.add((X509Certificate) factory.generateCertificate(new ByteArrayInputStream(encoded)));
            }
        } catch (IOException e) {
            throw new IllegalArgumentException(file + " cannot be read (" + e + ")", e);
        } catch (CertificateException | IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    file + " has something that is not a certificate (" + e.getMessage() + ")", e);
        }
        if (certificates.isEmpty()) {
            throw new IllegalArgumentException(file + " has no certificate");
        }
        return certificates;
    }
}
