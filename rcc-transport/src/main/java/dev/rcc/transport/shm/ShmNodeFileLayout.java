package dev.rcc.transport.shm;

import dev.rcc.core.memory.Memory;

/**
 * The node file of one incarnation of a node, which processes share to wake its workers.
 *
 * <pre>
 *       0 +----------------------------------------------+
 *         | magic and version (8)                        |
 *       8 | process id of the node (8)                   |
 *     128 +----------------------------------------------+
 *         | doorbell (8): counts rings; its low 32 bits  |
 *         | are the futex that the node's waker waits on |
 *     256 +----------------------------------------------+
 *         | state of worker 0 (8)                        |
 *     384 +----------------------------------------------+
 *         | state of worker 1 (8)                        |
 *         | ...                                          |
 * </pre>
 *
 * <p>Each word except the process id has two cache lines of its own, as processors fetch lines in pairs. The states of a worker:
 *
 * <pre>
 *            the worker is about to park           a peer has something for it
 *   AWAKE ------------------------------&gt; ASLEEP ------------------------------&gt; RUNG
 *     ^_____________________________________|______________________________________|
 *                              the worker has woken up
 * </pre>
 */
final class ShmNodeFileLayout {
    static final long AWAKE = 0;
    static final long ASLEEP = 1;
    static final long RUNG = 2;

    /** The most workers of a node. */
    static final int MAX_WORKERS = 256;

    private static final long MAGIC = 0x52_43_43_4C_49_46_45_02L; // "RCCLIFE", version 2
    private static final long PROCESS = 8;
    private static final int SPACING = 128;
    private static final long DOORBELL = SPACING;
    private static final long STATES = 2L * SPACING;

    /** Size of the file, in bytes. */
    static final long BYTES = STATES + (long) MAX_WORKERS * SPACING;

    private ShmNodeFileLayout() {}

    /** Initialises a new node file of zeros, and marks it as valid. */
    static void initialise(Memory nodeFile, long process) {
        nodeFile.putLong(PROCESS, process);
        nodeFile.putVolatile(0, MAGIC);
    }

    /** Whether the memory is a node file of this version. */
    static boolean isValid(Memory nodeFile) {
        return nodeFile.getAcquire(0) == MAGIC;
    }

    /** The id of the node's process, as that process sees it; 0 before it is written. */
    static long process(Memory nodeFile) {
        return nodeFile.getAcquire(PROCESS);
    }

    /** The doorbell's offset. */
    static long doorbell() {
        return DOORBELL;
    }

    /** The offset of a worker's state. */
    static long state(int worker) {
        return STATES + (long) worker * SPACING;
    }
}
