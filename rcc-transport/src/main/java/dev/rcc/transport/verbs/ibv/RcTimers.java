package dev.rcc.transport.verbs.ibv;

/**
 * The time-outs and retries of a reliable connection.
 *
 * @param timeoutExponent how long an acknowledgement may take before a packet is sent again: 4.096 us * 2^this, 1 to 31
 * @param retries how often a packet is sent again, 0 to 7
 * @param rnrRetries how often a message is sent again to a receiver that was not ready; 7 is for ever
 * @param rnrTimer how long this end asks senders to wait when it has no receive, as the verbs number it: 12 is 0.64 ms
 */
public record RcTimers(int timeoutExponent, int retries, int rnrRetries, int rnrTimer) {
    private static final int TIMEOUT_MAX = 31;
    private static final int RETRIES_MAX = 7;

    /** Checks the ranges. */
    public RcTimers {
        check("timeout exponent", timeoutExponent, 1, TIMEOUT_MAX);
        check("retries", retries, 0, RETRIES_MAX);
        check("receiver-not-ready retries", rnrRetries, 0, RETRIES_MAX);
        check("receiver-not-ready timer", rnrTimer, 0, TIMEOUT_MAX);
    }

    private static void check(String what, int given, int min, int max) {
        if (given < min || given > max) {
            throw new IllegalArgumentException(what + " must be " + min + " to " + max + ", got " + given);
        }
    }
}
