package dev.rcc.transport.verbs.ibv;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * An open device ({@code ibv_context}). Posting and polling call its own table of operations, by function pointers; all other
 * operations call the library. May be used on any thread.
 */
public final class VerbsDevice extends VerbsResource {
    /**
     * Drivers whose post_send rings a doorbell that is mapped into the process. With other drivers it is, or may be, a system
     * call.
     */
    private static final Set<String> USER_SPACE_DOORBELL =
            Set.of("mlx4_core", "mlx5_core", "bnxt_en", "irdma", "i40e", "ice", "cxgb4", "efa", "hns3", "qede", "mana");

    private static final Path SYSFS = Path.of("/sys/class/infiniband");
    private static final long EXTENDED = -1;
    private static final int TRANSPORT_IWARP = 1;
    private static final int GID_TYPE_ROCE_V2 = 2;
    private static final int[] INLINE_BYTES_TRIED = {1024, 512, 256, 128, 64, 32, 16, 8};
    private static final ValueLayout.OfLong NETWORK_ORDER = ValueLayout.JAVA_LONG.withOrder(ByteOrder.BIG_ENDIAN);

    private final VerbsLibrary library;
    private final boolean owned;
    private final String name;
    private final boolean iwarp;
    private final boolean doorbellInUserSpace;
    private final MemorySegment postSend;
    private final MemorySegment postRecv;
    private final MemorySegment pollCq;
    private final MemorySegment reqNotifyCq;
    private int maxInline = -1;

    VerbsDevice(VerbsLibrary library, long context, boolean owned) {
        super("device " + nameOf(context), context);
        this.library = library;
        this.owned = owned;
        long device = Raw.getLong(context, ContextLayout.DEVICE);
        this.name = nameOf(context);
        this.iwarp = Raw.getInt(device, DeviceLayout.TRANSPORT_TYPE) == TRANSPORT_IWARP;
        this.doorbellInUserSpace = USER_SPACE_DOORBELL.contains(driverOf(name));
        // A pointer that is read wrongly here would be called later, so all that can be checked is checked.
        if (Raw.getLong(context, ContextLayout.ABI_COMPAT) != EXTENDED) {
            throw unknown("its context is not a verbs_context");
        }
        long whole = Raw.getLong(context - VerbsContextLayout.CONTEXT, VerbsContextLayout.SZ);
        if (whole < VerbsContextLayout.BYTES_MIN || whole > VerbsContextLayout.BYTES_MAX) {
            throw unknown("its verbs_context says that it has " + whole + " bytes");
        }
        this.postSend = operation("post_send", ContextLayout.POST_SEND);
        this.postRecv = operation("post_recv", ContextLayout.POST_RECV);
        this.pollCq = operation("poll_cq", ContextLayout.POLL_CQ);
        this.reqNotifyCq = operation("req_notify_cq", ContextLayout.REQ_NOTIFY_CQ);
    }

    /** Its name, such as {@code mlx5_0}. */
    public String name() {
        return name;
    }

    /** Whether it is an iWARP device; only the connection manager can make connections of those. */
    public boolean isIwarp() {
        return iwarp;
    }

    /**
     * Whether posting stays in user space and takes a few nanoseconds. Such calls are made as critical ones, which are cheaper
     * but delay the JVM's safepoints while they run.
     */
    public boolean isDoorbellInUserSpace() {
        return doorbellInUserSpace;
    }

    /** Its attributes. */
    public DeviceAttributes attributes() {
        try (Arena arena = Arena.ofConfined()) {
            long attributes = arena.allocate(DeviceAttrLayout.BYTES, Long.BYTES).address();
            library.queryDevice.check(address(), attributes);
            return DeviceAttributes.read(attributes);
        }
    }

    /** The attributes of a port; ports are numbered from 1. */
    public PortAttributes port(int port) {
        try (Arena arena = Arena.ofConfined()) {
            // Zeroed, because the exported ibv_query_port is an old one that leaves the newest fields alone.
            long attributes = arena.allocate(PortAttrLayout.BYTES, Long.BYTES).address();
            checkPort(port);
            library.queryPort.check(address(), port, attributes);
            return PortAttributes.read(attributes);
        }
    }

    /** The global identifiers of a port. */
    public List<Gid> gids(int port) {
        checkPort(port);
        int room = 0;
        for (int p = 1, ports = attributes().ports(); p <= ports; p++) {
            room += port(p).gidCount();
        }
        List<Gid> gids = new ArrayList<>();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment entries = arena.allocate((long) room * GidEntryLayout.BYTES, Long.BYTES);
            long count = library.queryGidTable.call(address(), entries.address(), room, 0, GidEntryLayout.BYTES);
            if (count < 0) {
                throw new VerbsException("ibv_query_gid_table", (int) -count);
            }
            for (long entry = 0; entry < count * GidEntryLayout.BYTES; entry += GidEntryLayout.BYTES) {
                if (entries.get(ValueLayout.JAVA_INT, entry + GidEntryLayout.PORT_NUM) == port) {
                    gids.add(new Gid(
                            entries.get(ValueLayout.JAVA_INT, entry + GidEntryLayout.GID_INDEX),
                            entries.get(NETWORK_ORDER, entry + GidEntryLayout.GID),
                            entries.get(NETWORK_ORDER, entry + GidEntryLayout.GID + Long.BYTES),
                            entries.get(ValueLayout.JAVA_INT, entry + GidEntryLayout.GID_TYPE) == GID_TYPE_ROCE_V2
                                    ? Gid.Kind.ROCE_V2
                                    : Gid.Kind.IB_OR_ROCE_V1));
                }
            }
        }
        return gids;
    }

    /**
     * The identifier to use: the one at {@code index}, or if that is negative the best one. The best is an IPv4 address
     * by RoCE v2, else another address by RoCE v2, else an IPv4 address, else the first.
     *
     * @throws IllegalArgumentException when the port has no identifier there
     */
    public Gid gid(int port, int index) {
        List<Gid> gids = gids(port);
        Gid best = null;
        for (Gid gid : gids) {
            if (index >= 0 ? gid.index() == index : best == null || rank(gid) > rank(best)) {
                best = gid;
            }
        }
        if (best == null) {
            throw new IllegalArgumentException("port " + port + " of device " + name + " has no GID"
                    + (index >= 0 ? " at index " + index : "") + ", only " + gids
                    + " (show_gids or /sys/class/infiniband/" + name + "/ports/" + port + "/gids list them)");
        }
        return best;
    }

    /** The number of bytes that a work request may carry inline; found by trying. */
    public synchronized int maxInline() {
        if (maxInline < 0) {
            maxInline = 0;
            try (ProtectionDomain pd = allocPd();
                    CompletionQueue cq = createCq(1, null, 0)) {
                for (int bytes : INLINE_BYTES_TRIED) {
                    try (QueuePair qp = pd.createRc(cq, cq, new QpSize(1, 1, 1, 1, bytes), false)) {
                        maxInline = qp.size().inlineBytes();
                        break;
                    } catch (VerbsException e) {
                        // Too many for this device; the next size is smaller, and none may work.
                        assert e.errno() != 0;
                    }
                }
            }
        }
        return maxInline;
    }

    /** Makes a protection domain, which memory regions and queue pairs must share. */
    public ProtectionDomain allocPd() {
        return new ProtectionDomain(this, library.allocPd.pointer(address()));
    }

    /** Makes a completion channel, which reports completions in completion queues. */
    public CompletionChannel createChannel() {
        return new CompletionChannel(this, library.createCompChannel.pointer(address()));
    }

    /**
     * Makes a completion queue.
     *
     * @param entries the least number of completions that it holds; if it overflows, that is a fatal error of the device
     * @param channel the channel that reports its completions, or null
     * @param cookie the value that {@link CompletionChannel#next} then returns
     */
    public CompletionQueue createCq(int entries, CompletionChannel channel, long cookie) {
        return createCq(entries, channel, cookie, 0);
    }

    /**
     * Makes a completion queue on one of the device's interrupt vectors; otherwise as above.
     *
     * @param vector from 0; the device refuses a number that is not below its number of vectors
     */
    public CompletionQueue createCq(int entries, CompletionChannel channel, long cookie, int vector) {
        if (entries < 1) {
            throw new IllegalArgumentException("a completion queue must have 1 entry or more, got " + entries);
        }
        long cq = library.createCq.pointer(address(), entries, cookie, channel == null ? 0 : channel.address(), vector);
        return channel == null ? new CompletionQueue(this, cq) : new CompletionQueue(this, cq, channel);
    }

    @Override
    void destroy(long structAddress) {
        if (owned) {
            library.closeDevice.check(structAddress);
        }
    }

    VerbsLibrary library() {
        return library;
    }

    MemorySegment postSend() {
        return postSend;
    }

    MemorySegment postRecv() {
        return postRecv;
    }

    MemorySegment pollCq() {
        return pollCq;
    }

    MemorySegment reqNotifyCq() {
        return reqNotifyCq;
    }

    static void checkPort(int port) {
        if (port < 1 || port > 255) {
            throw new IllegalArgumentException("a port must be 1 to 255, got " + port);
        }
    }

    private MemorySegment operation(String what, int offset) {
        long function = Raw.getLong(address(), offset);
        if (function == 0) {
            throw unknown("it has no " + what);
        }
        return MemorySegment.ofAddress(function);
    }

    private VerbsUnavailable unknown(String why) {
        return new VerbsUnavailable("device " + name + " is laid out in a way that is not known here (" + why
                + "): use another version of rdma-core, such as 44, or another network");
    }

    private static int rank(Gid gid) {
        return (gid.kind() == Gid.Kind.ROCE_V2 ? 2 : 0) + (gid.isIpv4() ? 1 : 0);
    }

    private static String nameOf(long context) {
        return Raw.string(Raw.getLong(context, ContextLayout.DEVICE) + DeviceLayout.NAME, DeviceLayout.NAME_BYTES);
    }

    /** The kernel driver of the underlying device; empty for a software device, which has none. */
    private static String driverOf(String name) {
        try {
            return SYSFS.resolve(name + "/device/driver")
                    .toRealPath()
                    .getFileName()
                    .toString();
        } catch (IOException e) {
            return "";
        }
    }
}
