package dev.rcc.transport.verbs.ibv;

/**
 * The attributes of a port.
 *
 * <pre>{@code
 * struct ibv_port_attr {
 *     enum ibv_port_state state;
 *     enum ibv_mtu max_mtu, active_mtu;
 *     int gid_tbl_len;
 *     uint32_t port_cap_flags, max_msg_sz, bad_pkey_cntr, qkey_viol_cntr;
 *     uint16_t pkey_tbl_len, lid, sm_lid;
 *     uint8_t lmc, max_vl_num, sm_sl, subnet_timeout, init_type_reply, active_width, active_speed, phys_state,
 *             link_layer, flags;
 *     uint16_t port_cap_flags2;
 * };
 * }</pre>
 */
public final class PortAttrLayout {
    /** Size in bytes. */
    public static final int BYTES = 52;
    /** Offset of {@code state}. */
    public static final int STATE = 0;
    /** Offset of {@code max_mtu}. */
    public static final int MAX_MTU = 4;
    /** Offset of {@code active_mtu}. */
    public static final int ACTIVE_MTU = 8;
    /** Offset of {@code gid_tbl_len}. */
    public static final int GID_TBL_LEN = 12;
    /** Offset of {@code max_msg_sz}. */
    public static final int MAX_MSG_SZ = 20;
    /** Offset of {@code lid}. */
    public static final int LID = 34;
    /** Offset of {@code link_layer}. */
    public static final int LINK_LAYER = 46;

    private PortAttrLayout() {}
}
