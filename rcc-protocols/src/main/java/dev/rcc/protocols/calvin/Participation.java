package dev.rcc.protocols.calvin;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.store.Table;
import dev.rcc.core.time.Timestamp;
import dev.rcc.core.txn.Intent;
import java.lang.foreign.Arena;
import java.util.Arrays;

/**
 * One worker's part in one submission: its keys, and the locks on them. Reused; allocates nothing once it has met the
 * largest.
 *
 * <pre>
 *            all locks granted        forwarded, active          finished
 *  WAITING -------------------> READY ----------------> HOLDING ----------> (pool)
 *     |                           |
 *     | needs what a dead         | forwarded, passive
 *     | coordinator holds         v
 *     +----------> REFUSED ---> (pool)
 * </pre>
 */
final class Participation {
    /** Where a participation is on its way. */
    enum State {
        WAITING,
        READY,
        REFUSED,
        HOLDING
    }

    private static final int INITIAL_ITEMS = 8;
    private static final int INITIAL_IDENTITY_BYTES = 256;

    private long id;
    private long flagOffset;
    private long resultsOffset;
    private boolean active;

    private Table[] tables = new Table[INITIAL_ITEMS];
    private Intent[] intents = new Intent[INITIAL_ITEMS];
    private int[] partitions = new int[INITIAL_ITEMS];
    private int[] numbers = new int[INITIAL_ITEMS];
    private long[] keyHashes = new long[INITIAL_ITEMS];
    private long[] imageOffsets = new long[INITIAL_ITEMS];
    private long[] identityOffsets = new long[INITIAL_ITEMS];
    private int size;

    private Memory identities = Memory.allocate(Arena.ofAuto(), INITIAL_IDENTITY_BYTES);
    private int identityBytes;

    State state = State.WAITING;
    /** Its coordinator is dead, and whether it has committed is not known here. */
    boolean orphan;
    /** Its locks, of the {@link LockTable}. */
    LockRequest[] requests = {};

    int requestCount;
    /** Locks that are not granted. */
    int missing;
    /** Its place among all that the worker takes part in. */
    int place;
    /** The next that is ready. */
    Participation nextReady;

    void reset(long newId) {
        id = newId;
        active = false;
        size = 0;
        identityBytes = 0;
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

    /** Takes in item {@code number} of a submission. */
    void add(Memory memory, long item, Table table, int number) {
        if (size == tables.length) {
            grow();
        }
        int bytes = table.layout().tuple().identityBytes();
        if (identityBytes + bytes > identities.size()) {
            Memory larger = Memory.allocate(Arena.ofAuto(), 2L * (identityBytes + bytes));
            identities.copy(0, larger, 0, identityBytes);
            identities = larger;
        }
        memory.copy(InputMessage.identityOffset(item), identities, identityBytes, bytes);
        tables[size] = table;
        intents[size] = InputMessage.intent(memory, item);
        partitions[size] = InputMessage.partition(memory, item);
        numbers[size] = number;
        keyHashes[size] = InputMessage.keyHash(memory, item);
        imageOffsets[size] = InputMessage.imageOffset(memory, item);
        identityOffsets[size] = identityBytes;
        active |= intents[size] != Intent.READ;
        identityBytes += bytes;
        size++;
    }

    /** The next lock request, to be filled in. */
    LockRequest newRequest() {
        if (requestCount == requests.length) {
            int old = requests.length;
            requests = Arrays.copyOf(requests, Math.max(2 * INITIAL_ITEMS, 2 * old));
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

    /** The number of the item in its submission. */
    int number(int i) {
        return numbers[i];
    }

    long keyHash(int i) {
        return keyHashes[i];
    }

    long imageOffset(int i) {
        return imageOffsets[i];
    }

    /** The memory that holds the identities. */
    Memory identities() {
        return identities;
    }

    long identityOffset(int i) {
        return identityOffsets[i];
    }

    private void grow() {
        int longer = 2 * size;
        tables = Arrays.copyOf(tables, longer);
        intents = Arrays.copyOf(intents, longer);
        partitions = Arrays.copyOf(partitions, longer);
        numbers = Arrays.copyOf(numbers, longer);
        keyHashes = Arrays.copyOf(keyHashes, longer);
        imageOffsets = Arrays.copyOf(imageOffsets, longer);
        identityOffsets = Arrays.copyOf(identityOffsets, longer);
    }
}
