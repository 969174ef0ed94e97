package dev.rcc.protocols.mvcc;

import dev.rcc.core.fabric.Batch;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.protocol.Primitive;
import dev.rcc.core.store.IndexEntry;
import dev.rcc.core.store.TupleLayout;
import dev.rcc.core.time.Timestamp;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Intent;
import dev.rcc.core.txn.Transaction;
import dev.rcc.protocols.common.Batches;
import dev.rcc.protocols.common.Calls;
import dev.rcc.protocols.common.IndexProbe;
import dev.rcc.protocols.common.InstallMessage;
import dev.rcc.protocols.common.PeerRetry;
import dev.rcc.protocols.common.RemoteWord;
import dev.rcc.protocols.optimistic.LockRules;
import dev.rcc.protocols.optimistic.StageContext;
import dev.rcc.protocols.optimistic.WriteEntry;
import dev.rcc.protocols.optimistic.WriteLeaf;
import dev.rcc.protocols.optimistic.WriteSet;

/**
 * The commit stage: installs the write set in the order of {@link MvccLayout}, and unlocks it. By RPC, the participant moves
 * the replaced record into the history; one-sided, the coordinator writes it there from the copy that it has kept.
 */
final class Installing {
    private final Transaction txn;
    private final WriteSet writes;
    private final Readings readings;
    private final Primitive primitive;
    private final Memory buffers;
    private final Batches batches;
    private final Calls calls;
    private final PeerRetry retry;
    private final RemoteWord word;
    private final LockRules rules;
    private final PeerRetry.Debt installAgain = this::installAgain;
    private final int historySlots;
    /** Whether some record that is to be replaced was locked without being read. */
    private boolean replacedUnread;

    Installing(StageContext context, Readings readings, Primitive primitive) {
        this.txn = context.txn();
        this.writes = context.writes();
        this.readings = readings;
        this.primitive = primitive;
        this.buffers = context.worker().buffers();
        this.batches = context.batches();
        this.calls = context.calls();
        this.retry = new PeerRetry(context.worker(), txn);
        this.word = new RemoteWord(context.worker(), txn);
        this.rules = context.rules();
        this.historySlots = readings.historySlots();
    }

    /**
     * Keeps the records that may go into the history, from the reading with number {@code first} on. Records of deletes are among them: an index
     * node's access is a delete at first, and turns into an update if the node stays.
     */
    void keepReplaced(int first) {
        for (int i = first; i < readings.size(); i++) {
            Reading reading = readings.get(i);
            if (reading.writesIfFound() && !reading.access.isBlind()) {
                keepReplaced(reading);
            }
        }
    }

    /** Keeps a record that may go into the history, unless it is kept already, or is missing. */
    void keepReplaced(Reading reading) {
        Access access = reading.access;
        boolean isWanted = primitive == Primitive.ONE_SIDED && historySlots > 0 && access.exists();
        if (isWanted && reading.replacedRecord == 0) {
            TupleLayout t = access.layout();
            reading.replacedRecord = txn.buffer().allocate(t.recordBytes());
            buffers.copy(access.imageOffset() + t.recordOffset(), buffers, reading.replacedRecord, t.recordBytes());
        }
    }

    /**
     * Makes room for the records that blind writes are going to replace: the attempt has not read them, so they are read once they are locked.
     *
     * @param along whether one-sided locking also reads them; if not, {@link #readReplaced} does
     */
    void makeRoomForReplaced(boolean along) {
        replacedUnread = false;
        for (int i = 0; i < writes.size() && primitive == Primitive.ONE_SIDED && historySlots > 0; i++) {
            WriteEntry entry = writes.entry(i);
            Access access = entry.access();
            if (access.isBlind() && access.exists()) {
                long room = txn.buffer().allocate(access.layout().recordBytes());
                readings.get(access.index()).replacedRecord = room;
                replacedUnread |= !along;
                if (along) {
                    entry.keepReplaced(room);
                }
            }
        }
    }

    /** Reads the locked records for which there is room and which locking did not read. False if a node was not reached. */
    boolean readReplaced() {
        for (int i = 0; i < writes.size() && replacedUnread; i++) {
            Access access = writes.entry(i).access();
            if (access.isBlind() && access.exists()) {
                TupleLayout t = access.layout();
                long room = readings.get(access.index()).replacedRecord;
                batches.to(access.node()).read(access.tupleAddress() + t.recordOffset(), t.recordBytes(), room);
            }
        }
        batches.post(txn.completion());
        return !replacedUnread || txn.completion().await();
    }

    /** Makes room for the messages, before the transaction is decided: afterwards it must not run out of room. */
    void prepare() {
        calls.clear();
        if (primitive == Primitive.RPC) {
            for (int i = 0; i < writes.leaves(); i++) {
                WriteLeaf leaf = writes.leaf(i);
                if (isMarked(leaf)) {
                    calls.measure(leaf.node(), MvccParticipant.INSTALL_ITEMS.bytes(), 0);
                }
                if (leaf.isHeld()) {
                    calls.measure(leaf.node(), MvccParticipant.INSTALL_ITEMS.bytes(), 0);
                }
            }
            for (int i = 0; i < writes.size(); i++) {
                WriteEntry entry = writes.entry(i);
                if (entry.isHeld()) {
                    int bytes = MvccParticipant.INSTALL_ITEMS.bytes(
                            action(entry), entry.access().layout());
                    calls.measure(entry.access().node(), bytes, 0);
                }
            }
        }
        calls.begin(txn.id());
    }

    /** Installs all writes, and drops all locks. {@link #prepare} was called before. Afterwards this is done on every node of the configuration. */
    void install() {
        for (int i = 0; i < writes.leaves(); i++) {
            if (isMarked(writes.leaf(i))) {
                finish(writes.leaf(i), InstallMessage.MARK_LEAF);
            }
        }
        for (int i = 0; i < writes.size(); i++) {
            if (writes.entry(i).isHeld()) {
                install(writes.entry(i));
            }
        }
        for (int i = 0; i < writes.leaves(); i++) {
            if (writes.leaf(i).isHeld()) {
                finish(writes.leaf(i), InstallMessage.UNLOCK);
            }
        }
        batches.postAtOnce(txn.completion());
        calls.call(MvccParticipant.INSTALL, txn.completion());
        if (!txn.completion().await()) {
            retry.settleFailed(installAgain);
        }
        calls.clear();
    }

    /**
     * Installs once more on one node, where all, some or none of the work was done. A participant carries a call out as a whole, and only the items
     * that are still locked. One-sided, a lock that is still there has not been dropped, and the writes before that can be installed again.
     */
    private boolean installAgain(int node) {
        if (primitive == Primitive.RPC) {
            if (calls.isTarget(node)) {
                calls.call(node, MvccParticipant.INSTALL, txn.completion());
            }
            return txn.completion().await();
        }
        boolean reached = true;
        for (int i = 0; i < writes.leaves() && reached; i++) {
            reached = finishAgain(node, writes.leaf(i), InstallMessage.MARK_LEAF);
        }
        for (int i = 0; i < writes.size() && reached; i++) {
            reached = installAgain(node, writes.entry(i));
        }
        for (int i = 0; i < writes.leaves() && reached; i++) {
            reached = finishAgain(node, writes.leaf(i), InstallMessage.UNLOCK);
        }
        batches.post(txn.completion());
        return txn.completion().await() && reached;
    }

    private boolean finishAgain(int node, WriteLeaf leaf, int action) {
        boolean isDue = action == InstallMessage.UNLOCK ? leaf.isHeld() : isMarked(leaf);
        if (!isDue || leaf.node() != node) {
            return true;
        }
        if (!word.read(leaf.address())) {
            return false;
        }
        if (isOwn()) {
            finish(leaf, action);
        }
        return true;
    }

    private boolean installAgain(int node, WriteEntry entry) {
        if (!entry.isHeld() || entry.access().node() != node) {
            return true;
        }
        if (!word.read(entry.access().tupleAddress())) {
            return false;
        }
        if (isOwn()) {
            install(entry);
            return true;
        }
        return entry.freeIndexEntryAgain(word, entry.isInstalled(), rules);
    }

    /** Whether the lock word that was just read is this attempt's. */
    private boolean isOwn() {
        return word.found() == txn.id();
    }

    private void finish(WriteLeaf leaf, int action) {
        int node = leaf.node();
        if (primitive == Primitive.RPC) {
            long item = calls.item(node, MvccParticipant.INSTALL_ITEMS.bytes());
            MvccParticipant.INSTALL_ITEMS.encode(buffers, item, action, leaf.address(), txn.commitTs());
        } else if (action == InstallMessage.MARK_LEAF) {
            batches.to(node).writeWord(txn.commitTs(), leaf.versionAddress());
        } else {
            batches.to(node).writeWord(MvccLayout.FREE, leaf.address() + MvccLayout.LOCK_OFFSET);
        }
    }

    /** Whether a leaf gets a mark before anything below it changes. */
    private static boolean isMarked(WriteLeaf leaf) {
        return leaf.isHeld() && leaf.isWritten();
    }

    /** The action for an entry: a record that was locked to be written, and was not written, is unlocked. */
    private static int action(WriteEntry entry) {
        return entry.isInstalled()
                ? InstallMessage.action(entry.access())
                : entry.isReserved() ? InstallMessage.UNRESERVE : InstallMessage.UNLOCK;
    }

    private void unlock(WriteEntry entry) {
        Access access = entry.access();
        if (primitive == Primitive.RPC) {
            InstallMessage format = MvccParticipant.INSTALL_ITEMS;
            long item = calls.item(access.node(), format.bytes());
            format.encode(buffers, item, action(entry), access.tupleAddress(), Timestamp.NONE);
            return;
        }
        Batch batch = batches.to(access.node()).writeWord(MvccLayout.FREE, access.tupleAddress());
        if (entry.isReserved()) {
            batch.writeWord(IndexEntry.EMPTY, IndexProbe.entryOfTuple(access));
        }
    }

    private void install(WriteEntry entry) {
        if (!entry.isInstalled()) {
            unlock(entry);
            return;
        }
        Access access = entry.access();
        if (primitive == Primitive.RPC) {
            InstallMessage format = MvccParticipant.INSTALL_ITEMS;
            int bytes = format.bytes(InstallMessage.action(access), access.layout());
            format.encodeWrite(buffers, calls.item(access.node(), bytes), access, txn.commitTs());
            return;
        }
        Batch batch = batches.to(access.node());
        TupleLayout t = access.layout();
        long tuple = access.tupleAddress();
        switch (access.intent()) {
            case UPDATE, WRITE -> moveToHistory(access, batch);
            case DELETE -> dropHistory(access, batch);
            default -> {} // a slot without a key has no history
        }
        batch.writeWord(txn.commitTs(), tuple + t.versionOffset());
        switch (access.intent()) {
            case UPDATE, WRITE -> writeRecord(access, batch);
            case INSERT -> {
                batch.write(access.identityOffset(), t.identityBytes(), tuple + t.identityOffset());
                writeRecord(access, batch);
                batch.writeWord(IndexEntry.live(access.keyHash()), IndexProbe.entryOfTuple(access));
            }
            case DELETE -> batch.writeWord(0, tuple + t.identityOffset());
            case READ -> throw new IllegalStateException("a read installs nothing");
        }
        batch.writeWord(MvccLayout.FREE, tuple + MvccLayout.LOCK_OFFSET);
        if (access.intent() == Intent.DELETE) { // last: the slot is free for other keys from here on
            batch.writeWord(IndexEntry.EMPTY, IndexProbe.entryOfTuple(access));
        }
    }

    /** Uses the {@code wts} in the image, which were read once the lock was held. */
    private void moveToHistory(Access access, Batch batch) {
        if (historySlots > 0) {
            TupleLayout t = access.layout();
            long tuple = access.tupleAddress();
            int slot = MvccLayout.slotToReplace(buffers, access.imageOffset(), historySlots);
            batch.writeWord(access.replacedVersion(), tuple + MvccLayout.wtsOffset(slot))
                    .write(
                            readings.get(access.index()).replacedRecord,
                            t.recordBytes(),
                            tuple + t.historyRecordOffset(slot));
        }
    }

    private void dropHistory(Access access, Batch batch) {
        long metadata = access.imageOffset();
        long dropped = Timestamp.NONE;
        for (int slot = MvccLayout.oldestSlotAfter(buffers, metadata, historySlots, dropped);
                slot != MvccLayout.NO_SLOT;
                slot = MvccLayout.oldestSlotAfter(buffers, metadata, historySlots, dropped)) {
            batch.writeWord(Timestamp.NONE, access.tupleAddress() + MvccLayout.wtsOffset(slot));
            dropped = buffers.getLong(metadata + MvccLayout.wtsOffset(slot));
        }
    }

    /** Writes the record and its checksum, which covers the key as well: the image of a record that was read by RPC lacks the key. */
    private void writeRecord(Access access, Batch batch) {
        TupleLayout t = access.layout();
        long image = access.imageOffset();
        buffers.copy(access.identityOffset(), buffers, image + t.identityOffset(), t.identityBytes());
        t.putChecksum(buffers, image, txn.commitTs());
        batch.write(image + t.contentOffset(), t.contentBytes(), access.tupleAddress() + t.contentOffset());
    }
}
