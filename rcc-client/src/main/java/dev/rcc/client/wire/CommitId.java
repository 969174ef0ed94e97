package dev.rcc.client.wire;

import java.util.HexFormat;
import java.util.UUID;

/**
 * The name that a client gives to a commit before it sends it, so that the outcome can be asked for when the answer was lost.
 * 128 bits, of which whoever makes one must make sure that they are never used twice.
 *
 * @param high the first 64 bits
 * @param low the last 64 bits
 */
public record CommitId(long high, long low) {
    /** No name: the outcome of such a commit cannot be asked for. */
    public static final CommitId NONE = new CommitId(0, 0);

    private static final int HEX_DIGITS = 32;

    /** A new name: 122 random bits. */
    public static CommitId random() {
        UUID uuid = UUID.randomUUID();
        return new CommitId(uuid.getMostSignificantBits(), uuid.getLeastSignificantBits());
    }

    /**
     * The name that {@link #toString} has written.
     *
     * @throws IllegalArgumentException when it is not 32 hexadecimal digits
     */
    public static CommitId parse(String text) {
        if (text.length() != HEX_DIGITS) {
            throw new IllegalArgumentException("a commit id has 32 hexadecimal digits, got '" + text + "'");
        }
        return new CommitId(
                HexFormat.fromHexDigitsToLong(text, 0, HEX_DIGITS / 2),
                HexFormat.fromHexDigitsToLong(text, HEX_DIGITS / 2, HEX_DIGITS));
    }

    /** 32 hexadecimal digits. */
    @Override
    public String toString() {
        return HexFormat.of().toHexDigits(high) + HexFormat.of().toHexDigits(low);
    }
}
