package dev.rcc.transport.verbs.ibv;

/**
 * The path to a remote port.
 *
 * <pre>{@code
 * struct ibv_ah_attr {
 *     struct ibv_global_route {
 *         union ibv_gid dgid;
 *         uint32_t flow_label;
 *         uint8_t sgid_index, hop_limit, traffic_class;
 *     } grh;
 *     uint16_t dlid;
 *     uint8_t sl, src_path_bits, static_rate, is_global, port_num;
 * };
 * }</pre>
 */
public final class AhAttrLayout {
    /** Size in bytes. */
    public static final int BYTES = 32;
    /** Offset of {@code grh.dgid}. */
    public static final int DGID = 0;
    /** Offset of {@code grh.flow_label}. */
    public static final int FLOW_LABEL = 16;
    /** Offset of {@code grh.sgid_index}. */
    public static final int SGID_INDEX = 20;
    /** Offset of {@code grh.hop_limit}. */
    public static final int HOP_LIMIT = 21;
    /** Offset of {@code grh.traffic_class}. */
    public static final int TRAFFIC_CLASS = 22;
    /** Offset of {@code dlid}. */
    public static final int DLID = 24;
    /** Offset of {@code sl}. */
    public static final int SL = 26;
    /** Offset of {@code is_global}. */
    public static final int IS_GLOBAL = 29;
    /** Offset of {@code port_num}. */
    public static final int PORT_NUM = 30;

    private AhAttrLayout() {}
}
