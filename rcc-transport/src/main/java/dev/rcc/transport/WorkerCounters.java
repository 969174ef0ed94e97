package dev.rcc.transport;

import dev.rcc.core.fabric.FabricCounter;
import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Counts one worker's operations on its network. Plain numbers that only the worker changes, so counting costs one addition. Any thread
 * may read them, a moment late.
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
    private long served;

    /** All counts are 0. */
    public WorkerCounters() {}

    /** A batch was begun. */
    void batch() {
        batches++;
    }

    /** A work request was appended to a batch. */
    void operation(byte opcode) {
        operations[opcode]++;
    }

    /** A call was made. */
    public void call() {
        calls++;
    }

    /** A peer's request was served. */
    void served() {
        served++;
    }

    /** The sums of the counts of a node's workers. */
    public static Map<FabricCounter, Long> sum(Stream<WorkerCounters> workers) {
        Map<FabricCounter, Long> sum = new EnumMap<>(FabricCounter.class);
        workers.forEach(worker -> worker.addTo(sum));
        return sum;
    }

    private void addTo(Map<FabricCounter, Long> sum) {
        sum.merge(FabricCounter.BATCHES, batches, Long::sum);
        for (int opcode = 0; opcode < operations.length; opcode++) {
            sum.merge(BY_OPCODE[opcode], operations[opcode], Long::sum);
        }
        sum.merge(FabricCounter.CALLS, calls, Long::sum);
        sum.merge(FabricCounter.SERVED_CALLS, served, Long::sum);
    }
}
