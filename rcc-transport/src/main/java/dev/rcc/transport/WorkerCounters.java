package dev.rcc.transport;

import dev.rcc.core.fabric.FabricCounter;
import java.util.Map;

/**
 * What one worker has asked its network for. Plain numbers that only the worker changes, and that anybody may read, a moment late;
 * so counting costs an addition.
 */
public final class WorkerCounters {
    private static final FabricCounter[] BY_OPCODE = {
        FabricCounter.READS,
        FabricCounter.WRITES,
        FabricCounter.WORD_WRITES,
        FabricCounter.SWAPS,
        FabricCounter.ADDITIONS
    };

    private final long[] operations = new long[BY_OPCODE.length];
    private long batches;
    private long calls;

    /** Nothing yet. */
    public WorkerCounters() {}

    /** A batch was begun. */
    void batch() {
        batches++;
    }

    /** A work request was appended to it. */
    void operation(byte opcode) {
        operations[opcode]++;
    }

    /** A call was made. */
    public void call() {
        calls++;
    }

    /**
     * Adds what the worker has counted to what others have.
     *
     * @param handlers what serves the worker's peers
     */
    public void addTo(Map<FabricCounter, Long> sum, RpcHandlers handlers) {
        sum.merge(FabricCounter.BATCHES, batches, Long::sum);
        for (int opcode = 0; opcode < operations.length; opcode++) {
            sum.merge(BY_OPCODE[opcode], operations[opcode], Long::sum);
        }
        sum.merge(FabricCounter.CALLS, calls, Long::sum);
        sum.merge(FabricCounter.SERVED_CALLS, handlers.served(), Long::sum);
    }
}
