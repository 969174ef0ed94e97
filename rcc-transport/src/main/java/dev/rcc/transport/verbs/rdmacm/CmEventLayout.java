package dev.rcc.transport.verbs.rdmacm;

/**
 * An event of the connection manager (librdmacm).
 *
 * <pre>{@code
 * struct rdma_cm_event {
 *     struct rdma_cm_id *id;
 *     struct rdma_cm_id *listen_id;
 *     enum rdma_cm_event_type event;
 *     int status;
 *     union { struct rdma_conn_param conn; struct rdma_ud_param ud; } param;
 * };
 * }</pre>
 */
public final class CmEventLayout {
    /** Size in bytes. */
    public static final int BYTES = 80;
    /** Offset of {@code id}. */
    public static final int ID = 0;
    /** Offset of {@code listen_id}. */
    public static final int LISTEN_ID = 8;
    /** Offset of {@code event}. */
    public static final int EVENT = 16;
    /** Offset of {@code status}. */
    public static final int STATUS = 20;
    /** Offset of {@code param}. */
    public static final int PARAM = 24;

    private CmEventLayout() {}
}
