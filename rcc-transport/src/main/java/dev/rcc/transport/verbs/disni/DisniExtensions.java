package dev.rcc.transport.verbs.disni;

import com.ibm.disni.verbs.IbvAhAttr;
import com.ibm.disni.verbs.IbvCQ;
import com.ibm.disni.verbs.IbvContext;
import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvPd;
import com.ibm.disni.verbs.IbvQP;
import com.ibm.disni.verbs.IbvQPInitAttr;
import com.ibm.disni.verbs.IbvQpAttr;
import com.ibm.disni.verbs.RdmaCmEvent;
import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.SVCPostSend;
import dev.rcc.transport.verbs.ibv.AhAttrLayout;
import dev.rcc.transport.verbs.ibv.NativeFunction;
import dev.rcc.transport.verbs.ibv.NativeLibrary;
import dev.rcc.transport.verbs.ibv.QpAttrLayout;
import dev.rcc.transport.verbs.ibv.Raw;
import dev.rcc.transport.verbs.ibv.VerbsDevice;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Functions of verbs that DiSNI's API lacks, for DiSNI's objects: datagrams, queue pairs without the connection manager,
 * regions over 2 GiB, operands of atomics that change between executions, and the failures of connections. All of them
 * need {@link DisniProvider}.
 */
public final class DisniExtensions {
    private static final int GID_BYTES = 16;

    private static Functions functions;

    private DisniExtensions() {}

    /** The functions of libibverbs that only this class calls. */
    private record Functions(
            NativeFunction createQp,
            NativeFunction destroyQp,
            NativeFunction modifyQp,
            NativeFunction createAh,
            NativeFunction destroyAh) {}

    private static synchronized Functions functions() {
        if (functions == null) {
            NativeLibrary verbs = NativeLibrary.open("libibverbs.so.1", "install rdma-core");
            functions = new Functions(
                    verbs.pointerFunction("ibv_create_qp", 2),
                    verbs.intFunction("ibv_destroy_qp", 1),
                    verbs.intFunction("ibv_modify_qp", 3),
                    verbs.pointerFunction("ibv_create_ah", 2),
                    verbs.intFunction("ibv_destroy_ah", 1));
        }
        return functions;
    }

    // Devices and memory.

    /** The device of a context: its attributes, its atomicity, its ports' GIDs. The caller must not close it. */
    public static VerbsDevice device(IbvContext context) throws IOException {
        return Native.ours(Context.class, context).device();
    }

    /** Registers memory of any length. {@code access} may include {@code IbvMr.IBV_ACCESS_REMOTE_ATOMIC}, as in all registrations. */
    public static IbvMr register(IbvPd pd, MemorySegment memory, int access) throws IOException {
        return RegMr.register(Native.ours(Pd.class, pd), memory, access);
    }

    /** A region's length; {@code getLength()} returns at most 2 GiB less 1 byte. */
    public static long bytes(IbvMr region) throws IOException {
        return Native.ours(Mr.class, region).bytes();
    }

    // Queue pairs without the connection manager.

    /** Creates a queue pair that {@link #modifyQp} takes through its states and {@link #destroyQp} destroys. */
    public static IbvQP createQp(IbvPd pd, IbvQPInitAttr attr) throws IOException {
        return QpFactory.create(
                pd, attr, (domain, initAttr) -> functions().createQp().pointer(domain, initAttr));
    }

    /** Destroys a queue pair that {@link #createQp} made. */
    public static void destroyQp(IbvQP ibvQp) throws IOException {
        Qp qp = Native.ours(Qp.class, ibvQp);
        qp.destroy(() -> functions().destroyQp().check(qp.pair().address()));
    }

    /**
     * Changes a queue pair's state and attributes.
     *
     * @param attr such as a {@link QpAttributes}; attributes that {@code mask} does not name are ignored
     * @param mask bits of {@link QpAttributes}
     */
    public static void modifyQp(IbvQP ibvQp, IbvQpAttr attr, int mask) throws IOException {
        Qp qp = Native.ours(Qp.class, ibvQp);
        try (Arena arena = Arena.ofConfined()) {
            long to = arena.allocate(QpAttrLayout.BYTES, Long.BYTES).address();
            write(attr, to);
            Native.run(
                    "change queue pair " + qp.getQp_num() + " (mask 0x" + Integer.toHexString(mask) + ")",
                    qp.guard(),
                    () -> functions().modifyQp().check(qp.pair().address(), to, mask));
        }
    }

    private static void write(IbvQpAttr from, long to) throws IOException {
        Raw.putInt(to, QpAttrLayout.QP_STATE, from.getQp_state());
        Raw.putInt(to, QpAttrLayout.PATH_MTU, from.getPath_mtu());
        Raw.putInt(to, QpAttrLayout.QKEY, from.getQkey());
        Raw.putInt(to, QpAttrLayout.RQ_PSN, from.getRq_psn());
        Raw.putInt(to, QpAttrLayout.SQ_PSN, from.getSq_psn());
        Raw.putInt(to, QpAttrLayout.DEST_QP_NUM, from.getDest_qp_num());
        Raw.putInt(to, QpAttrLayout.QP_ACCESS_FLAGS, from.getQp_access_flags());
        write(from.getAh_attr(), to + QpAttrLayout.AH_ATTR);
        Raw.putShort(to, QpAttrLayout.PKEY_INDEX, from.getPkey_index());
        Raw.putByte(to, QpAttrLayout.MAX_RD_ATOMIC, from.getMax_rd_atomic());
        Raw.putByte(to, QpAttrLayout.MAX_DEST_RD_ATOMIC, from.getMax_dest_rd_atomic());
        Raw.putByte(to, QpAttrLayout.MIN_RNR_TIMER, from.getMin_rnr_timer());
        Raw.putByte(to, QpAttrLayout.PORT_NUM, from.getPort_num());
        Raw.putByte(to, QpAttrLayout.TIMEOUT, from.getTimeout());
        Raw.putByte(to, QpAttrLayout.RETRY_CNT, from.getRetry_cnt());
        Raw.putByte(to, QpAttrLayout.RNR_RETRY, from.getRnr_retry());
    }

    // Datagrams.

    /** Makes an address handle, for example from an {@link AhAttributes}. */
    public static DisniAddressHandle createAh(IbvPd ibvPd, IbvAhAttr attr) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            long to = arena.allocate(AhAttrLayout.BYTES, Long.BYTES).address();
            write(attr, to);
            return createAh(Native.ours(Pd.class, ibvPd), to);
        }
    }

    /** Makes an address handle to the peer that accepted: {@code event} is the ESTABLISHED event of an id of RDMA_PS_UDP. */
    public static DisniAddressHandle createAh(IbvPd ibvPd, RdmaCmEvent event) throws IOException {
        return createAh(
                Native.ours(Pd.class, ibvPd), Native.ours(CmEvent.class, event).ahAttr());
    }

    private static DisniAddressHandle createAh(Pd pd, long ahAttr) throws IOException {
        return Native.call("create an address handle", () -> {
            long address = functions().createAh().pointer(pd.domain().address(), ahAttr);
            return new DisniAddressHandle(address, () -> functions().destroyAh().check(address));
        });
    }

    private static void write(IbvAhAttr from, long to) throws IOException {
        byte[] gid = from.getGrh().getDgid();
        if (gid.length != GID_BYTES) {
            throw new IOException("a GID has " + GID_BYTES + " bytes, got " + gid.length);
        }
        for (int i = 0; i < GID_BYTES; i++) {
            Raw.putByte(to, AhAttrLayout.DGID + i, gid[i]);
        }
        Raw.putInt(to, AhAttrLayout.FLOW_LABEL, from.getGrh().getFlow_label());
        Raw.putByte(to, AhAttrLayout.SGID_INDEX, from.getGrh().getSgid_index());
        Raw.putByte(to, AhAttrLayout.HOP_LIMIT, from.getGrh().getHop_limit());
        Raw.putByte(to, AhAttrLayout.TRAFFIC_CLASS, from.getGrh().getTraffic_class());
        Raw.putShort(to, AhAttrLayout.DLID, from.getDlid());
        Raw.putByte(to, AhAttrLayout.SL, from.getSl());
        Raw.putByte(to, AhAttrLayout.IS_GLOBAL, from.getIs_global());
        Raw.putByte(to, AhAttrLayout.PORT_NUM, from.getPort_num());
    }

    /** The number of the queue pair that an event's peer has for datagrams. */
    public static int remoteQueuePair(RdmaCmEvent event) throws IOException {
        return Native.ours(CmEvent.class, event).remoteQueuePair();
    }

    /** The key that datagrams to this queue pair must name. */
    public static int remoteQkey(RdmaCmEvent event) throws IOException {
        return Native.ours(CmEvent.class, event).remoteQkey();
    }

    /** The part of a work request that makes it a datagram. */
    public static DatagramMod datagram(SVCPostSend.SendWRMod wr) throws IOException {
        PostSend.Wr ours = Native.ours(PostSend.Wr.class, wr);
        if (!ours.isDatagram()) {
            throw new IOException("the work request is not for a queue pair of datagrams");
        }
        return ours;
    }

    // Atomics.

    /** The part of a work request that makes it a CAS or a FETCH_ADD. */
    public static AtomicMod atomic(SVCPostSend.SendWRMod wr) throws IOException {
        PostSend.Wr ours = Native.ours(PostSend.Wr.class, wr);
        if (!ours.isAtomic()) {
            throw new IOException("the work request is no atomic, its opcode is " + ours.getOpcode());
        }
        return ours;
    }

    // Connections.

    /**
     * The original type of an event. DiSNI's endpoints handle only DISCONNECTED of all failures, so {@code getEvent()}
     * returns that for every failure.
     */
    public static RdmaCmEvent.EventType type(RdmaCmEvent event) throws IOException {
        return RdmaCmEvent.EventType.valueOf(
                "RDMA_CM_EVENT_" + Native.ours(CmEvent.class, event).type().name());
    }

    /**
     * Keeps the failure of a connection from others whose completions are in the same queue. DiSNI's loop takes several completions at once, and drops
     * those behind a failed one. From now on, the listener gets the failed completions of the queue; to DiSNI they appear as flushed, which its endpoints
     * ignore. The listener has to end the connection.
     */
    public static void onFailure(IbvCQ queue, FailureListener listener) throws IOException {
        Native.ours(Cq.class, queue).onFailure(listener);
    }

    /** The reason why there is no connection, in words; empty if no failure has occurred. */
    public static String failure(RdmaCmId id) throws IOException {
        return Native.ours(CmId.class, id).failure();
    }
}
