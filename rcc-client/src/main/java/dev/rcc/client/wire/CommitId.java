package dev.rcc.client.wire;

import java.util.HexFormat;
import java.util.UUID;

/**
 * The name that a client gives to a commit before it sends it, so that the outcome can be asked for when the answer was lost. Never used
 * twice: a client draws a session at random, and has slots in it, each of which numbers its commits from 1 and has its next one only when
 * it is known what became of the last.
 *
 * <pre>
 *  0                              64       80                             128
 * +------------------------------+--------+------------------------------+
 * | session, not 0               | slot   | number                       |
 * +------------------------------+--------+------------------------------+
 * </pre>
 *
 * @param high the first 64 bits
 * @param low the last 64 bits
 */
public record CommitId(long high, long low) {
    /** No name: the outcome of such a commit cannot be asked for. */
    public static final CommitId NONE = new CommitId(0, 0);

    /** Most slots of a session. */
    public static final int SLOTS_MAX = 1 << 16;

    private static final int NUMBER_BITS = 48;
    private static final long NUMBER_MAX = (1L << NUMBER_BITS) - 1;
    private static final int HEX_DIGITS = 32;

    /**
     * {@return the name of a slot's commit}
     *
     * @param session drawn at random, not 0
     * @param slot from 0 to 65535
     * @param number from 1 to 2^48 - 1
     * @throws IllegalArgumentException when one of them is out of its range
     */
    public static CommitId of(long session, int slot, long number) {
        if (session == 0 || slot < 0 || slot >= SLOTS_MAX || number < 1 || number > NUMBER_MAX) {
            throw new IllegalArgumentException(
                    "a commit is named by a session that is not 0, a slot from 0 to 65535 and a number from 1 to 2^48"
                            + " - 1, got "
                            + session + ", " + slot + ", " + number);
        }
        return new CommitId(session, (long) slot << NUMBER_BITS | number);
    }

    /** {@return the first commit of a session of its own} */
    public static CommitId random() {
        UUID uuid = UUID.randomUUID();
        return of(uuid.getMostSignificantBits(), 0, 1); // its version is in these bits, so they are not 0
    }

    /** {@return the session, which is its client's alone} */
    public long session() {
        return high;
    }

    /** {@return the slot in its session, from 0 to 65535} */
    public int slot() {
        return (int) (low >>> NUMBER_BITS);
    }

    /** {@return the number in its slot, from 1} */
    public long number() {
        return low & NUMBER_MAX;
    }

    /**
     * {@return whether both are of the same slot of the same session}
     *
     * @param other the other commit's name
     */
    public boolean isOfSlotOf(CommitId other) {
        return high == other.high && slot() == other.slot();
    }

    /**
     * {@return the name that {@link #toString} has written}
     *
     * @param text 32 hexadecimal digits, large or small
     * @throws IllegalArgumentException when it is anything else
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
