package dev.rcc.protocols.locks;

/**
 * The limits of a scheme's lock requests.
 *
 * @param updates whether there are update locks
 * @param slotsMax how many leases long a lock may be held at most
 */
public record LockLimits(boolean updates, int slotsMax) {
    /** The limits of schemes without update locks and leases: any number of slots is allowed. */
    public static final LockLimits NO_UPDATES = new LockLimits(false, Integer.MAX_VALUE);

    /**
     * Checks a request.
     *
     * @throws IllegalArgumentException when a value is not allowed
     */
    public void check(LockMode mode, int slots) {
        if (mode == LockMode.UPDATE && !updates) {
            throw new IllegalArgumentException(
                    "got an update lock, allowed: shared and exclusive locks, as this scheme has no update locks");
        }
        if (slots < 1 || slots > slotsMax) {
            throw new IllegalArgumentException("slots: got " + slots + ", allowed: 1 to " + slotsMax);
        }
    }
}
