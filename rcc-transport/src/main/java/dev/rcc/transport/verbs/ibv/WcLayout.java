package dev.rcc.transport.verbs.ibv;

/**
 * A work completion.
 *
 * <pre>{@code
 * struct ibv_wc {
 *     uint64_t wr_id;
 *     enum ibv_wc_status status;
 *     enum ibv_wc_opcode opcode;
 *     uint32_t vendor_err;
 *     uint32_t byte_len;
 *     __be32 imm_data;
 *     uint32_t qp_num;
 *     uint32_t src_qp;
 *     unsigned int wc_flags;
 *     ...
 * };
 * }</pre>
 */
public final class WcLayout {
    /** Size in bytes. */
    public static final int BYTES = 48;
    /** Offset of {@code wr_id}. */
    public static final int WR_ID = 0;
    /** Offset of {@code status}. */
    public static final int STATUS = 8;
    /** Offset of {@code opcode}. */
    public static final int OPCODE = 12;
    /** Offset of {@code vendor_err}. */
    public static final int VENDOR_ERR = 16;
    /** Offset of {@code byte_len}. */
    public static final int BYTE_LEN = 20;
    /** Offset of {@code imm_data}. */
    public static final int IMM_DATA = 24;
    /** Offset of {@code qp_num}. */
    public static final int QP_NUM = 28;
    /** Offset of {@code src_qp}. */
    public static final int SRC_QP = 32;
    /** Offset of {@code wc_flags}. */
    public static final int WC_FLAGS = 36;

    private WcLayout() {}
}
