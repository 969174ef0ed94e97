package dev.rcc.transport.verbs.ibv;

/**
 * The attributes that a queue pair is created with.
 *
 * <pre>{@code
 * struct ibv_qp_init_attr {
 *     void *qp_context;
 *     struct ibv_cq *send_cq;
 *     struct ibv_cq *recv_cq;
 *     struct ibv_srq *srq;
 *     struct ibv_qp_cap {
 *         uint32_t max_send_wr, max_recv_wr, max_send_sge, max_recv_sge, max_inline_data;
 *     } cap;
 *     enum ibv_qp_type qp_type;
 *     int sq_sig_all;
 * };
 * }</pre>
 */
public final class QpInitAttrLayout {
    /** Size in bytes. */
    public static final int BYTES = 64;
    /** Offset of {@code qp_context}. */
    public static final int QP_CONTEXT = 0;
    /** Offset of {@code send_cq}. */
    public static final int SEND_CQ = 8;
    /** Offset of {@code recv_cq}. */
    public static final int RECV_CQ = 16;
    /** Offset of {@code srq}. */
    public static final int SRQ = 24;
    /** Offset of {@code cap.max_send_wr}. */
    public static final int MAX_SEND_WR = 32;
    /** Offset of {@code cap.max_recv_wr}. */
    public static final int MAX_RECV_WR = 36;
    /** Offset of {@code cap.max_send_sge}. */
    public static final int MAX_SEND_SGE = 40;
    /** Offset of {@code cap.max_recv_sge}. */
    public static final int MAX_RECV_SGE = 44;
    /** Offset of {@code cap.max_inline_data}. */
    public static final int MAX_INLINE_DATA = 48;
    /** Offset of {@code qp_type}. */
    public static final int QP_TYPE = 52;
    /** Offset of {@code sq_sig_all}. */
    public static final int SQ_SIG_ALL = 56;

    private QpInitAttrLayout() {}
}
