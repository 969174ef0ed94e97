package dev.rcc.server.recovery;

/** What a {@link Failover} runs on. */
public interface RecoveryRuntime {
    /** Sees the nodes go through reconfigurations. */
    default RecoveryWatch recoveryWatch() {
        return RecoveryWatch.NONE;
    }

    /**
     * Whether nodes that were lost may begin another life. Then each node knows by itself who is a member, and where partitions live, as
     * in a process of its own.
     */
    default boolean hasLives() {
        return false;
    }

    /** Does something in so many nanoseconds, on no worker. Called on any thread. */
    void later(long nanos, Runnable task);
}
