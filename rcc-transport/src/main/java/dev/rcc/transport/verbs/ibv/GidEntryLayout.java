package dev.rcc.transport.verbs.ibv;

/**
 * A global identifier in the library's list of global identifiers.
 *
 * <pre>{@code
 * struct ibv_gid_entry {
 *     union ibv_gid gid;       // network order
 *     uint32_t gid_index, port_num, gid_type, ndev_ifindex;
 * };
 * }</pre>
 */
public final class GidEntryLayout {
    /** Size in bytes. */
    public static final int BYTES = 32;
    /** Offset of {@code gid}. */
    public static final int GID = 0;
    /** Offset of {@code gid_index}. */
    public static final int GID_INDEX = 16;
    /** Offset of {@code port_num}. */
    public static final int PORT_NUM = 20;
    /** Offset of {@code gid_type}. */
    public static final int GID_TYPE = 24;

    private GidEntryLayout() {}
}
