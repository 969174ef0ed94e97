package dev.rcc.protocols.mvcc;

import dev.rcc.core.fabric.RpcRequest;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.protocol.WorkerContext;
import dev.rcc.core.store.Memstore;
import dev.rcc.core.store.TableLayout;
import dev.rcc.core.store.TablePartition;
import dev.rcc.core.store.TupleLayout;
import dev.rcc.core.time.Timestamp;
import dev.rcc.core.txn.Intent;
import dev.rcc.protocols.common.Install;
import dev.rcc.protocols.common.InstallMessage;
import dev.rcc.protocols.common.InstallRules;
import dev.rcc.protocols.common.Installer;
import dev.rcc.protocols.common.Refusal;
import dev.rcc.protocols.common.ServedItems;
import dev.rcc.protocols.optimistic.OptimisticParticipant;
import dev.rcc.protocols.optimistic.ValidateMessage;

/**
 * The participant's RPC handlers of the fetch and the commit stage; those of the other stages are shared by all optimistic protocols. They never
 * wait. Handlers of several workers, and peers with one-sided verbs, work on the same words, so the order of {@link OneSidedReading} and
 * {@link MvccLayout} is kept here, too: by acquiring and releasing words, by load fences behind copies, and by the full order of a CAS. All are
 * idempotent: a read only raises {@code rts}, to a maximum, and an install names the attempt that holds the lock.
 */
final class MvccParticipant {
    /** Reads; see {@link ReadMessage}. */
    static final int READ = 5;
    /** Raises rts and reads lock words and versions; see {@link ValidateMessage}. */
    static final int CONFIRM = 6;
    /** Installs and unlocks; see {@link InstallMessage}. */
    static final int INSTALL = 7;

    /** The message of a commit: no item has words of the protocol. */
    static final InstallMessage INSTALL_ITEMS = new InstallMessage(0);

    private static final int GONE = Refusal.of(Mvcc.VERSION_GONE);
    private static final int TOO_LATE = Refusal.of(Mvcc.WRITE_TOO_LATE);

    /** How often a lookup starts over because a transaction was writing meanwhile. */
    private static final int MAX_LOOKUPS = 4;

    private final WorkerContext context;
    private final OptimisticParticipant shared;
    private final Memstore memstore;
    private final int historySlots;
    private final Installer installer;
    private final ServedItems served = new ServedItems();

    // The results for the item being served.
    private long tuple;
    private long version;
    private long latest;

    MvccParticipant(WorkerContext context, Mvcc protocol) {
        this.context = context;
        this.shared = new OptimisticParticipant(context, protocol.rules());
        this.memstore = context.memstore();
        this.installer = new Installer(memstore, INSTALL_ITEMS, new Installs());
        this.historySlots = protocol.historySlots();
    }

    void serve() {
        shared.serve();
        context.endpoint().handle(READ, this::read);
        context.endpoint().handle(CONFIRM, this::confirm);
        context.endpoint().handle(INSTALL, this::install);
    }

    // ---- fetch -----------------------------------------------------------------------------------------------------

    private void read(RpcRequest request) {
        served.begin(request);
        Memory payload = served.payload();
        Memory response = served.response();
        long attempt = served.headerWord();
        while (served.hasNext()) {
            long item = served.item();
            long reply = served.reply();
            TablePartition partition =
                    memstore.partition(ReadMessage.table(payload, item), ReadMessage.partition(payload, item));
            TupleLayout t = partition.table().layout().tuple();
            tuple = 0;
            version = Timestamp.NONE;
            latest = Timestamp.NONE;
            int result = readItem(partition, payload, item, attempt, response, ReadMessage.recordOffset(reply));
            ReadMessage.encodeReply(response, reply, result, tuple, version, latest);
            served.next(ReadMessage.requestBytes(t), ReadMessage.replyBytes(t, ReadMessage.intent(payload, item)));
        }
        served.sendReplies();
    }

    private int readItem(
            TablePartition partition, Memory payload, long item, long attempt, Memory response, long record) {
        Memory memory = partition.memory();
        TableLayout layout = partition.table().layout();
        long keyHash = ReadMessage.keyHash(payload, item);
        long identity = ReadMessage.identityOffset(item);
        Intent intent = ReadMessage.intent(payload, item);
        long leaf = layout.leafOffset(keyHash);
        int result = ReadMessage.BUSY;
        for (int i = 0; i < MAX_LOOKUPS && result == ReadMessage.BUSY; i++) {
            version = memory.getAcquire(leaf + layout.leafVersionOffset());
            long lockWord = memory.getAcquire(leaf + MvccLayout.LOCK_OFFSET);
            tuple = partition.lookup(keyHash, payload, identity);
            if (tuple >= 0) {
                result = switch (intent) {
                    case UPDATE, DELETE, WRITE ->
                        readToWrite(partition, payload, identity, intent, attempt, response, record);
                    case READ, INSERT -> readTuple(partition, payload, identity, attempt, response, record);
                };
            } else {
                result = MvccLayout.isPending(lockWord, attempt)
                        ? ReadMessage.PENDING
                        : readLeaf(memory, leaf, layout, attempt, intent != Intent.INSERT);
            }
        }
        return result;
    }

    private int readTuple(
            TablePartition partition, Memory payload, long identity, long attempt, Memory response, long record) {
        Memory memory = partition.memory();
        TupleLayout t = partition.table().layout().tuple();
        long versionOffset = tuple + t.versionOffset();
        version = memory.getAcquire(versionOffset);
        meet(version);
        if (Timestamp.isBefore(attempt, version)) {
            return readOlder(partition, payload, identity, attempt, response, record);
        }
        raise(memory, tuple, attempt);
        if (MvccLayout.isPending(memory.getAcquire(tuple + MvccLayout.LOCK_OFFSET), attempt)) {
            return ReadMessage.PENDING;
        }
        version = memory.getAcquire(versionOffset);
        boolean same = partition.hasIdentity(tuple, payload, identity);
        memory.copy(tuple + t.recordOffset(), response, record, t.recordBytes());
        Memory.loadFence();
        boolean holds = same && version == memory.getAcquire(versionOffset) && Timestamp.isBefore(version, attempt);
        return holds ? ReadMessage.FOUND : ReadMessage.BUSY;
    }

    private int readOlder(
            TablePartition partition, Memory payload, long identity, long attempt, Memory response, long record) {
        Memory memory = partition.memory();
        TupleLayout t = partition.table().layout().tuple();
        int slot = MvccLayout.slotBefore(memory, tuple, historySlots, attempt);
        if (slot == MvccLayout.NO_SLOT) {
            return GONE;
        }
        long wts = tuple + MvccLayout.wtsOffset(slot);
        version = memory.getAcquire(wts);
        boolean same = partition.hasIdentity(tuple, payload, identity);
        memory.copy(tuple + t.historyRecordOffset(slot), response, record, t.recordBytes());
        Memory.loadFence();
        boolean holds = same
                && version != Timestamp.NONE
                && Timestamp.isBefore(version, attempt)
                && version == memory.getAcquire(wts);
        return holds ? ReadMessage.FOUND : ReadMessage.BUSY;
    }

    private int readToWrite(
            TablePartition partition,
            Memory payload,
            long identity,
            Intent intent,
            long attempt,
            Memory response,
            long record) {
        Memory memory = partition.memory();
        TupleLayout t = partition.table().layout().tuple();
        version = memory.getAcquire(tuple + t.versionOffset());
        if (MvccLayout.isPending(memory.getAcquire(tuple + MvccLayout.LOCK_OFFSET), attempt)) {
            return ReadMessage.PENDING;
        }
        long rts = memory.getAcquire(tuple + MvccLayout.RTS_OFFSET);
        boolean same = partition.hasIdentity(tuple, payload, identity);
        if (intent != Intent.WRITE) {
            memory.copy(tuple + t.recordOffset(), response, record, t.recordBytes());
        }
        Memory.loadFence();
        if (!same || version != memory.getAcquire(tuple + t.versionOffset())) {
            return ReadMessage.BUSY;
        }
        meet(version);
        meet(rts);
        return Timestamp.isBefore(attempt, latest) ? TOO_LATE : ReadMessage.FOUND;
    }

    /** The key was not found after the leaf's version was acquired: checks whether it stays missing at the attempt's time. */
    private int readLeaf(Memory memory, long leaf, TableLayout layout, long attempt, boolean raises) {
        if (raises) {
            raise(memory, leaf, attempt);
        } else {
            Memory.loadFence();
        }
        if (MvccLayout.isPending(memory.getAcquire(leaf + MvccLayout.LOCK_OFFSET), attempt)) {
            return ReadMessage.PENDING;
        }
        if (version != memory.getAcquire(leaf + layout.leafVersionOffset())) {
            return ReadMessage.BUSY;
        }
        meet(version);
        return Timestamp.isBefore(attempt, version) ? GONE : ReadMessage.ABSENT;
    }

    /**
     * Raises the rts of a tuple or leaf; later reads are ordered after that. A writer locks, then reads rts; a reader raises rts, then reads the
     * lock: one of the two must see the other (Dekker). So a CAS and the load behind it must not change places, which they may where a CAS is not
     * a full fence, as on ARM: the CAS orders like a volatile access, the load behind it only acquires. On x86 the fence costs next to nothing
     * behind a CAS. Only a test on such a machine can show its absence.
     */
    private void raise(Memory memory, long offset, long timestamp) {
        long rts = memory.getAcquire(offset + MvccLayout.RTS_OFFSET);
        while (Timestamp.isBefore(rts, timestamp)) {
            long found = memory.compareAndExchange(offset + MvccLayout.RTS_OFFSET, rts, timestamp);
            if (found == rts) {
                Memory.fullFence();
                return;
            }
            rts = found;
        }
        meet(rts);
        Memory.loadFence();
    }

    private void meet(long timestamp) {
        latest = Timestamp.max(latest, timestamp);
    }

    private void confirm(RpcRequest request) {
        served.begin(request);
        Memory payload = served.payload();
        Memory response = served.response();
        long attempt = served.headerWord();
        while (served.hasNext()) {
            long item = served.item();
            long reply = served.reply();
            Memory memory = memstore.partitionOfRegion(ValidateMessage.region(payload, item))
                    .memory();
            long offset = ValidateMessage.offset(payload, item);
            raise(memory, offset, attempt);
            long lockWord = memory.getAcquire(offset + MvccLayout.LOCK_OFFSET);
            long read = memory.getAcquire(offset + ValidateMessage.versionOffset(payload, item));
            ValidateMessage.encodeReply(response, reply, lockWord, read);
            served.next(ValidateMessage.REQUEST_BYTES, ValidateMessage.REPLY_BYTES);
        }
        served.sendReplies();
    }

    // ---- commit ----------------------------------------------------------------------------------------------------

    private void install(RpcRequest request) {
        installer.carryOut(request);
        installer.reply();
    }

    /**
     * The attempt's id is the lock word and the new version. The version changes before the record, and after the replaced record is in the
     * history.
     */
    private final class Installs implements InstallRules {
        @Override
        public boolean isHeld(Install install) {
            return install.memory().getAcquire(install.offset() + MvccLayout.LOCK_OFFSET) == install.attempt();
        }

        @Override
        public void begin(Install install) {
            Memory memory = install.memory();
            TupleLayout t = install.layout().tuple();
            if (install.action() == InstallMessage.UPDATE) {
                moveToHistory(memory, install.offset(), t);
            } else if (install.action() == InstallMessage.DELETE) {
                dropHistory(memory, install.offset());
            }
            memory.putRelease(install.offset() + t.versionOffset(), install.version());
            Memory.storeFence(); // no byte before the version
        }

        @Override
        public void writeVersion(Install install) {
            // The version was written first.
        }

        @Override
        public void markLeaf(Install install) {
            writeLeaf(install);
            Memory.storeFence(); // nothing below the leaf changes before
        }

        @Override
        public void unlock(Install install) {
            install.memory().putRelease(install.offset() + MvccLayout.LOCK_OFFSET, MvccLayout.FREE);
        }
    }

    private void moveToHistory(Memory memory, long offset, TupleLayout t) {
        if (historySlots > 0) {
            int slot = MvccLayout.slotToReplace(memory, offset, historySlots);
            memory.putRelease(offset + MvccLayout.wtsOffset(slot), memory.getLong(offset + t.versionOffset()));
            Memory.storeFence(); // no byte before its version
            memory.copy(offset + t.recordOffset(), memory, offset + t.historyRecordOffset(slot), t.recordBytes());
        }
    }

    private void dropHistory(Memory memory, long offset) {
        for (int slot = MvccLayout.oldestSlot(memory, offset, historySlots);
                slot != MvccLayout.NO_SLOT;
                slot = MvccLayout.oldestSlot(memory, offset, historySlots)) {
            memory.putRelease(offset + MvccLayout.wtsOffset(slot), Timestamp.NONE);
        }
    }
}
