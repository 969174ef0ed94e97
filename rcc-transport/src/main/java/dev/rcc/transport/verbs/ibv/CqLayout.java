package dev.rcc.transport.verbs.ibv;

/**
 * A completion queue.
 *
 * <pre>{@code
 * struct ibv_cq {
 *     struct ibv_context *context;
 *     struct ibv_comp_channel *channel;
 *     void *cq_context;
 *     uint32_t handle;
 *     int cqe;
 *     ...
 * };
 * }</pre>
 */
public final class CqLayout {
    /** Size in bytes. */
    public static final int BYTES = 128;
    /** Offset of {@code context}. */
    public static final int CONTEXT = 0;
    /** Offset of {@code channel}. */
    public static final int CHANNEL = 8;
    /** Offset of {@code cq_context}. */
    public static final int CQ_CONTEXT = 16;
    /** Offset of {@code handle}. */
    public static final int HANDLE = 24;
    /** Offset of {@code cqe}. */
    public static final int CQE = 28;

    private CqLayout() {}
}
