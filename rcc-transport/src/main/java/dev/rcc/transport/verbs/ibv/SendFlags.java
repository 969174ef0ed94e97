package dev.rcc.transport.verbs.ibv;

/** The flags of a send work request ({@code enum ibv_send_flags}); bits to be combined. */
public final class SendFlags {
    /** Starts only when the READs and atomics before it have returned. */
    public static final int FENCE = 1;
    /** Completes visibly when it succeeds; a failed request always does. */
    public static final int SIGNALED = 1 << 1;
    /** Wakes a receiver that waits only for messages with this flag. */
    public static final int SOLICITED = 1 << 2;
    /** Carries its bytes inline. */
    public static final int INLINE = 1 << 3;

    private SendFlags() {}
}
