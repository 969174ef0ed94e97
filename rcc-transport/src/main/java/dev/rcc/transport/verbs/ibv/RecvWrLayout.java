package dev.rcc.transport.verbs.ibv;

/**
 * A receive work request.
 *
 * <pre>{@code
 * struct ibv_recv_wr {
 *     uint64_t wr_id;
 *     struct ibv_recv_wr *next;
 *     struct ibv_sge *sg_list;
 *     int num_sge;
 * };
 * }</pre>
 */
public final class RecvWrLayout {
    /** Size in bytes. */
    public static final int BYTES = 32;
    /** Offset of {@code wr_id}. */
    public static final int WR_ID = 0;
    /** Offset of {@code next}. */
    public static final int NEXT = 8;
    /** Offset of {@code sg_list}. */
    public static final int SG_LIST = 16;
    /** Offset of {@code num_sge}. */
    public static final int NUM_SGE = 24;

    private RecvWrLayout() {}
}
