package dev.rcc.protocols.locks.queue;

import dev.rcc.core.memory.Memory;

/**
 * A message to the node of a lock and its reply.
 *
 * <pre>
 *   request: what (0 lock, 1 release, 2 upgrade), address, mode, patience in nanoseconds, configuration
 *   reply:   whether it was granted, number of the grant
 * </pre>
 *
 * A queue begins anew with each configuration: a request of an older configuration is refused, and a release of one has no effect.
 */
final class QueueMessage {
    static final int RPC_ID = 201;
    static final int LOCK = 0;
    static final int RELEASE = 1;
    static final int UPGRADE = 2;

    static final int WHAT = 0;
    static final int ADDRESS = Memory.WORD_BYTES;
    static final int MODE = 2 * Memory.WORD_BYTES;
    static final int PATIENCE = 3 * Memory.WORD_BYTES;
    static final int EPOCH = 4 * Memory.WORD_BYTES;
    static final int REQUEST_BYTES = 5 * Memory.WORD_BYTES;

    static final int GRANTED = 0;
    static final int NUMBER = Memory.WORD_BYTES;
    static final int REPLY_BYTES = 2 * Memory.WORD_BYTES;

    private QueueMessage() {}
}
