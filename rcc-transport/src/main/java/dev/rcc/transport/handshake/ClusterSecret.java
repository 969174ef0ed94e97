package dev.rcc.transport.handshake;

import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** A secret that only the nodes of a cluster have: the key of the proofs in a {@link Handshakes handshake}. Immutable. */
public final class ClusterSecret {
    /** Fewest characters of a secret. */
    public static final int MIN_CHARACTERS = 32;
    /** Most characters of a secret. */
    public static final int MAX_CHARACTERS = 1024;

    /** Bytes of a proof. */
    static final int PROOF_BYTES = 32;

    private static final String ALGORITHM = "HmacSHA256";
    private static final int DRAWN_BYTES = 32;

    private final SecretKeySpec key;

    private ClusterSecret(byte[] bytes) {
        this.key = new SecretKeySpec(bytes, ALGORITHM);
    }

    /**
     * The secret with this text.
     *
     * @throws IllegalArgumentException when it is too short or too long; the message does not contain the text
     */
    public static ClusterSecret of(String text) {
        if (text.length() < MIN_CHARACTERS || text.length() > MAX_CHARACTERS) {
            throw new IllegalArgumentException("a secret must have " + MIN_CHARACTERS + " to " + MAX_CHARACTERS
                    + " characters, this one has " + text.length());
        }
        return new ClusterSecret(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Draws the text of a new secret: 256 random bits. */
    public static String draw() {
        byte[] bytes = new byte[DRAWN_BYTES];
        new SecureRandom().nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** The proof of having this secret, valid for {@code transcript} only. */
    byte[] prove(byte[] transcript) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            return mac.doFinal(transcript);
        } catch (NoSuchAlgorithmException | InvalidKeyException e) {
            throw new IllegalStateException("every Java has " + ALGORITHM, e);
        }
    }
}
