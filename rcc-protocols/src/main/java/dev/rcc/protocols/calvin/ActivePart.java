package dev.rcc.protocols.calvin;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.store.Catalog;
import java.lang.foreign.Arena;
import java.util.Arrays;

/**
 * The state of a {@link Participation} that executes, other than its locks: a copy of the whole submission, whose batch is overwritten in the next
 * epoch but one, and the result of the execution. Reused; allocates nothing once it has met the largest submission.
 *
 * <pre>
 *           all parts have arrived, executed
 *  COLLECTING ------------------------------> EXECUTED ------> VOTED
 *      |   a part was refused, or its node         ^   vote sent to
 *      +-------------- is dead --------------------+   coordinator
 * </pre>
 */
final class ActivePart {
    /** The phase of the execution. */
    enum Phase {
        /** It does not execute, or not yet. */
        IDLE,
        COLLECTING,
        EXECUTED,
        VOTED
    }

    private static final int INITIAL_BYTES = 1024;

    Phase phase = Phase.IDLE;
    /** Its number in the submission. */
    int number;
    /** Parts before this one have arrived. */
    int arrivedParts;
    /** Whether it has executed, and the transaction commits; then {@link #writes} has the writes to install here. */
    boolean commits;

    private Memory inputs = Memory.allocate(Arena.ofAuto(), INITIAL_BYTES);
    private long[] items = new long[8];
    private int itemCount;
    private int[] partNodes = new int[8];
    private int partCount;
    private Memory writes = Memory.allocate(Arena.ofAuto(), INITIAL_BYTES);

    void reset() {
        phase = Phase.IDLE;
        arrivedParts = 0;
        commits = false;
    }

    /** Copies a submission that lies at {@code offset}; the numbers and nodes of its parts are known when this method returns. */
    void takeIn(Memory buffers, long offset, Catalog catalog) {
        int bytes = InputMessage.submissionBytes(buffers, offset);
        inputs = withRoom(inputs, bytes);
        buffers.copy(offset, inputs, 0, bytes);
        itemCount = InputMessage.items(inputs, 0);
        if (itemCount > items.length) {
            items = Arrays.copyOf(items, 2 * itemCount);
        }
        partCount = 0;
        long item = InputMessage.firstItem(inputs, 0);
        for (int i = 0; i < itemCount; i++) {
            items[i] = item;
            notePart(InputMessage.part(inputs, item), InputMessage.node(inputs, item, catalog.placement()));
            item = InputMessage.nextItem(inputs, item, catalog);
        }
    }

    /** Notes the node of a part. Parts are numbered in the order of their first items. */
    private void notePart(int part, int node) {
        if (part == partNodes.length) {
            partNodes = Arrays.copyOf(partNodes, 2 * part);
        }
        partNodes[part] = node;
        partCount = Math.max(partCount, part + 1);
    }

    /** The submission, from its first byte on. */
    Memory inputs() {
        return inputs;
    }

    int items() {
        return itemCount;
    }

    /** The offset of an item in {@link #inputs}. */
    long item(int i) {
        return items[i];
    }

    int parts() {
        return partCount;
    }

    int partNode(int part) {
        return partNodes[part];
    }

    /** Keeps the writes to install here: an {@link dev.rcc.protocols.common.InstallMessage} with its header, as the coordinator would send it. */
    void keepWrites(Memory memory, long message, int bytes) {
        writes = withRoom(writes, bytes);
        memory.copy(message, writes, 0, bytes);
    }

    Memory writes() {
        return writes;
    }

    private static Memory withRoom(Memory memory, int bytes) {
        return bytes <= memory.size() ? memory : Memory.allocate(Arena.ofAuto(), 2L * bytes);
    }
}
