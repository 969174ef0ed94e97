package dev.rcc.server.raft;

/** The outcome of a command, in a byte or a word. */
final class Status {
    /** A majority has it. */
    static final int LOGGED = 1;
    /** The group is sealed: no majority will have it. */
    static final int SEALED = 2;
    /** Not known, or the node does not lead; to be tried again, perhaps elsewhere. */
    static final int AGAIN = 3;

    private static final int BITS = 8;
    private static final int MASK = 0xFF;

    /** The word of {@link #AGAIN}, where no node is known to lead. */
    static final long NOT_KNOWN = word(AGAIN, -1);

    private Status() {}

    /** The word of a status with the node that leads, or -1. */
    static long word(int status, int leader) {
        return (long) (leader + 1) << BITS | status;
    }

    static int status(long word) {
        return (int) word & MASK;
    }

    /** The node that leads, or -1. */
    static int leader(long word) {
        return (int) (word >>> BITS) - 1;
    }
}
