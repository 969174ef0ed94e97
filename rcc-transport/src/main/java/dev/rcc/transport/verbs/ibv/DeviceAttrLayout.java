package dev.rcc.transport.verbs.ibv;

/**
 * The attributes of a device.
 *
 * <pre>{@code
 * struct ibv_device_attr {
 *     char fw_ver[64];
 *     __be64 node_guid, sys_image_guid;
 *     uint64_t max_mr_size, page_size_cap;
 *     uint32_t vendor_id, vendor_part_id, hw_ver;
 *     int max_qp, max_qp_wr;
 *     unsigned int device_cap_flags;
 *     int max_sge, max_sge_rd, max_cq, max_cqe, max_mr, max_pd,
 *         max_qp_rd_atom, max_ee_rd_atom, max_res_rd_atom, max_qp_init_rd_atom, max_ee_init_rd_atom;
 *     enum ibv_atomic_cap atomic_cap;
 *     int max_ee, max_rdd, max_mw, max_raw_ipv6_qp, max_raw_ethy_qp, max_mcast_grp, max_mcast_qp_attach,
 *         max_total_mcast_qp_attach, max_ah, ...
 *     uint16_t max_pkeys;
 *     uint8_t local_ca_ack_delay, phys_port_cnt;
 * };
 * }</pre>
 */
public final class DeviceAttrLayout {
    /** Size in bytes. */
    public static final int BYTES = 232;
    /** Offset of {@code fw_ver}. */
    public static final int FW_VER = 0;
    /** Offset of {@code node_guid}. */
    public static final int NODE_GUID = 64;
    /** Offset of {@code max_mr_size}. */
    public static final int MAX_MR_SIZE = 80;
    /** Offset of {@code vendor_id}. */
    public static final int VENDOR_ID = 96;
    /** Offset of {@code max_qp}. */
    public static final int MAX_QP = 108;
    /** Offset of {@code max_qp_wr}. */
    public static final int MAX_QP_WR = 112;
    /** Offset of {@code max_sge}. */
    public static final int MAX_SGE = 120;
    /** Offset of {@code max_cq}. */
    public static final int MAX_CQ = 128;
    /** Offset of {@code max_cqe}. */
    public static final int MAX_CQE = 132;
    /** Offset of {@code max_mr}. */
    public static final int MAX_MR = 136;
    /** Offset of {@code max_qp_rd_atom}. */
    public static final int MAX_QP_RD_ATOM = 144;
    /** Offset of {@code max_qp_init_rd_atom}. */
    public static final int MAX_QP_INIT_RD_ATOM = 156;
    /** Offset of {@code atomic_cap}. */
    public static final int ATOMIC_CAP = 164;
    /** Offset of {@code max_ah}. */
    public static final int MAX_AH = 200;
    /** Offset of {@code max_srq}. */
    public static final int MAX_SRQ = 212;
    /** Offset of {@code phys_port_cnt}. */
    public static final int PHYS_PORT_CNT = 227;

    private DeviceAttrLayout() {}
}
