package dev.rcc.protocols.locks;

/**
 * A fencing token: a number that grows from one holder of a lock to the next. A resource that keeps the greatest token that it has seen can
 * refuse a holder that was taken for dead.
 *
 * <pre>
 *  63  62              49 48                              17 16              0
 * +---+------------------+----------------------------------+-----------------+
 * | 0 | configuration(14)|         generation (32)          |   ticket (17)   |
 * +---+------------------+----------------------------------+-----------------+
 * </pre>
 *
 * Tokens of different locks can't be compared.
 */
public final class LockToken {
    /** Token of a lock that is not held. */
    public static final long NONE = -1;

    private static final int TICKET_BITS = 17;
    private static final int GENERATION_BITS = 32;
    private static final int EPOCH_BITS = 14;
    /** The last configuration whose locks have tokens. */
    public static final long MAX_EPOCH = (1L << EPOCH_BITS) - 1;
    /** The last generation. */
    public static final long MAX_GENERATION = (1L << GENERATION_BITS) - 1;
    /** The last ticket. */
    public static final long MAX_TICKET = (1L << TICKET_BITS) - 1;

    private LockToken() {}

    /**
     * Packs a token.
     *
     * @param epoch the configuration that the lock was granted in
     * @param generation how often the lock has been reset
     * @param ticket the holder's place in the order of the generation's tickets
     * @throws IllegalArgumentException when a part does not fit
     */
    public static long of(long epoch, long generation, long ticket) {
        if (((epoch & ~MAX_EPOCH) | (generation & ~MAX_GENERATION) | (ticket & ~MAX_TICKET)) != 0) {
            throw new IllegalArgumentException("no such token: configuration " + epoch + " (0 to " + MAX_EPOCH
                    + "), generation " + generation + " (0 to " + MAX_GENERATION + "), ticket " + ticket + " (0 to "
                    + MAX_TICKET + ")");
        }
        return epoch << (GENERATION_BITS + TICKET_BITS) | generation << TICKET_BITS | ticket;
    }

    /** The configuration of a token. */
    public static long epoch(long token) {
        return token >>> (GENERATION_BITS + TICKET_BITS);
    }

    /** The generation of a token. */
    public static long generation(long token) {
        return token >>> TICKET_BITS & MAX_GENERATION;
    }

    /** The ticket of a token. */
    public static long ticket(long token) {
        return token & MAX_TICKET;
    }

    /** Text for people. */
    public static String toString(long token) {
        return token == NONE ? "none" : epoch(token) + "." + generation(token) + "." + ticket(token);
    }
}
