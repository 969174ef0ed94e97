package dev.rcc.client.wire;

import java.util.HexFormat;
import java.util.UUID;

/**
 * The name of a commit. A client names a commit before it sends it, to ask for the outcome if the answer is lost. No name is used twice. A client
 * draws a session at random, which has slots. Each slot numbers its commits from 1, and has its next commit only when the outcome of the last is
 * known.
 *
 * <p>A session may contain the partition in which the cluster keeps the outcomes of its commits. Then a transaction need not write its outcome at
 * another node than its records. The names of such sessions are for gateways that speak {@link Wire#OUTCOME_PARTITION_VERSION}.
 *
 * <pre>
 *  0                              64       80                             128
 * +------------------------------+--------+------------------------------+
 * | session, not 0               | slot   | number                       |
 * +------------------------------+--------+------------------------------+
 *
 *  63                                  16 15         12 11               0
 * +--------------------------------------+-------------+------------------+
 * | session: random                      | 8           | partition        |
 * +--------------------------------------+-------------+------------------+
 * | random                               | 4           | random: anywhere |
 * +--------------------------------------+-------------+------------------+
 * </pre>
 *
 * @param high the first 64 bits
 * @param low the last 64 bits
 */
public record CommitId(long high, long low) {
    /** No name: a client cannot ask for the outcome of such a commit. */
    public static final CommitId NONE = new CommitId(0, 0);

    /** Most slots of a session. */
    public static final int SLOTS_MAX = 1 << 16;

    private static final int NUMBER_BITS = 48;
    private static final long NUMBER_MAX = (1L << NUMBER_BITS) - 1;
    private static final int HEX_DIGITS = 32;

    /** The {@link #partition} of a session that contains none. */
    public static final int ANYWHERE = -1;

    private static final int PARTITION_BITS = 12;
    private static final long PARTITION_MASK = (1L << PARTITION_BITS) - 1;
    private static final int KIND_BITS = 4;
    private static final long KIND_MASK = (1L << KIND_BITS) - 1;
    /** The kinds of a session, which are versions of UUIDs: 4 for random numbers, 8 for a meaning that the maker defines. */
    private static final long KIND_ANYWHERE = 4;

    private static final long KIND_PARTITION = 8;

    /**
     * {@return the name of a slot's commit}
     *
     * @param session the session, which was drawn at random, not 0
     * @param slot the slot, from 0 to 65535
     * @param number the number in the slot, from 1 to 2^48 - 1
     * @throws IllegalArgumentException when an argument is out of its range
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

    /**
     * {@return a session that no other client has}
     *
     * @param partition the partition in which the outcomes of its commits are kept, 0 to {@link Wire#PARTITIONS_MAX} - 1, or {@link #ANYWHERE}
     */
    public static long newSession(int partition) {
        return session(UUID.randomUUID().getMostSignificantBits(), partition);
    }

    /**
     * {@return a session, which is not 0}
     *
     * @param random a number drawn at random; the session has 48 of its bits, or 60 if it contains no partition
     * @param partition as in {@link #newSession}
     * @throws IllegalArgumentException when there is no such partition
     */
    public static long session(long random, int partition) {
        if (partition < ANYWHERE || partition >= Wire.PARTITIONS_MAX) {
            throw new IllegalArgumentException(
                    "partition must be -1 to " + (Wire.PARTITIONS_MAX - 1) + ", got " + partition);
        }
        if (partition == ANYWHERE) {
            return (random & ~(KIND_MASK << PARTITION_BITS)) | (KIND_ANYWHERE << PARTITION_BITS);
        }
        int saidBits = PARTITION_BITS + KIND_BITS;
        return ((random >>> saidBits) << saidBits) | (KIND_PARTITION << PARTITION_BITS) | partition;
    }

    /** {@return the first commit of a session of its own} */
    public static CommitId random() {
        return of(newSession(ANYWHERE), 0, 1);
    }

    /** {@return the session, which no other client uses} */
    public long session() {
        return high;
    }

    /** {@return the partition in its session, in which the outcome is kept, 0 to 4095, or {@link #ANYWHERE}} */
    public int partition() {
        boolean says = (high >>> PARTITION_BITS & KIND_MASK) == KIND_PARTITION;
        return says ? (int) (high & PARTITION_MASK) : ANYWHERE;
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
     * {@return whether both commits belong to the same slot of the same session}
     *
     * @param other the other commit's name
     */
    public boolean isOfSlotOf(CommitId other) {
        return high == other.high && slot() == other.slot();
    }

    /**
     * {@return the name that {@link #toString} wrote}
     *
     * @param text 32 hexadecimal digits, in upper or lower case
     * @throws IllegalArgumentException when the text is anything else
     */
    public static CommitId parse(String text) {
        if (text.length() != HEX_DIGITS) {
            throw new IllegalArgumentException("a commit id has 32 hexadecimal digits, got '" + text + "'");
        }
        return new CommitId(
                HexFormat.fromHexDigitsToLong(text, 0, HEX_DIGITS / 2),
                HexFormat.fromHexDigitsToLong(text, HEX_DIGITS / 2, HEX_DIGITS));
    }

    /** Spreads the numbers of neighbouring slots, which advance together: a sum of both halves' hashes would be the same for many names. */
    @Override
    public int hashCode() {
        return Long.hashCode(high ^ KeyPartition.mix(low));
    }

    /** 32 hexadecimal digits. */
    @Override
    public String toString() {
        return HexFormat.of().toHexDigits(high) + HexFormat.of().toHexDigits(low);
    }
}
