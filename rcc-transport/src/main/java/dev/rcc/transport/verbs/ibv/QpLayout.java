package dev.rcc.transport.verbs.ibv;

/**
 * A queue pair.
 *
 * <pre>{@code
 * struct ibv_qp {
 *     struct ibv_context *context;
 *     void *qp_context;
 *     struct ibv_pd *pd;
 *     struct ibv_cq *send_cq, *recv_cq;
 *     struct ibv_srq *srq;
 *     uint32_t handle, qp_num;
 *     ...
 * };
 * }</pre>
 */
public final class QpLayout {
    /** Size in bytes. */
    public static final int BYTES = 160;
    /** Offset of {@code context}. */
    public static final int CONTEXT = 0;
    /** Offset of {@code pd}. */
    public static final int PD = 16;
    /** Offset of {@code send_cq}. */
    public static final int SEND_CQ = 24;
    /** Offset of {@code recv_cq}. */
    public static final int RECV_CQ = 32;
    /** Offset of {@code handle}. */
    public static final int HANDLE = 48;
    /** Offset of {@code qp_num}. */
    public static final int QP_NUM = 52;

    private QpLayout() {}
}
