package dev.rcc.transport.handshake;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Compares certificates with private keys, in PEM files. Nothing else does before the first handshake, which fails if they do not fit. */
public final class CertificateKeys {
    private static final Pattern CERTIFICATE = pem("CERTIFICATE");
    private static final Pattern PRIVATE_KEY = pem("PRIVATE\\s+KEY");
    private static final byte[] SIGNED = "signed by the key".getBytes(StandardCharsets.UTF_8);

    /** Algorithms for signatures, by the algorithms of keys. */
    private static final Map<String, String> SIGNATURES =
            Map.of("RSA", "SHA256withRSA", "DSA", "SHA256withDSA", "EC", "SHA256withECDSA", "EdDSA", "EdDSA");

    private CertificateKeys() {}

    private static Pattern pem(String what) {
        return Pattern.compile(
                "-+\\s*BEGIN\\s[^-\\r\\n]*" + what + "[^-\\r\\n]*-+\\s+([A-Za-z0-9+/=\\s]+)-+\\s*END\\s");
    }

    /**
     * Whether a private key is the one of a certificate: what the key signs, the certificate verifies. Keys of unknown algorithms count as fitting.
     *
     * @param certificate a PEM file, of which the first certificate counts
     * @param key a PEM file: PKCS #8, not encrypted
     */
    public static boolean fit(Path certificate, Path key) {
        try {
            X509Certificate shown = (X509Certificate) CertificateFactory.getInstance("X.509")
                    .generateCertificate(new ByteArrayInputStream(decoded(certificate, CERTIFICATE)));
            String algorithm = shown.getPublicKey().getAlgorithm();
            if (!SIGNATURES.containsKey(algorithm)) {
                return true;
            }
            PrivateKey secret = KeyFactory.getInstance(algorithm)
                    .generatePrivate(new PKCS8EncodedKeySpec(decoded(key, PRIVATE_KEY)));
            Signature signature = Signature.getInstance(SIGNATURES.get(algorithm));
            signature.initSign(secret);
            signature.update(SIGNED);
            byte[] signed = signature.sign();
            signature.initVerify(shown.getPublicKey());
            signature.update(SIGNED);
            return signature.verify(signed);
        } catch (GeneralSecurityException | IOException e) {
            return false; // the key is of another algorithm or curve, or is not such a key
        }
    }

    /** The first object of a kind in a PEM file, decoded; empty if there is none. */
    private static byte[] decoded(Path file, Pattern kind) throws IOException {
        Matcher matcher = kind.matcher(Files.readString(file, StandardCharsets.ISO_8859_1));
        return matcher.find() ? Base64.getMimeDecoder().decode(matcher.group(1)) : new byte[0];
    }
}
