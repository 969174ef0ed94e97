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

    private final KeyList keys = new KeyList();

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
    /** Completes with the end of the dispatch, then with the arrival of all parts. */
    Completion completion;

    /** A submission that goes by the placement which is in force when it is filled. */
    Submission(Supplier<Placement> placement, int workers) {
        this.placement = placement;
        this.workers = workers;
    }

    void clear() {
        keys.clear();
        partCount = 0;
        epoch = 0;
        arrivedParts = 0;
    }

    void add(Access access, Intent intent) {
        add(access.table(), intent, access.keyHash(), access.identityOffset(), access.imageOffset());
    }

    void add(Table table, Intent intent, long keyHash, long identityOffset, long imageOffset) {
        int partition = placement.get().partition(keyHash);
        int part = part(placement.get().primary(partition), InputMessage.worker(table, keyHash, workers));
        partActive[part] |= intent != Intent.READ;
        KeyList.Item key = keys.add(table, intent, keyHash);
        key.partition = partition;
        key.part = part;
        key.identityOffset = identityOffset;
        key.imageOffset = imageOffset;
    }

    void place(long newId, long newFlagsOffset, long newResultsOffset) {
        id = newId;
        flagsOffset = newFlagsOffset;
        resultsOffset = newResultsOffset;
    }

    int size() {
        return keys.size();
    }

    /** A key; its identity and its tuple's image lie in the coordinator's buffers. */
    KeyList.Item key(int i) {
        return keys.get(i);
    }

    /** The node that locks and forwards a key. */
    int node(int i) {
        return partNodes[keys.get(i).part];
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

    /** Where the arrival of a part is noted. */
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
}
