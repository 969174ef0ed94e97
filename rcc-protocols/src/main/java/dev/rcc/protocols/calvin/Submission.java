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
 * A coordinator's order to its sequencer: the keys that a transaction has locked and forwarded, and the places for them.
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

    /** The place of the votes on an execution; 0 while the coordinator waits for the parts. */
    private long votesOffset;

    private long id;
    private long flagsOffset;
    private long resultsOffset;

    /** The time at which it was handed to the sequencer. */
    long submittedNanos;
    /** Parts before this one, or their votes, have arrived or never will. */
    int arrivedParts;
    /** Completes with the end of the dispatch, then with the arrival of all parts. */
    Completion completion;

    /** Creates a submission that uses the placement in force when it is filled. */
    Submission(Supplier<Placement> placement, int workers) {
        this.placement = placement;
        this.workers = workers;
    }

    void clear() {
        keys.clear();
        partCount = 0;
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

    /** Has the coordinator alone run the transaction. */
    void keep() {
        fragment = null;
    }

    long attemptId() {
        return attemptId;
    }

    long age() {
        return age;
    }

    /** The fragment that all active participants run; null if the coordinator alone runs the transaction. */
    Fragment fragment() {
        return fragment;
    }

    /** The fragment's number, which is the same on all nodes. */
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

    /** Whether the intent for which a key is locked covers the wanted intent. */
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

    /** The offset of an item's result, once its part has arrived. */
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

    /** Whether a part executes on its own: it is an active part of another node. The coordinator writes the records of its own node. */
    boolean isExecutedThere(int part, int home) {
        return partActive[part] && partNodes[part] != home;
    }

    /** The offset of a part's flag, which notes its arrival. */
    long flagOffset(int part) {
        return flagsOffset + (long) part * Long.BYTES;
    }

    /** Begins to wait for the votes, as all parts have arrived: the nodes that execute send their votes to this place. */
    void awaitVotes(long newVotesOffset) {
        votesOffset = newVotesOffset;
        arrivedParts = 0;
    }

    /** Whether the coordinator waits for a part, if nothing is noted of it yet: for its arrival or, if it executes on its own, for its vote. */
    boolean isAwaited(int part, int home) {
        return votesOffset == 0 || isExecutedThere(part, home);
    }

    /** The offset of the flag for which the coordinator waits: of a part's arrival, or of its vote. */
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
