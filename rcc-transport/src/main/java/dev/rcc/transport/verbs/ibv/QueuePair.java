package dev.rcc.transport.verbs.ibv;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;

/**
 * A queue pair: a send queue and a receive queue of work requests that the device carries out. It goes from
 * {@link QpState#RESET} to the next states by {@code toInit}, {@code toReadyToReceive} and {@code toReadyToSend}.
 *
 * <p>Posting is for one thread at a time, and not while {@link #close} runs; another thread may change the state.
 */
public final class QueuePair extends VerbsResource {
    /** Packet sequence numbers have 24 bits. */
    public static final int PSN_MASK = (1 << 24) - 1;

    private static final int MASK_STATE = 1;
    private static final int MASK_ACCESS_FLAGS = 1 << 3;
    private static final int MASK_PKEY_INDEX = 1 << 4;
    private static final int MASK_PORT = 1 << 5;
    private static final int MASK_QKEY = 1 << 6;
    private static final int MASK_AV = 1 << 7;
    private static final int MASK_PATH_MTU = 1 << 8;
    private static final int MASK_TIMEOUT = 1 << 9;
    private static final int MASK_RETRY_CNT = 1 << 10;
    private static final int MASK_RNR_RETRY = 1 << 11;
    private static final int MASK_RQ_PSN = 1 << 12;
    private static final int MASK_MAX_RD_ATOMIC = 1 << 13;
    private static final int MASK_MIN_RNR_TIMER = 1 << 15;
    private static final int MASK_SQ_PSN = 1 << 16;
    private static final int MASK_MAX_DEST_RD_ATOMIC = 1 << 17;
    private static final int MASK_DEST_QPN = 1 << 20;

    private final VerbsLibrary library;
    private final boolean owned;
    private final MemorySegment postSend;
    private final MemorySegment postRecv;
    private final boolean critical;
    private final boolean datagrams;
    private final QpSize size;
    private final int number;
    /** Memory where the device stores the address of a work request that it refused. */
    private final MemorySegment bad = Arena.ofAuto().allocate(Long.BYTES, Long.BYTES);

    QueuePair(
            VerbsDevice device,
            ProtectionDomain pd,
            CompletionQueue send,
            CompletionQueue receive,
            long address,
            QpSize size,
            boolean datagrams,
            boolean owned) {
        super("queue pair " + Raw.getInt(address, QpLayout.QP_NUM), address, pd, send, receive);
        this.library = device.library();
        this.postSend = device.postSend();
        this.postRecv = device.postRecv();
        this.critical = device.isDoorbellInUserSpace();
        this.size = size;
        this.owned = owned;
        this.datagrams = datagrams;
        this.number = Raw.getInt(address, QpLayout.QP_NUM);
    }

    /** Its number on its device. */
    public int number() {
        return number;
    }

    /** The size of its queues, which may be more than was asked for. */
    public QpSize size() {
        return size;
    }

    /** Its state, as the device reports it. */
    public QpState state() {
        try (Arena arena = Arena.ofConfined()) {
            long attr = arena.allocate(QpAttrLayout.BYTES, Long.BYTES).address();
            long initAttr = arena.allocate(QpInitAttrLayout.BYTES, Long.BYTES).address();
            library.queryQp.check(address(), attr, MASK_STATE, initAttr);
            return QpState.of(Raw.getInt(attr, QpAttrLayout.QP_STATE));
        }
    }

    // Reliable connections.

    /**
     * Goes to {@link QpState#INIT}, for a reliable connection.
     *
     * @param port the local port, from 1
     * @param access the operations that the peer may do, bits of {@link Access}
     */
    public void toInit(int port, int access) {
        checkKind(false);
        VerbsDevice.checkPort(port);
        modify(QpState.INIT, MASK_PKEY_INDEX | MASK_PORT | MASK_ACCESS_FLAGS, attr -> {
            Raw.putByte(attr, QpAttrLayout.PORT_NUM, port);
            Raw.putInt(attr, QpAttrLayout.QP_ACCESS_FLAGS, access);
        });
    }

    /** Goes to {@link QpState#READY_TO_RECEIVE}, connected to {@code path}. */
    public void toReadyToReceive(RcPath path, RcTimers timers) {
        checkKind(false);
        int mask = MASK_AV | MASK_PATH_MTU | MASK_DEST_QPN | MASK_RQ_PSN | MASK_MAX_DEST_RD_ATOMIC | MASK_MIN_RNR_TIMER;
        modify(QpState.READY_TO_RECEIVE, mask, attr -> {
            path.port().write(attr + QpAttrLayout.AH_ATTR);
            Raw.putInt(attr, QpAttrLayout.PATH_MTU, Mtu.of(path.mtuBytes()));
            Raw.putInt(attr, QpAttrLayout.DEST_QP_NUM, path.remoteQueuePair());
            Raw.putInt(attr, QpAttrLayout.RQ_PSN, path.remotePsn() & PSN_MASK);
            Raw.putByte(attr, QpAttrLayout.MAX_DEST_RD_ATOMIC, path.readAtomicMax());
            Raw.putByte(attr, QpAttrLayout.MIN_RNR_TIMER, timers.rnrTimer());
        });
    }

    /** Goes to {@link QpState#READY_TO_SEND}; numbers its packets from {@code psn}. */
    public void toReadyToSend(int psn, int readAtomicMax, RcTimers timers) {
        checkKind(false);
        int mask = MASK_SQ_PSN | MASK_MAX_RD_ATOMIC | MASK_TIMEOUT | MASK_RETRY_CNT | MASK_RNR_RETRY;
        modify(QpState.READY_TO_SEND, mask, attr -> {
            Raw.putInt(attr, QpAttrLayout.SQ_PSN, psn & PSN_MASK);
            Raw.putByte(attr, QpAttrLayout.MAX_RD_ATOMIC, readAtomicMax);
            Raw.putByte(attr, QpAttrLayout.TIMEOUT, timers.timeoutExponent());
            Raw.putByte(attr, QpAttrLayout.RETRY_CNT, timers.retries());
            Raw.putByte(attr, QpAttrLayout.RNR_RETRY, timers.rnrRetries());
        });
    }

    // Datagrams.

    /**
     * Goes to {@link QpState#READY_TO_SEND}, for datagrams, through all states before it.
     *
     * @param port the local port, from 1
     * @param qkey the key that senders must name; without its highest bit, which is for privileged keys
     * @param psn the number of its first packet
     */
    public void startDatagrams(int port, int qkey, int psn) {
        checkKind(true);
        VerbsDevice.checkPort(port);
        modify(QpState.INIT, MASK_PKEY_INDEX | MASK_PORT | MASK_QKEY, attr -> {
            Raw.putByte(attr, QpAttrLayout.PORT_NUM, port);
            Raw.putInt(attr, QpAttrLayout.QKEY, qkey);
        });
        modify(QpState.READY_TO_RECEIVE, 0, attr -> {});
        modify(QpState.READY_TO_SEND, MASK_SQ_PSN, attr -> Raw.putInt(attr, QpAttrLayout.SQ_PSN, psn & PSN_MASK));
    }

    // Both kinds.

    /** Goes to {@link QpState#ERROR}: all posted requests that have not completed complete as {@link WcStatus#FLUSHED}. */
    public void toError() {
        modify(QpState.ERROR, 0, attr -> {});
    }

    /** Goes back to {@link QpState#RESET}: all posted requests are dropped and do not complete. */
    public void toReset() {
        modify(QpState.RESET, 0, attr -> {});
    }

    /**
     * Changes the attributes that the caller has written to an {@code ibv_qp_attr}, which is not checked.
     *
     * @param attr its address
     * @param mask bits of {@code enum ibv_qp_attr_mask}
     */
    public void modify(long attr, int mask) {
        int error = library.modifyQp.errorOf(address(), attr, mask);
        if (error != 0) {
            throw new VerbsException(this + " cannot be modified", error);
        }
    }

    /**
     * Posts a chain of send work requests and rings the doorbell. The chain may be overwritten at once.
     *
     * @param first the first request of the chain, which goes on as it was linked
     * @throws VerbsException when the device refuses a request; the requests before it are posted
     */
    public void postSend(SendWrs wrs, int first) {
        int error;
        try {
            error = postSend(wrs.address(first));
        } finally {
            Reference.reachabilityFence(wrs);
        }
        if (error != 0) {
            throw refused("post_send", error);
        }
    }

    /** Posts a chain of receive work requests; otherwise as {@link #postSend(SendWrs, int)}. */
    public void postRecv(RecvWrs wrs, int first) {
        int error;
        try {
            error = postRecv(wrs.address(first));
        } finally {
            Reference.reachabilityFence(wrs);
        }
        if (error != 0) {
            throw refused("post_recv", error);
        }
    }

    /**
     * Posts a chain of {@code ibv_send_wr} that the caller has written at an address, which is not checked.
     *
     * @return 0 or the error number; {@link #refusedWr} is then the refused request
     */
    public int postSend(long wr) {
        try {
            return critical
                    ? (int) Ops.POST_CRITICAL.invokeExact(postSend, address(), wr, bad.address())
                    : (int) Ops.POST.invokeExact(postSend, address(), wr, bad.address());
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw Ops.failed("post_send", e);
        } finally {
            Reference.reachabilityFence(bad);
        }
    }

    /** Posts a chain of {@code ibv_recv_wr}; otherwise as {@link #postSend(long)}. */
    public int postRecv(long wr) {
        try {
            return critical
                    ? (int) Ops.POST_CRITICAL.invokeExact(postRecv, address(), wr, bad.address())
                    : (int) Ops.POST.invokeExact(postRecv, address(), wr, bad.address());
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw Ops.failed("post_recv", e);
        } finally {
            Reference.reachabilityFence(bad);
        }
    }

    /** Address of the work request that the device refused in the last failed post. */
    public long refusedWr() {
        return bad.get(ValueLayout.JAVA_LONG, 0);
    }

    @Override
    void destroy(long structAddress) {
        if (owned) {
            library.destroyQp.check(structAddress);
        }
    }

    private VerbsException refused(String what, int error) {
        return new VerbsException(
                what + " on " + this, error, error == Errno.ENOMEM ? "; its queue of " + size + " is full" : "");
    }

    private void checkKind(boolean forDatagrams) {
        if (datagrams != forDatagrams) {
            throw new IllegalStateException(this
                    + (datagrams
                            ? " is for datagrams, not for a connection"
                            : " is for a connection, not for datagrams"));
        }
    }

    private void modify(QpState state, int mask, AttributeWriter writer) {
        try (Arena arena = Arena.ofConfined()) {
            long attr = arena.allocate(QpAttrLayout.BYTES, Long.BYTES).address();
            Raw.putInt(attr, QpAttrLayout.QP_STATE, state.code());
            writer.write(attr);
            int error = library.modifyQp.errorOf(address(), attr, MASK_STATE | mask);
            if (error != 0) {
                throw new VerbsException(this + " cannot go to " + state, error);
            }
        }
    }

    /** Writes the attributes of a state change. */
    @FunctionalInterface
    private interface AttributeWriter {
        void write(long attr);
    }
}
