package dev.rcc.transport.verbs.ibv;

/**
 * A completion channel.
 *
 * <pre>{@code
 * struct ibv_comp_channel {
 *     struct ibv_context *context;
 *     int fd;
 *     int refcnt;
 * };
 * }</pre>
 */
public final class CompChannelLayout {
    /** Size in bytes. */
    public static final int BYTES = 16;
    /** Offset of {@code context}. */
    public static final int CONTEXT = 0;
    /** Offset of {@code fd}. */
    public static final int FD = 8;

    private CompChannelLayout() {}
}
