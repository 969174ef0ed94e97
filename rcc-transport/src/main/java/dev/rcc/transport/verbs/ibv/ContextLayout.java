package dev.rcc.transport.verbs.ibv;

/**
 * An open device, with the table of the operations that the verbs' inline functions call.
 *
 * <pre>{@code
 * struct ibv_context {
 *     struct ibv_device *device;
 *     struct ibv_context_ops {
 *         ...
 *         int (*poll_cq)(struct ibv_cq *cq, int num_entries, struct ibv_wc *wc);
 *         int (*req_notify_cq)(struct ibv_cq *cq, int solicited_only);
 *         ...
 *         int (*post_send)(struct ibv_qp *qp, struct ibv_send_wr *wr, struct ibv_send_wr **bad_wr);
 *         int (*post_recv)(struct ibv_qp *qp, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad_wr);
 *         ...
 *     } ops;
 *     int cmd_fd;
 *     int async_fd;
 *     int num_comp_vectors;
 *     pthread_mutex_t mutex;
 *     void *abi_compat;   // -1 if the context is the last part of a verbs_context
 * };
 * }</pre>
 */
public final class ContextLayout {
    /** Size in bytes. */
    public static final int BYTES = 328;
    /** Offset of {@code device}. */
    public static final int DEVICE = 0;
    /** Offset of {@code ops.poll_cq}. */
    public static final int POLL_CQ = 96;
    /** Offset of {@code ops.req_notify_cq}. */
    public static final int REQ_NOTIFY_CQ = 104;
    /** Offset of {@code ops.post_send}. */
    public static final int POST_SEND = 208;
    /** Offset of {@code ops.post_recv}. */
    public static final int POST_RECV = 216;
    /** Offset of {@code cmd_fd}. */
    public static final int CMD_FD = 264;
    /** Offset of {@code async_fd}. */
    public static final int ASYNC_FD = 268;
    /** Offset of {@code num_comp_vectors}. */
    public static final int NUM_COMP_VECTORS = 272;
    /** Offset of {@code abi_compat}. */
    public static final int ABI_COMPAT = 320;

    private ContextLayout() {}
}
