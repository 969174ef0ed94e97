package dev.rcc.transport.verbs.darpc;

/**
 * Options of calls by DaRPC. Immutable.
 *
 * @param callsPerPeer calls of a worker to a peer that may be under way at a time; more wait for their turn
 * @param messageBytesMax longest request or reply. Each connection has room for four times {@code callsPerPeer} of them,
 *     on either side.
 * @param inlineBytes messages up to this length travel inside their work request, within the device's limit
 * @param connectMillis how long to wait for a peer that does not answer when a connection is made
 */
public record DarpcOptions(int callsPerPeer, int messageBytesMax, int inlineBytes, int connectMillis) {
    /** The defaults: 2 MiB a connection and side. */
    public static final DarpcOptions DEFAULT = new DarpcOptions(32, 16 << 10, 64, 5_000);

    private static final int PIPELINE_PER_CALL = 2;
    private static final int DARPC_HEADER_BYTES = 4;
    private static final int CALLS_MAX = 1024;
    private static final int MESSAGE_BYTES_MIN = 64;
    private static final int MESSAGE_BYTES_MAX = 1 << 20;
    private static final long BUFFER_BYTES_MAX = Integer.MAX_VALUE; // it is one buffer
    private static final int INLINE_BYTES_MAX = 1024;
    private static final int CONNECT_MILLIS_MIN = 100;
    private static final int CONNECT_MILLIS_MAX = 600_000;

    /** Checks the values. */
    public DarpcOptions {
        check("darpc-calls-per-peer", callsPerPeer, 1, CALLS_MAX);
        check("darpc-message-bytes", messageBytesMax, MESSAGE_BYTES_MIN, MESSAGE_BYTES_MAX);
        check("darpc-inline-bytes", inlineBytes, 0, INLINE_BYTES_MAX);
        check("darpc-connect-timeout-ms", connectMillis, CONNECT_MILLIS_MIN, CONNECT_MILLIS_MAX);
        if (bufferBytes(callsPerPeer, messageBytesMax) > BUFFER_BYTES_MAX) {
            throw new IllegalArgumentException("darpc-calls-per-peer " + callsPerPeer + " of darpc-message-bytes "
                    + messageBytesMax + " take " + bufferBytes(callsPerPeer, messageBytesMax)
                    + " bytes a connection, at most " + BUFFER_BYTES_MAX + " are allowed");
        }
    }

    /** The bytes that DaRPC registers for a connection, on either side. */
    long bufferBytes() {
        return bufferBytes(callsPerPeer, messageBytesMax);
    }

    private static long bufferBytes(int callsPerPeer, int messageBytesMax) {
        long messageBytes = (long) DARPC_HEADER_BYTES + DarpcMessage.REQUEST_HEADER_BYTES + messageBytesMax;
        return 2L * PIPELINE_PER_CALL * callsPerPeer * messageBytes;
    }

    /**
     * The length of DaRPC's queues: twice the calls that may be under way. DaRPC gets a buffer back a little later than the
     * reply, and spins while it has no free buffer, which it must not do on a worker.
     */
    int pipeline() {
        return PIPELINE_PER_CALL * callsPerPeer;
    }

    private static void check(String option, int given, int min, int max) {
        if (given < min || given > max) {
            throw new IllegalArgumentException(option + " must be " + min + " to " + max + ", got " + given);
        }
    }
}
