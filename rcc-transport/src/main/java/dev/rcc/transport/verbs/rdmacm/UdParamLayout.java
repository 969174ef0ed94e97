package dev.rcc.transport.verbs.rdmacm;

/**
 * The path to a peer's datagram queue pair, as an event contains it (librdmacm).
 *
 * <pre>{@code
 * struct rdma_ud_param {
 *     const void *private_data;
 *     uint8_t private_data_len;
 *     struct ibv_ah_attr ah_attr;
 *     uint32_t qp_num;
 *     uint32_t qkey;
 * };
 * }</pre>
 */
public final class UdParamLayout {
    /** Size in bytes. */
    public static final int BYTES = 56;
    /** Offset of {@code private_data}. */
    public static final int PRIVATE_DATA = 0;
    /** Offset of {@code private_data_len}. */
    public static final int PRIVATE_DATA_LEN = 8;
    /** Offset of {@code ah_attr}. */
    public static final int AH_ATTR = 16;
    /** Offset of {@code qp_num}. */
    public static final int QP_NUM = 48;
    /** Offset of {@code qkey}. */
    public static final int QKEY = 52;

    private UdParamLayout() {}
}
