package dev.rcc.transport.verbs.ibv;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * {@code libibverbs.so.1}: its functions and its devices. All of the {@code ibv} package's calls to it are bound here,
 * except those through a device's own table of operations ({@link VerbsDevice}). May be used on any thread.
 */
public final class VerbsLibrary {
    /** The advice for an operator if rdma-core is missing. */
    static final String REMEDY =
            "install rdma-core (Debian, Ubuntu: apt install libibverbs1 librdmacm1 ibverbs-providers; "
                    + "Fedora, RHEL: dnf install libibverbs librdmacm)";

    private static final int POINTER_BYTES = 8;

    private static VerbsLibrary loaded;

    final NativeFunction openDevice;
    final NativeFunction closeDevice;
    final NativeFunction queryDevice;
    final NativeFunction queryPort;
    final NativeFunction queryGidTable;
    final NativeFunction allocPd;
    final NativeFunction deallocPd;
    final NativeFunction regMr;
    final NativeFunction deregMr;
    final NativeFunction createCompChannel;
    final NativeFunction destroyCompChannel;
    final NativeFunction getCqEvent;
    final NativeFunction ackCqEvents;
    final NativeFunction createCq;
    final NativeFunction destroyCq;
    final NativeFunction createQp;
    final NativeFunction modifyQp;
    final NativeFunction queryQp;
    final NativeFunction destroyQp;
    final NativeFunction createAh;
    final NativeFunction destroyAh;
    /** The C library's {@code poll}, which waits for a completion channel's events. */
    final NativeFunction poll;

    private final NativeFunction getDeviceList;
    private final NativeFunction freeDeviceList;

    private VerbsLibrary() {
        NativeLibrary verbs = NativeLibrary.open("libibverbs.so.1", REMEDY);
        getDeviceList = verbs.pointerFunction("ibv_get_device_list", 1);
        freeDeviceList = verbs.voidFunction("ibv_free_device_list", 1);
        openDevice = verbs.pointerFunction("ibv_open_device", 1);
        closeDevice = verbs.intFunction("ibv_close_device", 1);
        queryDevice = verbs.intFunction("ibv_query_device", 2);
        queryPort = verbs.intFunction("ibv_query_port", 3);
        queryGidTable = verbs.pointerFunction("_ibv_query_gid_table", 5);
        allocPd = verbs.pointerFunction("ibv_alloc_pd", 1);
        deallocPd = verbs.intFunction("ibv_dealloc_pd", 1);
        regMr = verbs.pointerFunction("ibv_reg_mr", 4);
        deregMr = verbs.intFunction("ibv_dereg_mr", 1);
        createCompChannel = verbs.pointerFunction("ibv_create_comp_channel", 1);
        destroyCompChannel = verbs.intFunction("ibv_destroy_comp_channel", 1);
        getCqEvent = verbs.intFunction("ibv_get_cq_event", 3);
        ackCqEvents = verbs.voidFunction("ibv_ack_cq_events", 2);
        createCq = verbs.pointerFunction("ibv_create_cq", 5);
        destroyCq = verbs.intFunction("ibv_destroy_cq", 1);
        createQp = verbs.pointerFunction("ibv_create_qp", 2);
        modifyQp = verbs.intFunction("ibv_modify_qp", 3);
        queryQp = verbs.intFunction("ibv_query_qp", 4);
        destroyQp = verbs.intFunction("ibv_destroy_qp", 1);
        createAh = verbs.pointerFunction("ibv_create_ah", 2);
        destroyAh = verbs.intFunction("ibv_destroy_ah", 1);
        poll = NativeLibrary.libc().intFunction("poll", 3);
    }

    /**
     * The library.
     *
     * @throws VerbsUnavailable when the library is missing or unknown, or this is not Linux on x86-64; the message says what to do
     */
    public static synchronized VerbsLibrary load() {
        String os = System.getProperty("os.name");
        String arch = System.getProperty("os.arch");
        if (!os.equals("Linux") || !arch.equals("amd64")) {
            throw new VerbsUnavailable(
                    "RDMA verbs need Linux on x86-64, and this is " + os + " on " + arch.toLowerCase(Locale.ROOT)
                            + ", where rdma-core's structs are laid out otherwise: use another network");
        }
        if (loaded == null) {
            loaded = new VerbsLibrary();
        }
        return loaded;
    }

    /** The names of the present devices, such as {@code mlx5_0}, in the library's order. */
    public List<String> devices() {
        List<String> names = new ArrayList<>();
        withDevices((device, name) -> {
            names.add(name);
            return null;
        });
        return names;
    }

    /**
     * Opens a device.
     *
     * @param name its name, or empty for the first device
     * @throws VerbsUnavailable when there is no such device, or its layout is unknown here
     */
    public VerbsDevice open(String name) {
        VerbsDevice opened = withDevices((device, found) ->
                name.isEmpty() || found.equals(name) ? new VerbsDevice(this, openDevice.pointer(device), true) : null);
        if (opened != null) {
            return opened;
        }
        List<String> there = devices();
        if (there.isEmpty()) {
            throw new VerbsUnavailable(
                    "there is no RDMA device: see that the NIC's driver is loaded (ibv_devices lists them), or"
                            + " make a software one (modprobe rdma_rxe; rdma link add rxe0 type rxe netdev eth0)");
        }
        throw new VerbsUnavailable("there is no RDMA device " + name + ", only " + String.join(", ", there));
    }

    /**
     * Wraps a device that the caller, such as the connection manager ({@code cm_id->verbs}), has opened and will close.
     *
     * @param context address of its {@code ibv_context}
     */
    public VerbsDevice adopt(long context) {
        return new VerbsDevice(this, context, false);
    }

    private <T> T withDevices(DeviceVisitor<T> visitor) {
        long list = getDeviceList.call(0);
        if (list == 0) {
            return null; // no kernel support at all, which is treated as no device
        }
        try {
            for (int offset = 0; ; offset += POINTER_BYTES) {
                long device = Raw.getLong(list, offset);
                if (device == 0) {
                    return null;
                }
                T found = visitor.visit(device, Raw.string(device + DeviceLayout.NAME, DeviceLayout.NAME_BYTES));
                if (found != null) {
                    return found;
                }
            }
        } finally {
            freeDeviceList.call(list);
        }
    }

    @FunctionalInterface
    private interface DeviceVisitor<T> {
        T visit(long device, String name);
    }
}
