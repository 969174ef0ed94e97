package dev.rcc.protocols.calvin;

import dev.rcc.core.cluster.Placement;
import dev.rcc.core.store.Table;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Fragment;
import dev.rcc.core.txn.Intent;
import dev.rcc.core.txn.Transaction;
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

    private Fragment fragment;
    private int fragmentNumber;
    private long attemptId;
    private long age;

    /** Where the votes on an execution go; 0 while it is the parts that are waited for. */
    private long votesOffset;

    private long id;
    private long flagsOffset;
    private long resultsOffset;

    /** The epoch that it was put into; 0 before. */
    long epoch;
    /** When it was handed to the sequencer. */
    long submittedNanos;
    /** Parts before this one have arrived, or never will; or of their votes that is so. */
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
        votesOffset = 0;
        fragment = null;
    }

    /** Has all active participants run a fragment, which is {@code txn}'s. */
    void ship(Fragment shipped, int number, Transaction txn) {
        fragment = shipped;
        fragmentNumber = number;
        attemptId = txn.id();
        age = txn.age();
    }

    /** Has the coordinator alone run it. */
    void keep() {
        fragment = null;
    }

    long attemptId() {
        return attemptId;
    }

    long age() {
        return age;
    }

    /** What all active participants run; null if it is for the coordinator alone to run. */
    Fragment fragment() {
        return fragment;
    }

    /** By what number all nodes know it. */
    int fragmentNumber() {
        return fragmentNumber;
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

    /** Whether what a key is locked for is enough for what is wanted. */
    static boolean covers(Intent locked, Intent wanted) {
        return switch (wanted) {
            case READ -> locked != Intent.WRITE;
            case UPDATE -> locked != Intent.READ && locked != Intent.WRITE;
            case WRITE -> locked != Intent.READ;
            case INSERT -> locked == Intent.INSERT;
            case DELETE -> locked == Intent.DELETE || locked == Intent.INSERT;
        };
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

    int partWorker(int part) {
        return partWorkers[part];
    }

    /** Whether the part holds keys that may be written: its participant is an active one. */
    boolean isActive(int part) {
        return partActive[part];
    }

    /** Whether a part is executed on its own: it is an active one of another node. What the coordinator's node holds, the coordinator writes. */
    boolean isExecutedThere(int part, int home) {
        return partActive[part] && partNodes[part] != home;
    }

    /** Where the arrival of a part is noted. */
    long flagOffset(int part) {
        return flagsOffset + (long) part * Long.BYTES;
    }

    /** All parts have arrived: now the votes of those that execute are waited for, which go there. */
    void awaitVotes(long newVotesOffset) {
        votesOffset = newVotesOffset;
        arrivedParts = 0;
    }

    /** Whether something is still to be noted of a part, if nothing is: its arrival or, of one that is executed on its own, its vote. */
    boolean isAwaited(int part, int home) {
        return votesOffset == 0 || isExecutedThere(part, home);
    }

    /** Where that is noted of a part which is waited for: its arrival, or its vote. */
    long notedOffset(int part) {
        return votesOffset == 0 ? flagOffset(part) : votesOffset + (long) part * Long.BYTES;
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
