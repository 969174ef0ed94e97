package dev.rcc.transport.verbs.darpc;

import com.ibm.darpc.DaRPCMessage;

/**
 * A request or a reply, as DaRPC sees it; its numbers are in network order.
 *
 * <pre>
 * request:  0            4            8            12           14           16                24     28
 *          +------------+------------+------------+------------+------------+-----------------+------+---------
 *          |   bytes    | reply room |   caller   |   worker   |    rpc     | its incarnation | link | payload
 *          +------------+------------+------------+------------+------------+-----------------+------+---------
 *
 * reply:    0            4
 *          +------------+---------
 *          |   bytes    | payload     bytes = -1: the handler failed
 *          +------------+---------
 * </pre>
 */
interface DarpcMessage extends DaRPCMessage {
    int REQUEST_REPLY_ROOM = 4;
    int REQUEST_CALLER = 8;
    int REQUEST_WORKER = 12;
    int REQUEST_RPC = 14;
    int REQUEST_INCARNATION = 16;
    int REQUEST_LINK = 24;
    int REQUEST_HEADER_BYTES = 28;
    int REPLY_HEADER_BYTES = 4;
    /** The length in a reply which reports that the handler failed. */
    int FAILED = -1;

    /** The longest payload, in bytes. */
    int payloadBytesMax();

    /** {@inheritDoc} The size of the longest message. */
    @Override
    default int size() {
        return REQUEST_HEADER_BYTES + payloadBytesMax();
    }
}
