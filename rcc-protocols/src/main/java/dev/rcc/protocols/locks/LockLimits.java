package dev.rcc.protocols.locks;

/**
 * Which locks a scheme takes requests for.
 *
 * @param updates whether there are update locks
 * @param slotsMax how many leases long a lock may be held at most
 */
public record LockLimits(boolean updates, int slotsMax) {
    /** Those of schemes without update locks and leases: for how long a lock is wanted makes no difference to them. */
    public static final LockLimits NO_UPDATES = new LockLimits(false, Integer.MAX_VALUE);

    /**
     * Checks a request.
     *
     * @throws IllegalArgumentException when a value is not allowed
     */
    public void check(LockMode mode, int slots) {
        if (mode == LockMode.UPDATE && !updates) {
            throw new IllegalArgumentException(
                    "got an update lock, allowed: shared and exclusive ones, as these locks have no update counters");
        }
        if (slots < 1 || slots > slotsMax) {
            throw new IllegalArgumentException("slots: got " + slots + ", allowed: 1 to " + slotsMax);
        }
    }
}
