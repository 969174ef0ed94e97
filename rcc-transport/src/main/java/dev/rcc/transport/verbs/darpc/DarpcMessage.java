package dev.rcc.transport.verbs.darpc;

import com.ibm.darpc.DaRPCMessage;

/**
 * A request or a reply, as DaRPC sees it; its numbers are in network order.
 *
 * <pre>
 * request:  0            4            8            12           14           16                24
 *          +------------+------------+------------+------------+------------+-----------------+---------
 *          |   bytes    | reply room |   caller   |   worker   |    rpc     | its incarnation | payload
 *          +------------+------------+------------+------------+------------+-----------------+---------
 *
 * reply:    0            4
 *          +------------+---------
 *          |   bytes    | payload     bytes = -1: the handler failed
 *          +------------+---------
 * </pre>
 */
abstract class DarpcMessage implements DaRPCMessage {
    static final int REQUEST_REPLY_ROOM = 4;
    static final int REQUEST_CALLER = 8;
    static final int REQUEST_WORKER = 12;
    static final int REQUEST_RPC = 14;
    static final int REQUEST_INCARNATION = 16;
    static final int REQUEST_HEADER_BYTES = 24;
    static final int REPLY_HEADER_BYTES = 4;
    /** The length of a reply that says that the handler failed. */
    static final int FAILED = -1;

    private final int payloadBytesMax;

    DarpcMessage(int payloadBytesMax) {
        this.payloadBytesMax = payloadBytesMax;
    }

    /** {@inheritDoc} Of the longest. */
    @Override
    public int size() {
        return REQUEST_HEADER_BYTES + payloadBytesMax;
    }
}
