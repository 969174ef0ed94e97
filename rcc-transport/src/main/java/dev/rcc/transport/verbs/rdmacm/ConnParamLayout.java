package dev.rcc.transport.verbs.rdmacm;

/**
 * The parameters with which a connection is requested or accepted (librdmacm).
 *
 * <pre>{@code
 * struct rdma_conn_param {
 *     const void *private_data;
 *     uint8_t private_data_len;
 *     uint8_t responder_resources;
 *     uint8_t initiator_depth;
 *     uint8_t flow_control;
 *     uint8_t retry_count;
 *     uint8_t rnr_retry_count;
 *     uint8_t srq;
 *     uint32_t qp_num;
 * };
 * }</pre>
 */
public final class ConnParamLayout {
    /** Size in bytes. */
    public static final int BYTES = 24;
    /** Offset of {@code private_data}. */
    public static final int PRIVATE_DATA = 0;
    /** Offset of {@code private_data_len}. */
    public static final int PRIVATE_DATA_LEN = 8;
    /** Offset of {@code responder_resources}. */
    public static final int RESPONDER_RESOURCES = 9;
    /** Offset of {@code initiator_depth}. */
    public static final int INITIATOR_DEPTH = 10;
    /** Offset of {@code flow_control}. */
    public static final int FLOW_CONTROL = 11;
    /** Offset of {@code retry_count}. */
    public static final int RETRY_COUNT = 12;
    /** Offset of {@code rnr_retry_count}. */
    public static final int RNR_RETRY_COUNT = 13;

    private ConnParamLayout() {}
}
