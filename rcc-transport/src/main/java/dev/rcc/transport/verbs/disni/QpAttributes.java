package dev.rcc.transport.verbs.disni;

import com.ibm.disni.verbs.IbvAhAttr;
import com.ibm.disni.verbs.IbvQPCap;
import com.ibm.disni.verbs.IbvQpAttr;

/** The attributes that {@link DisniExtensions#modifyQp} changes, and the bits that name them; DiSNI's own class cannot be constructed. */
public final class QpAttributes extends IbvQpAttr {
    /** The state. */
    public static final int STATE = 1;
    /** The operations that the peer may do. */
    public static final int ACCESS_FLAGS = 1 << 3;
    /** The index of the partition key. */
    public static final int PKEY_INDEX = 1 << 4;
    /** The local port. */
    public static final int PORT = 1 << 5;
    /** The key that datagrams must name. */
    public static final int QKEY = 1 << 6;
    /** The path to the peer. */
    public static final int AV = 1 << 7;
    /** The packets' size, as its code: 1 is 256 bytes, 5 is 4096. */
    public static final int PATH_MTU = 1 << 8;
    /** The time to wait for an acknowledgement. */
    public static final int TIMEOUT = 1 << 9;
    /** The number of retries without an acknowledgement. */
    public static final int RETRY_CNT = 1 << 10;
    /** The number of retries while the peer has no receive; 7 is for ever. */
    public static final int RNR_RETRY = 1 << 11;
    /** The number of the peer's first packet. */
    public static final int RQ_PSN = 1 << 12;
    /** The most local READs and atomics that may be in progress. */
    public static final int MAX_QP_RD_ATOMIC = 1 << 13;
    /** The time that the peer waits when this end has no receive. */
    public static final int MIN_RNR_TIMER = 1 << 15;
    /** The number of the first local packet. */
    public static final int SQ_PSN = 1 << 16;
    /** The most READs and atomics of the peer that may be in progress. */
    public static final int MAX_DEST_RD_ATOMIC = 1 << 17;
    /** The number of the peer's queue pair. */
    public static final int DEST_QPN = 1 << 20;

    /** Attributes that are all 0. */
    public QpAttributes() {
        this(new AhAttributes());
    }

    /** Attributes that are all 0, except the path to the peer. */
    public QpAttributes(IbvAhAttr way) {
        super(way, new AhAttributes(), new Cap());
    }

    private static final class Cap extends IbvQPCap {}
}
