package dev.rcc.transport.verbs.ibv;

/**
 * A send work request; the opcode and the queue pair's type decide which part of {@code wr} is used.
 *
 * <pre>{@code
 * struct ibv_send_wr {
 *     uint64_t wr_id;
 *     struct ibv_send_wr *next;
 *     struct ibv_sge *sg_list;
 *     int num_sge;
 *     enum ibv_wr_opcode opcode;
 *     unsigned int send_flags;
 *     __be32 imm_data;
 *     union {
 *         struct { uint64_t remote_addr; uint32_t rkey; } rdma;
 *         struct { uint64_t remote_addr, compare_add, swap; uint32_t rkey; } atomic;
 *         struct { struct ibv_ah *ah; uint32_t remote_qpn, remote_qkey; } ud;
 *     } wr;
 *     ...
 * };
 * }</pre>
 */
public final class SendWrLayout {
    /** Size in bytes. */
    public static final int BYTES = 128;
    /** Offset of {@code wr_id}. */
    public static final int WR_ID = 0;
    /** Offset of {@code next}. */
    public static final int NEXT = 8;
    /** Offset of {@code sg_list}. */
    public static final int SG_LIST = 16;
    /** Offset of {@code num_sge}. */
    public static final int NUM_SGE = 24;
    /** Offset of {@code opcode}. */
    public static final int OPCODE = 28;
    /** Offset of {@code send_flags}. */
    public static final int SEND_FLAGS = 32;
    /** Offset of {@code imm_data}. */
    public static final int IMM_DATA = 36;
    /** Offset of {@code wr.rdma.remote_addr} and {@code wr.atomic.remote_addr}. */
    public static final int REMOTE_ADDR = 40;
    /** Offset of {@code wr.rdma.rkey}. */
    public static final int RDMA_RKEY = 48;
    /** Offset of {@code wr.atomic.compare_add}. */
    public static final int COMPARE_ADD = 48;
    /** Offset of {@code wr.atomic.swap}. */
    public static final int SWAP = 56;
    /** Offset of {@code wr.atomic.rkey}. */
    public static final int ATOMIC_RKEY = 64;
    /** Offset of {@code wr.ud.ah}. */
    public static final int UD_AH = 40;
    /** Offset of {@code wr.ud.remote_qpn}. */
    public static final int UD_REMOTE_QPN = 48;
    /** Offset of {@code wr.ud.remote_qkey}. */
    public static final int UD_REMOTE_QKEY = 52;

    private SendWrLayout() {}
}
