package dev.rcc.transport.verbs.ibv;

/**
 * A memory region.
 *
 * <pre>{@code
 * struct ibv_mr {
 *     struct ibv_context *context;
 *     struct ibv_pd *pd;
 *     void *addr;
 *     size_t length;
 *     uint32_t handle, lkey, rkey;
 * };
 * }</pre>
 */
public final class MrLayout {
    /** Size in bytes. */
    public static final int BYTES = 48;
    /** Offset of {@code context}. */
    public static final int CONTEXT = 0;
    /** Offset of {@code pd}. */
    public static final int PD = 8;
    /** Offset of {@code addr}. */
    public static final int ADDR = 16;
    /** Offset of {@code length}. */
    public static final int LENGTH = 24;
    /** Offset of {@code handle}. */
    public static final int HANDLE = 32;
    /** Offset of {@code lkey}. */
    public static final int LKEY = 36;
    /** Offset of {@code rkey}. */
    public static final int RKEY = 40;

    private MrLayout() {}
}
