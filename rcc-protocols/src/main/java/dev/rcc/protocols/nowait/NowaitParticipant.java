package dev.rcc.protocols.nowait;

import dev.rcc.core.fabric.RpcRequest;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.protocol.WorkerContext;
import dev.rcc.core.store.Memstore;
import dev.rcc.core.store.TableLayout;
import dev.rcc.core.store.TablePartition;
import dev.rcc.core.store.TupleLayout;
import dev.rcc.core.txn.Intent;
import dev.rcc.protocols.common.Calls;
import java.util.Arrays;

/**
 * The participant's RPC handlers (rcc, 4.2). They never wait: a lock that is taken is a conflict. Handlers of several
 * workers, and peers with one-sided verbs, work on the same words by CAS. Exclusive locks are idempotent per attempt,
 * since the word says whose they are; shared ones are not, and fabrics deliver a call once.
 */
final class NowaitParticipant {
    /** Locks and fetches; see {@link LockMessage}. */
    static final int LOCK = 1;
    /** Installs and unlocks; see {@link FinishMessage}. */
    static final int FINISH = 2;

    /** How often a lookup starts over because the key came or went meanwhile. */
    private static final int MAX_LOOKUPS = 8;

    private final WorkerContext context;
    private final Memstore memstore;
    private final long[] buckets = new long[TableLayout.CHOICES];

    // The leaves that the request being served has locked, since two of its keys may share one.
    private long[] leafAddresses = new long[16];
    private LockMode[] leafModes = new LockMode[16];
    private int leafCount;

    // What became of the item being served.
    private LockMode tupleMode;
    private LockMode leafMode;
    private boolean reserved;
    private long tuple;

    NowaitParticipant(WorkerContext context) {
        this.context = context;
        this.memstore = context.memstore();
    }

    void serve() {
        context.endpoint().handle(LOCK, this::lock);
        context.endpoint().handle(FINISH, this::finish);
    }

    // ---- lock ------------------------------------------------------------------------------------------------------

    private void lock(RpcRequest request) {
        Memory payload = request.payload();
        Memory response = request.response();
        int items = Calls.items(payload, request.payloadOffset());
        long attempt = Calls.headerWord(payload, request.payloadOffset());
        long item = request.payloadOffset() + Calls.HEADER_BYTES;
        long reply = request.responseOffset() + Memory.WORD_BYTES;
        leafCount = 0;
        int served = 0;
        boolean failed = false;
        while (served < items && !failed) {
            TablePartition partition =
                    memstore.partition(LockMessage.table(payload, item), LockMessage.partition(payload, item));
            TupleLayout t = partition.table().layout().tuple();
            int result = lockItem(partition, payload, item, attempt);
            encodeReply(partition, payload, item, result, response, reply);
            failed = result == LockMessage.CONFLICT || result == LockMessage.FULL;
            item += LockMessage.requestBytes(t);
            reply += LockMessage.replyBytes(t);
            served++;
        }
        response.putLong(request.responseOffset(), served);
        request.reply((int) (reply - request.responseOffset()));
    }

    private void encodeReply(
            TablePartition partition, Memory payload, long item, int result, Memory response, long reply) {
        TableLayout layout = partition.table().layout();
        long leaf = layout.leafOffset(LockMessage.keyHash(payload, item));
        long leafVersion =
                leafMode == LockMode.NONE ? 0 : partition.memory().getLong(leaf + layout.leafVersionOffset());
        long slotVersion =
                reserved ? partition.memory().getLong(tuple + layout.tuple().versionOffset()) : 0;
        LockMessage.encodeReply(
                response, reply, result, tupleMode, reserved, leafMode, tuple, leafVersion, slotVersion);
        if (result == LockMessage.FOUND) {
            partition
                    .memory()
                    .copy(
                            tuple,
                            response,
                            LockMessage.imageOffset(reply),
                            layout.tuple().tupleBytes());
        }
    }

    private int lockItem(TablePartition partition, Memory payload, long item, long attempt) {
        TableLayout layout = partition.table().layout();
        Intent intent = LockMessage.intent(payload, item);
        long keyHash = LockMessage.keyHash(payload, item);
        long identity = LockMessage.identityOffset(item);
        long leaf = layout.leafOffset(keyHash);
        tupleMode = LockMode.NONE;
        reserved = false;
        leafMode = rememberedLeafMode(partition.region().address(leaf), LockMessage.leafMode(payload, item));
        for (int i = 0; i < MAX_LOOKUPS; i++) {
            tuple = partition.lookup(keyHash, payload, identity);
            if (tuple >= 0) {
                LockMode wanted = LockRequest.tupleMode(intent);
                if (!acquire(partition.memory(), tuple, wanted, attempt)) {
                    return LockMessage.CONFLICT;
                }
                if (!partition.hasIdentity(tuple, payload, identity)) {
                    drop(partition.memory(), tuple, wanted); // the key went between the lookup and the lock
                    continue;
                }
                tupleMode = wanted;
                return intent != Intent.DELETE || lockLeaf(partition, leaf, LockMode.EXCLUSIVE, attempt)
                        ? LockMessage.FOUND
                        : LockMessage.CONFLICT;
            }
            LockMode wanted = LockRequest.absenceMode(intent);
            if (leafMode.covers(wanted)) {
                return intent == Intent.INSERT ? reserve(partition, keyHash, attempt) : LockMessage.ABSENT;
            }
            if (!lockLeaf(partition, leaf, wanted, attempt)) {
                return LockMessage.CONFLICT;
            }
            // The key may have come before the leaf was locked, but not since: look once more.
        }
        return LockMessage.CONFLICT;
    }

    private int reserve(TablePartition partition, long keyHash, long attempt) {
        long entry = partition.reserve(keyHash, buckets);
        if (entry < 0) {
            return LockMessage.FULL;
        }
        long slot = partition.table().layout().tupleOfEntry(entry);
        if (!acquire(partition.memory(), slot, LockMode.EXCLUSIVE, attempt)) {
            partition.clear(entry); // somebody with an old address locks the empty slot for a moment
            return LockMessage.CONFLICT;
        }
        tuple = slot;
        tupleMode = LockMode.EXCLUSIVE;
        reserved = true;
        return LockMessage.ABSENT;
    }

    private boolean lockLeaf(TablePartition partition, long leaf, LockMode wanted, long attempt) {
        Memory memory = partition.memory();
        boolean locked = leafMode == LockMode.SHARED
                ? memory.compareAndExchange(leaf, 1, attempt) == 1 // an upgrade: we must be the only one
                : acquire(memory, leaf, wanted, attempt);
        if (locked) {
            leafMode = wanted;
            rememberLeaf(partition.region().address(leaf));
        }
        return locked;
    }

    private static boolean acquire(Memory memory, long offset, LockMode mode, long attempt) {
        if (mode == LockMode.EXCLUSIVE) {
            long found = memory.compareAndExchange(offset, NowaitLayout.FREE, attempt);
            return found == NowaitLayout.FREE || found == attempt;
        }
        long word = memory.getAcquire(offset);
        while (NowaitLayout.canShare(word)) {
            long found = memory.compareAndExchange(offset, word, word + 1);
            if (found == word) {
                return true;
            }
            word = found;
        }
        return false;
    }

    private static void drop(Memory memory, long offset, LockMode mode) {
        if (mode == LockMode.EXCLUSIVE) {
            memory.putRelease(offset, NowaitLayout.FREE);
        } else {
            memory.getAndAdd(offset, -1);
        }
    }

    private LockMode rememberedLeafMode(long leafAddress, LockMode before) {
        for (int i = 0; i < leafCount; i++) {
            if (leafAddresses[i] == leafAddress) {
                return leafModes[i];
            }
        }
        return before;
    }

    private void rememberLeaf(long leafAddress) {
        for (int i = 0; i < leafCount; i++) {
            if (leafAddresses[i] == leafAddress) {
                leafModes[i] = leafMode;
                return;
            }
        }
        if (leafCount == leafAddresses.length) {
            leafAddresses = Arrays.copyOf(leafAddresses, 2 * leafCount);
            leafModes = Arrays.copyOf(leafModes, 2 * leafCount);
        }
        leafAddresses[leafCount] = leafAddress;
        leafModes[leafCount++] = leafMode;
    }

    // ---- commit and release ----------------------------------------------------------------------------------------

    private void finish(RpcRequest request) {
        Memory payload = request.payload();
        int items = Calls.items(payload, request.payloadOffset());
        long attempt = Calls.headerWord(payload, request.payloadOffset());
        long item = request.payloadOffset() + Calls.HEADER_BYTES;
        for (int i = 0; i < items; i++) {
            item += finishItem(payload, item, attempt);
        }
        request.reply(0);
    }

    /** Carries out one item and returns its length in bytes. */
    private int finishItem(Memory payload, long item, long attempt) {
        TablePartition partition = memstore.partitionOfRegion(FinishMessage.region(payload, item));
        Memory memory = partition.memory();
        long offset = FinishMessage.offset(payload, item);
        int action = FinishMessage.action(payload, item);
        if (action == FinishMessage.UNLOCK_SHARED) {
            drop(memory, offset, LockMode.SHARED);
        } else if (memory.getAcquire(offset) == attempt) {
            finishExclusive(partition, payload, item, action, offset);
        }
        return FinishMessage.bytes(action, partition.table().layout().tuple());
    }

    private static void finishExclusive(TablePartition partition, Memory payload, long item, int action, long offset) {
        Memory memory = partition.memory();
        TableLayout layout = partition.table().layout();
        TupleLayout t = layout.tuple();
        switch (action) {
            case FinishMessage.UPDATE ->
                payload.copy(FinishMessage.contentOffset(item), memory, offset + t.versionOffset(), t.valueBytes());
            case FinishMessage.INSERT -> {
                int bytes = t.identityBytes() + t.valueBytes();
                payload.copy(FinishMessage.contentOffset(item), memory, offset + t.identityOffset(), bytes);
                partition.publish(layout.entryOfTuple(offset), FinishMessage.word(payload, item));
            }
            case FinishMessage.DELETE -> {
                partition.clearIdentity(offset);
                memory.putLong(offset + t.versionOffset(), FinishMessage.word(payload, item));
            }
            case FinishMessage.WRITE_LEAF ->
                memory.putLong(offset + layout.leafVersionOffset(), FinishMessage.word(payload, item));
            default -> {}
        }
        memory.putRelease(offset, NowaitLayout.FREE);
        if (action == FinishMessage.DELETE || action == FinishMessage.UNRESERVE) {
            partition.clear(layout.entryOfTuple(offset)); // last: the slot is free for others from here on
        }
    }
}
