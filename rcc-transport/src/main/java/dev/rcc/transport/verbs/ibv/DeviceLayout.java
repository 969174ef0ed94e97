package dev.rcc.transport.verbs.ibv;

/**
 * A device in the library's list, not opened.
 *
 * <pre>{@code
 * struct ibv_device {
 *     struct _ibv_device_ops { ... two functions ... } _ops;
 *     enum ibv_node_type node_type;
 *     enum ibv_transport_type transport_type;
 *     char name[64];
 *     ...
 * };
 * }</pre>
 */
public final class DeviceLayout {
    /** Size in bytes. */
    public static final int BYTES = 664;
    /** Offset of {@code transport_type}. */
    public static final int TRANSPORT_TYPE = 20;
    /** Offset of {@code name}. */
    public static final int NAME = 24;

    /** Bytes of {@code name}. */
    public static final int NAME_BYTES = 64;

    private DeviceLayout() {}
}
