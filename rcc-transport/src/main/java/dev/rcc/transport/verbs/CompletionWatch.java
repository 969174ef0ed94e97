package dev.rcc.transport.verbs;

/**
 * Detects that a device has owed a completion for too long. A reliable connection ends every work request after its retries, if only with an
 * error; with a device that does not, a coroutine would wait for ever. Checked now and then, it costs a connection nothing in between.
 */
final class CompletionWatch {
    private final long limitNanos;
    private long completed = -1;
    private long sinceNanos;

    /** A watch whose limit is longer than the device's own retries can take. */
    CompletionWatch(long limitNanos) {
        this.limitNanos = limitNanos;
    }

    /**
     * Whether no request has completed for longer than the limit, though requests were outstanding all the time.
     *
     * @param nowCompleted the number of requests that have completed, ever
     * @param outstanding the number of requests that have not completed yet
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
