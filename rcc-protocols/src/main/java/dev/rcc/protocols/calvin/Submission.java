package dev.rcc.protocols.calvin;

import dev.rcc.core.cluster.Placement;
import dev.rcc.core.store.Table;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Intent;
import dev.rcc.core.worker.Completion;
import java.util.Arrays;
import java.util.function.Supplier;

/**
 * What a coordinator hands to its sequencer: the keys that a transaction is to lock and have forwarded, and where to.
 * Each submission has an id of its own, drawn from its coroutine's clock. Reused; allocates nothing once it has met the
 * largest. Used on its worker only.
 */
final class Submission {
    private final Supplier<Placement> placement;
    private final int workers;

    private Table[] tables = {};
    private Intent[] intents = {};
    private int[] partitions = {};
    private int[] parts = {};
    private long[] keyHashes = {};
    private long[] identityOffsets = {};
    private long[] imageOffsets = {};
    private int size;

    private int[] partNodes = new int[8];
    private int[] partWorkers = new int[8];
    private boolean[] partActive = new boolean[8];
    private int partCount;

    private long id;
    private long flagsOffset;
    private long resultsOffset;

    /** The epoch that it was put into; 0 before. */
    long epoch;
    /** When it was handed to the sequencer. */
    long submittedNanos;
    /** Parts before this one have arrived, or never will. */
    int arrivedParts;
    /** Told of the end of the dispatch, then of the arrival of all parts. */
    Completion completion;

    /** A submission that goes by the placement which is in force when it is filled. */
    Submission(Supplier<Placement> placement, int workers) {
        this.placement = placement;
        this.workers = workers;
    }

    void clear() {
        size = 0;
        partCount = 0;
        epoch = 0;
        arrivedParts = 0;
    }

    void add(Access access, Intent intent) {
        add(access.table(), intent, access.keyHash(), access.identityOffset(), access.imageOffset());
    }

    void add(Table table, Intent intent, long keyHash, long identityOffset, long imageOffset) {
        if (size == tables.length) {
            grow();
        }
        int partition = placement.get().partition(keyHash);
        int part = part(placement.get().primary(partition), InputMessage.worker(table, keyHash, workers));
        partActive[part] |= intent != Intent.READ;
        tables[size] = table;
        intents[size] = intent;
        partitions[size] = partition;
        parts[size] = part;
        keyHashes[size] = keyHash;
        identityOffsets[size] = identityOffset;
        imageOffsets[size] = imageOffset;
        size++;
    }

    void place(long newId, long newFlagsOffset, long newResultsOffset) {
        id = newId;
        flagsOffset = newFlagsOffset;
        resultsOffset = newResultsOffset;
    }

    int size() {
        return size;
    }

    Table table(int i) {
        return tables[i];
    }

    Intent intent(int i) {
        return intents[i];
    }

    int partition(int i) {
        return partitions[i];
    }

    int node(int i) {
        return partNodes[parts[i]];
    }

    int part(int i) {
        return parts[i];
    }

    long keyHash(int i) {
        return keyHashes[i];
    }

    long identityOffset(int i) {
        return identityOffsets[i];
    }

    long imageOffset(int i) {
        return imageOffsets[i];
    }

    /** Where the result of an item is, once its part has arrived. */
    long resultOffset(int i) {
        return resultsOffset + (long) i * ForwardMessage.RESULT_BYTES;
    }

    int parts() {
        return partCount;
    }

    int partNode(int part) {
        return partNodes[part];
    }

    /** Whether the part holds keys that may be written: its participant is an active one. */
    boolean isActive(int part) {
        return partActive[part];
    }

    /** Where the arrival of a part is told. */
    long flagOffset(int part) {
        return flagsOffset + (long) part * Long.BYTES;
    }

    long id() {
        return id;
    }

    long flagsOffset() {
        return flagsOffset;
    }

    long resultsOffset() {
        return resultsOffset;
    }

    private int part(int node, int worker) {
        for (int i = 0; i < partCount; i++) {
            if (partNodes[i] == node && partWorkers[i] == worker) {
                return i;
            }
        }
        if (partCount == partNodes.length) {
            partNodes = Arrays.copyOf(partNodes, 2 * partCount);
            partWorkers = Arrays.copyOf(partWorkers, 2 * partCount);
            partActive = Arrays.copyOf(partActive, 2 * partCount);
        }
        assert partCount < InputMessage.MAX_PARTS : partCount;
        partNodes[partCount] = node;
        partWorkers[partCount] = worker;
        partActive[partCount] = false;
        return partCount++;
    }

    private void grow() {
        int longer = Math.max(16, 2 * size);
        tables = Arrays.copyOf(tables, longer);
        intents = Arrays.copyOf(intents, longer);
        partitions = Arrays.copyOf(partitions, longer);
        parts = Arrays.copyOf(parts, longer);
        keyHashes = Arrays.copyOf(keyHashes, longer);
        identityOffsets = Arrays.copyOf(identityOffsets, longer);
        imageOffsets = Arrays.copyOf(imageOffsets, longer);
    }
}
