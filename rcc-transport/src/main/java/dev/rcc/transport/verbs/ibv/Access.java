package dev.rcc.transport.verbs.ibv;

/** The operations allowed on a memory region, or to a queue pair's peer ({@code enum ibv_access_flags}); bits to be combined. */
public final class Access {
    /** The local device writes to it: for receives, and for the results of READs and atomics. */
    public static final int LOCAL_WRITE = 1;
    /** Peers WRITE to it; needs {@link #LOCAL_WRITE}. */
    public static final int REMOTE_WRITE = 1 << 1;
    /** Peers READ it. */
    public static final int REMOTE_READ = 1 << 2;
    /** Peers CAS and FETCH_ADD it; needs {@link #LOCAL_WRITE}. */
    public static final int REMOTE_ATOMIC = 1 << 3;
    /** All of these. */
    public static final int ALL = LOCAL_WRITE | REMOTE_WRITE | REMOTE_READ | REMOTE_ATOMIC;

    private Access() {}
}
