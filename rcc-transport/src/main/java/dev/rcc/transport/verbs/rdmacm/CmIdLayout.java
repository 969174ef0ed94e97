package dev.rcc.transport.verbs.rdmacm;

/**
 * One end of a connection, or a listener (librdmacm).
 *
 * <pre>{@code
 * struct rdma_cm_id {
 *     struct ibv_context *verbs;
 *     struct rdma_event_channel *channel;
 *     void *context;
 *     struct ibv_qp *qp;
 *     struct rdma_route {
 *         struct rdma_addr {
 *             union { struct sockaddr src_addr; struct sockaddr_storage src_storage; ... };
 *             union { struct sockaddr dst_addr; struct sockaddr_storage dst_storage; ... };
 *             ...
 *         } addr;
 *         ...
 *     } route;
 *     enum rdma_port_space ps;
 *     uint8_t port_num;
 *     ...
 * };
 * }</pre>
 */
public final class CmIdLayout {
    /** Size in bytes. */
    public static final int BYTES = 416;
    /** Offset of {@code verbs}. */
    public static final int VERBS = 0;
    /** Offset of {@code qp}. */
    public static final int QP = 24;
    /** Offset of {@code route.addr.src_addr}. */
    public static final int SRC_ADDR = 32;
    /** Offset of {@code route.addr.dst_addr}. */
    public static final int DST_ADDR = 160;
    /** Offset of {@code ps}. */
    public static final int PS = 344;
    /** Offset of {@code port_num}. */
    public static final int PORT_NUM = 348;

    private CmIdLayout() {}
}
