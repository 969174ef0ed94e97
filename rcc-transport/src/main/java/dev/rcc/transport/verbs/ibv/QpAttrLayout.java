package dev.rcc.transport.verbs.ibv;

/**
 * The attributes that a queue pair's state changes set.
 *
 * <pre>{@code
 * struct ibv_qp_attr {
 *     enum ibv_qp_state qp_state, cur_qp_state;
 *     enum ibv_mtu path_mtu;
 *     enum ibv_mig_state path_mig_state;
 *     uint32_t qkey, rq_psn, sq_psn, dest_qp_num;
 *     unsigned int qp_access_flags;
 *     struct ibv_qp_cap cap;
 *     struct ibv_ah_attr ah_attr, alt_ah_attr;
 *     uint16_t pkey_index, alt_pkey_index;
 *     uint8_t en_sqd_async_notify, sq_draining, max_rd_atomic, max_dest_rd_atomic, min_rnr_timer, port_num,
 *             timeout, retry_cnt, rnr_retry, alt_port_num, alt_timeout;
 *     uint32_t rate_limit;
 * };
 * }</pre>
 */
public final class QpAttrLayout {
    /** Size in bytes. */
    public static final int BYTES = 144;
    /** Offset of {@code qp_state}. */
    public static final int QP_STATE = 0;
    /** Offset of {@code path_mtu}. */
    public static final int PATH_MTU = 8;
    /** Offset of {@code qkey}. */
    public static final int QKEY = 16;
    /** Offset of {@code rq_psn}. */
    public static final int RQ_PSN = 20;
    /** Offset of {@code sq_psn}. */
    public static final int SQ_PSN = 24;
    /** Offset of {@code dest_qp_num}. */
    public static final int DEST_QP_NUM = 28;
    /** Offset of {@code qp_access_flags}. */
    public static final int QP_ACCESS_FLAGS = 32;
    /** Offset of {@code ah_attr}. */
    public static final int AH_ATTR = 56;
    /** Offset of {@code pkey_index}. */
    public static final int PKEY_INDEX = 120;
    /** Offset of {@code max_rd_atomic}. */
    public static final int MAX_RD_ATOMIC = 126;
    /** Offset of {@code max_dest_rd_atomic}. */
    public static final int MAX_DEST_RD_ATOMIC = 127;
    /** Offset of {@code min_rnr_timer}. */
    public static final int MIN_RNR_TIMER = 128;
    /** Offset of {@code port_num}. */
    public static final int PORT_NUM = 129;
    /** Offset of {@code timeout}. */
    public static final int TIMEOUT = 130;
    /** Offset of {@code retry_cnt}. */
    public static final int RETRY_CNT = 131;
    /** Offset of {@code rnr_retry}. */
    public static final int RNR_RETRY = 132;

    private QpAttrLayout() {}
}
