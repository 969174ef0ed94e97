package dev.rcc.protocols.calvin;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.store.Table;
import dev.rcc.core.time.Timestamp;
import dev.rcc.core.txn.Intent;
import java.util.Arrays;

/**
 * One worker's part in one submission: its keys, and the locks on them. Reused; allocates nothing once it has met the
 * largest.
 *
 * <pre>
 *            all locks granted        forwarded, active          finished
 *  WAITING -------------------> READY ----------------> HOLDING ----------> (pool)
 *     |                           |
 *     | needs a lock of a         | forwarded, passive
 *     | dead coordinator          v
 *     +----------> REFUSED ---> (pool)
 * </pre>
 */
final class Participation {
    /** The state of a participation. */
    enum State {
        WAITING,
        READY,
        REFUSED,
        HOLDING
    }

    private static final int INITIAL_REQUESTS = 16;

    private long id;
    private long flagOffset;
    private long resultsOffset;
    private boolean active;
    private boolean shipped;
    /** The nodes to which it forwards: the coordinator's first. */
    private int[] targets = new int[4];

    private int targetCount;
    private final ActivePart part = new ActivePart();

    private final KeyList keys = new KeyList();

    State state = State.WAITING;
    /** Whether its coordinator is dead, and its outcome is not known here. */
    boolean orphan;
    /** Its locks, of the {@link LockTable}. */
    LockRequest[] requests = {};

    int requestCount;
    /** Number of locks that are not granted. */
    int missing;
    /** Its place among the worker's participations. */
    int place;
    /** The next participation that is ready. */
    Participation nextReady;

    void reset(long newId) {
        id = newId;
        active = false;
        shipped = false;
        targetCount = 0;
        part.reset();
        keys.clear();
        addTarget(home());
        state = State.WAITING;
        orphan = false;
        requestCount = 0;
        missing = 0;
        nextReady = null;
    }

    void place(long newFlagOffset, long newResultsOffset) {
        flagOffset = newFlagOffset;
        resultsOffset = newResultsOffset;
    }

    /** Marks it as part of a transaction that all active participants run, not the coordinator alone. */
    void ship() {
        shipped = true;
    }

    boolean isShipped() {
        return shipped;
    }

    /** Its state if it executes. */
    ActivePart active() {
        return part;
    }

    /** Adds a node to which it forwards, unless it is one already. */
    void addTarget(int node) {
        for (int i = 0; i < targetCount; i++) {
            if (targets[i] == node) {
                return;
            }
        }
        if (targetCount == targets.length) {
            targets = Arrays.copyOf(targets, 2 * targetCount);
        }
        targets[targetCount++] = node;
    }

    int targets() {
        return targetCount;
    }

    int target(int i) {
        return targets[i];
    }

    /** Adds item {@code number} of a submission. */
    void add(Memory memory, long item, Table table, int number) {
        KeyList.Item key = keys.add(table, InputMessage.intent(memory, item), InputMessage.keyHash(memory, item));
        key.partition = InputMessage.partition(memory, item);
        key.number = number;
        key.imageOffset = InputMessage.imageOffset(memory, item);
        keys.keepIdentity(key, memory, InputMessage.identityOffset(item));
        active |= key.intent != Intent.READ;
    }

    /** The next lock request, to be filled in. */
    LockRequest newRequest() {
        if (requestCount == requests.length) {
            int old = requests.length;
            requests = Arrays.copyOf(requests, Math.max(INITIAL_REQUESTS, 2 * old));
            for (int i = old; i < requests.length; i++) {
                requests[i] = new LockRequest(this);
            }
        }
        return requests[requestCount++];
    }

    long id() {
        return id;
    }

    /** The coordinator's node. */
    int home() {
        return Timestamp.node(id);
    }

    long flagOffset() {
        return flagOffset;
    }

    long resultsOffset() {
        return resultsOffset;
    }

    /** Whether some key may be written: then the locks are held until the coordinator is done. */
    boolean isActive() {
        return active;
    }

    /** The keys that this worker locks and forwards, with copies of their identities. */
    KeyList keys() {
        return keys;
    }
}
