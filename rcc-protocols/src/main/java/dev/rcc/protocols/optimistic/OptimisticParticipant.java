package dev.rcc.protocols.optimistic;

import dev.rcc.core.fabric.RpcRequest;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.protocol.WorkerContext;
import dev.rcc.core.store.Memstore;
import dev.rcc.core.store.TableLayout;
import dev.rcc.core.store.TablePartition;
import dev.rcc.core.store.TupleLayout;
import dev.rcc.core.time.Timestamp;
import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.Access;
import dev.rcc.protocols.common.Install;
import dev.rcc.protocols.common.InstallMessage;
import dev.rcc.protocols.common.InstallRules;
import dev.rcc.protocols.common.Installer;
import dev.rcc.protocols.common.KeyItem;
import dev.rcc.protocols.common.PrefetchingHandler;
import dev.rcc.protocols.common.Refusal;
import dev.rcc.protocols.common.ServedItems;

/**
 * The participant's RPC handlers of the stages in this package. They never wait: a lock that is held is a conflict. Handlers of several
 * workers, and peers with one-sided verbs, work on the same words. Locking and finishing are idempotent per attempt, since the lock word
 * identifies its holder; a claim of an index entry is not, and fabrics deliver a call once.
 */
public final class OptimisticParticipant {
    /** Reads tuples; see {@link FetchMessage}. */
    static final int FETCH = 1;
    /** Locks; see {@link LockMessage}. */
    static final int LOCK = 2;
    /** Reads lock words and versions; see {@link ValidateMessage}. */
    static final int VALIDATE = 3;
    /** Installs and unlocks; see {@link InstallMessage} and {@link FinishWords}. */
    static final int FINISH = 4;
    /** Reads tuples, each once it is locked; see {@link FetchMessage}. */
    static final int FETCH_AND_LOCK = 9;

    /** How often a lookup starts over because a transaction was writing meanwhile. */
    private static final int MAX_LOOKUPS = 4;

    private final WorkerContext context;
    private final LockRules rules;
    private final Memstore memstore;
    private final Installer installer;
    private final ServedItems served = new ServedItems();
    private final long[] buckets = new long[TableLayout.CHOICES];

    // The results for the item being served.
    private long tuple;
    private long leafVersion;
    /** Whether the last requested lock was free, and is held now. */
    private boolean acquired;

    /** The handlers of a worker. */
    public OptimisticParticipant(WorkerContext context, LockRules rules) {
        this.context = context;
        this.rules = rules;
        this.memstore = context.memstore();
        this.installer = new Installer(memstore, FinishWords.format(rules), new Installs());
    }

    /** Registers all handlers. */
    public void serve() {
        context.endpoint().handle(FETCH, new PrefetchingHandler(memstore, this::fetch));
        context.endpoint().handle(LOCK, this::lock);
        context.endpoint().handle(VALIDATE, this::validate);
        context.endpoint().handle(FINISH, this::finish);
        context.endpoint().handle(FETCH_AND_LOCK, new PrefetchingHandler(memstore, this::fetchAndLock));
    }

    // ---- fetch -----------------------------------------------------------------------------------------------------

    private void fetch(RpcRequest request) {
        served.begin(request);
        Memory payload = served.payload();
        Memory response = served.response();
        long attempt = served.headerWord();
        while (served.hasNext()) {
            long item = served.item();
            long reply = served.reply();
            TablePartition partition = KeyItem.partition(memstore, payload, item);
            TupleLayout t = partition.table().layout().tuple();
            int result = fetchItem(partition, payload, item, attempt, response, FetchMessage.imageOffset(reply));
            FetchMessage.encodeReply(response, reply, result, tuple, leafVersion);
            served.next(KeyItem.bytes(t), FetchMessage.replyBytes(t, FetchMessage.intent(payload, item)));
        }
        served.sendReplies();
    }

    private int fetchItem(
            TablePartition partition, Memory payload, long item, long attempt, Memory response, long image) {
        Memory memory = partition.memory();
        TableLayout layout = partition.table().layout();
        TupleLayout t = layout.tuple();
        long keyHash = KeyItem.keyHash(payload, item);
        long identity = KeyItem.identityOffset(item);
        long leaf = layout.leafOffset(keyHash);
        int bytes = Access.fetchedBytes(t, FetchMessage.intent(payload, item));
        for (int i = 0; i < MAX_LOOKUPS; i++) {
            tuple = partition.lookup(keyHash, payload, identity);
            if (tuple < 0) { // only then the leaf matters: its version must be older than the lookup
                leafVersion = memory.getAcquire(leaf + layout.leafVersionOffset());
                tuple = partition.lookup(keyHash, payload, identity);
            }
            if (tuple < 0) {
                if (Seqlock.recheck(rules, attempt, memory, leaf, layout, leafVersion, response, image)) {
                    return FetchMessage.ABSENT;
                }
            } else if (Seqlock.copy(rules, attempt, memory, tuple, t, bytes, response, image)
                    && response.equalWords(image + t.identityOffset(), payload, identity, t.identityBytes())) {
                return FetchMessage.FOUND;
            }
        }
        return FetchMessage.BUSY;
    }

    // ---- lock ------------------------------------------------------------------------------------------------------

    private void lock(RpcRequest request) {
        served.begin(request);
        long attempt = served.headerWord();
        boolean failed = false;
        while (served.hasNext() && !failed) {
            int requestBytes = lockRequestBytes(served.payload(), served.item());
            int result = lockItem(served.payload(), served.item(), attempt, served.response(), served.reply());
            failed = result != LockMessage.LOCKED;
            served.next(requestBytes, LockMessage.replyBytes(rules.metadataBytes()));
        }
        served.sendReplies();
    }

    private int lockRequestBytes(Memory payload, long item) {
        TablePartition partition = memstore.partitionOfRegion(LockMessage.region(payload, item));
        return LockMessage.requestBytes(
                LockMessage.kind(payload, item), partition.table().layout().tuple());
    }

    private int lockItem(Memory payload, long item, long attempt, Memory response, long reply) {
        TablePartition partition = memstore.partitionOfRegion(LockMessage.region(payload, item));
        Memory memory = partition.memory();
        TableLayout layout = partition.table().layout();
        int kind = LockMessage.kind(payload, item);
        long offset = LockMessage.word(payload, item);
        if (kind == LockMessage.RESERVE) {
            long entry = partition.reserve(offset, buckets);
            if (entry < 0) {
                int refusal = Refusal.of(AbortReason.TABLE_FULL);
                LockMessage.encodeReply(response, reply, refusal, 0, 0, 0);
                return refusal;
            }
            offset = layout.tupleOfEntry(entry);
        }
        // A lock that is held already is not taken again, even if the holder is the same: an attempt may hold
        // a slot by the old address of a key that was deleted, and a coroutine may have left a lock behind
        // that it could not drop.
        long held = acquire(memory, offset, attempt);
        boolean locked = acquired;
        if (locked) {
            Memory.fullFence(); // the metadata are read after the lock is seen: MVCC's readers raise rts, then look
            // at the lock (Dekker)
        }
        if (locked && rules.agesHolders()) {
            memory.putRelease(offset + Memory.WORD_BYTES, attempt);
        } else if (!locked && kind == LockMessage.RESERVE) {
            partition.clear(layout.entryOfTuple(offset)); // a transaction with an old address locks the empty slot
        }
        int result = locked ? LockMessage.LOCKED : LockMessage.TAKEN;
        boolean isOther = kind == LockMessage.TUPLE_OF_KEY
                && !partition.hasIdentity(offset, payload, LockMessage.identityOffset(item));
        if (locked && isOther) {
            result = LockMessage.LOCKED_ANOTHER;
        }
        int versionOffset = kind == LockMessage.LEAF
                ? layout.leafVersionOffset()
                : layout.tuple().versionOffset();
        long version = memory.getAcquire(offset + versionOffset);
        LockMessage.encodeReply(response, reply, result, offset, held, version);
        for (int i = Memory.WORD_BYTES; i < rules.metadataBytes(); i += Memory.WORD_BYTES) {
            long target = LockMessage.metadataOffset(reply) + i - Memory.WORD_BYTES;
            response.putLong(target, memory.getAcquire(offset + i));
        }
        return result;
    }

    /** Returns the lock word as it is now; {@link #acquired} is true if this call has locked it. */
    private long acquire(Memory memory, long offset, long attempt) {
        long word = memory.getAcquire(offset);
        acquired = false;
        while (!acquired && rules.isLockable(word)) {
            long locked = rules.locked(word, attempt);
            long found = memory.compareAndExchange(offset, word, locked);
            acquired = found == word;
            word = acquired ? locked : found;
        }
        return word;
    }

    // ---- fetch and lock --------------------------------------------------------------------------------------------

    private void fetchAndLock(RpcRequest request) {
        served.begin(request);
        Memory payload = served.payload();
        Memory response = served.response();
        boolean taken = false;
        while (served.hasNext() && !taken) {
            long item = served.item();
            long reply = served.reply();
            TablePartition partition = KeyItem.partition(memstore, payload, item);
            TupleLayout t = partition.table().layout().tuple();
            int result = fetchAndLockItem(
                    partition, payload, item, served.headerWord(), response, FetchMessage.imageOffset(reply));
            FetchMessage.encodeReply(response, reply, result, tuple, Timestamp.NONE);
            taken = result == FetchMessage.TAKEN;
            served.next(KeyItem.bytes(t), FetchMessage.replyBytes(t, FetchMessage.intent(payload, item)));
        }
        served.sendReplies();
    }

    /** Until a tuple is locked, its slot may become another key's. */
    private int fetchAndLockItem(
            TablePartition partition, Memory payload, long item, long attempt, Memory response, long image) {
        Memory memory = partition.memory();
        TupleLayout t = partition.table().layout().tuple();
        long identity = KeyItem.identityOffset(item);
        for (int i = 0; i < MAX_LOOKUPS; i++) {
            tuple = partition.lookup(KeyItem.keyHash(payload, item), payload, identity);
            if (tuple < 0) {
                return FetchMessage.ABSENT;
            }
            long held = acquire(memory, tuple, attempt);
            if (!acquired) {
                response.putLong(image, held);
                response.putLong(image + Memory.WORD_BYTES, memory.getAcquire(tuple + Memory.WORD_BYTES));
                return FetchMessage.TAKEN;
            }
            Memory.fullFence(); // the metadata are read after the lock is seen, as in lockItem
            if (partition.hasIdentity(tuple, payload, identity)) {
                if (rules.agesHolders()) {
                    memory.putRelease(tuple + Memory.WORD_BYTES, attempt);
                }
                memory.copy(tuple, response, image, Access.fetchedBytes(t, FetchMessage.intent(payload, item)));
                return FetchMessage.FOUND;
            }
            memory.putRelease(tuple, rules.released(held));
        }
        return FetchMessage.BUSY;
    }

    // ---- validate --------------------------------------------------------------------------------------------------

    private void validate(RpcRequest request) {
        served.begin(request);
        Memory payload = served.payload();
        Memory response = served.response();
        while (served.hasNext()) {
            long item = served.item();
            long reply = served.reply();
            Memory memory = memstore.partitionOfRegion(ValidateMessage.region(payload, item))
                    .memory();
            long offset = ValidateMessage.offset(payload, item);
            long lockWord = memory.getAcquire(offset);
            long version = memory.getAcquire(offset + ValidateMessage.versionOffset(payload, item));
            ValidateMessage.encodeReply(response, reply, lockWord, version);
            served.next(ValidateMessage.REQUEST_BYTES, ValidateMessage.REPLY_BYTES);
        }
        served.sendReplies();
    }

    // ---- commit and release ----------------------------------------------------------------------------------------

    private void finish(RpcRequest request) {
        installer.carryOut(request);
        installer.reply();
    }

    /**
     * The lock word identifies its holder, and becomes a mark while the tuple or leaf is installed: no byte changes before the mark, and none
     * after the version. Readers without locks rely on this.
     */
    private final class Installs implements InstallRules {
        @Override
        public boolean isHeld(Install install) {
            return rules.isStillHeld(install.memory().getAcquire(install.offset()), install.own(FinishWords.HELD));
        }

        @Override
        public void begin(Install install) {
            mark(install);
            long metadata = FinishWords.metadataOffset(install.ownOffset());
            long target = install.offset() + Memory.WORD_BYTES;
            install.payload().copy(metadata, install.memory(), target, rules.installedMetadataBytes());
        }

        @Override
        public void writeVersion(Install install) {
            long version = install.offset() + install.layout().tuple().versionOffset();
            install.memory().putRelease(version, install.version());
        }

        @Override
        public void markLeaf(Install install) {
            mark(install);
        }

        @Override
        public void writeLeaf(Install install) {
            mark(install);
            InstallRules.super.writeLeaf(install);
        }

        @Override
        public void unlock(Install install) {
            install.memory().putRelease(install.offset(), install.own(FinishWords.LEFT));
        }

        private void mark(Install install) {
            install.memory().putRelease(install.offset(), install.own(FinishWords.INSTALLING));
            Memory.storeFence(); // no byte before the mark
        }
    }
}
