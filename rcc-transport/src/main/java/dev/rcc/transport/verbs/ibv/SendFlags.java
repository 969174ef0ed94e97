package dev.rcc.transport.verbs.ibv;

/** How a send work request is carried out ({@code enum ibv_send_flags}); bits to be combined. */
public final class SendFlags {
    /** Starts only when the READs and atomics before it have returned. */
    public static final int FENCE = 1;
    /** Completes visibly when it succeeds; failures always do. */
    public static final int SIGNALED = 1 << 1;
    /** Wakes a receiver that waits for such messages only. */
    public static final int SOLICITED = 1 << 2;
    /** Carries its bytes itself. */
    public static final int INLINE = 1 << 3;

    private SendFlags() {}
}
