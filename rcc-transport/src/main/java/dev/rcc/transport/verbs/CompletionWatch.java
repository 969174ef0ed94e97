package dev.rcc.transport.verbs;

/**
 * Finds out that a device owes a completion for too long. A reliable connection ends every work request, if with an error, after its retries; a
 * device that does not would let whoever waits for it wait for ever. Looked at now and then, it costs a connection nothing between.
 */
final class CompletionWatch {
    private final long limitNanos;
    private long completed = -1;
    private long sinceNanos;

    /** With a limit that the device's own retries cannot take. */
    CompletionWatch(long limitNanos) {
        this.limitNanos = limitNanos;
    }

    /**
     * Whether nothing has completed for longer than the limit, though something was outstanding all the time.
     *
     * @param nowCompleted how many requests have completed, ever
     * @param outstanding how many have not yet
     */
    boolean isOverdue(long nowCompleted, int outstanding, long nowNanos) {
        if (outstanding == 0 || nowCompleted != completed) {
            completed = outstanding == 0 ? -1 : nowCompleted;
            sinceNanos = nowNanos;
            return false;
        }
        return nowNanos - sinceNanos > limitNanos;
    }
}
