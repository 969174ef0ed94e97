package dev.rcc.transport.verbs.disni;

import com.ibm.disni.verbs.IbvAhAttr;
import com.ibm.disni.verbs.IbvQPCap;
import com.ibm.disni.verbs.IbvQpAttr;

/** What {@link DisniExtensions#modifyQp} changes, and the bits that name it; DiSNI's own cannot be constructed. */
public final class QpAttributes extends IbvQpAttr {
    /** The state. */
    public static final int STATE = 1;
    /** What the peer may do. */
    public static final int ACCESS_FLAGS = 1 << 3;
    /** The index of the partition key. */
    public static final int PKEY_INDEX = 1 << 4;
    /** The own port. */
    public static final int PORT = 1 << 5;
    /** What datagrams have to name. */
    public static final int QKEY = 1 << 6;
    /** The way to the peer. */
    public static final int AV = 1 << 7;
    /** The packets' size, as its code: 1 is 256 bytes, 5 is 4096. */
    public static final int PATH_MTU = 1 << 8;
    /** The time to wait for an acknowledgement. */
    public static final int TIMEOUT = 1 << 9;
    /** How often to try again without an acknowledgement. */
    public static final int RETRY_CNT = 1 << 10;
    /** How often to try again while the peer has no receive; 7 is for ever. */
    public static final int RNR_RETRY = 1 << 11;
    /** What the peer numbers its packets from. */
    public static final int RQ_PSN = 1 << 12;
    /** READs and atomics of ours that may be in progress. */
    public static final int MAX_QP_RD_ATOMIC = 1 << 13;
    /** How long the peer waits when we have no receive. */
    public static final int MIN_RNR_TIMER = 1 << 15;
    /** What we number our packets from. */
    public static final int SQ_PSN = 1 << 16;
    /** READs and atomics of the peer's that may be in progress. */
    public static final int MAX_DEST_RD_ATOMIC = 1 << 17;
    /** The number of the peer's queue pair. */
    public static final int DEST_QPN = 1 << 20;

    /** Attributes that are all 0. */
    public QpAttributes() {
        this(new AhAttributes());
    }

    /** Attributes that are all 0, but for the way to the peer. */
    public QpAttributes(IbvAhAttr way) {
        super(way, new AhAttributes(), new Cap());
    }

    private static final class Cap extends IbvQPCap {}
}
