package dev.rcc.protocols.optimistic;

import dev.rcc.core.fabric.Batch;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.protocol.Primitive;
import dev.rcc.core.store.IndexEntry;
import dev.rcc.core.store.TupleLayout;
import dev.rcc.core.time.Timestamp;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Intent;
import dev.rcc.core.txn.Transaction;
import dev.rcc.core.txn.TransactionTooLarge;
import dev.rcc.protocols.common.Batches;
import dev.rcc.protocols.common.Calls;
import dev.rcc.protocols.common.IndexProbe;
import dev.rcc.protocols.common.InstallMessage;
import dev.rcc.protocols.common.PeerRetry;
import dev.rcc.protocols.common.RemoteWord;

/**
 * The commit stage, which installs the write set and unlocks it, or the release stage, which only drops the locks. An installation marks the
 * tuple, writes the record, writes the version, unlocks, each ordered after the last: readers without locks rely on it ({@link Fetching}).
 * Leaves are marked before the tuples whose coming or going they announce, and written after them.
 */
public final class Finishing {
    private final Transaction txn;
    private final WriteSet writes;
    private final LockRules rules;
    private final InstallMessage format;
    private final Primitive primitive;
    private final boolean commits;
    private final Memory buffers;
    private final Batches batches;
    private final Calls calls;
    private final PeerRetry retry;
    private final RemoteWord word;
    private final int nodes;
    private final int callBytes;
    private final PeerRetry.Debt finishAgain = this::finishAgain;

    /** The commit stage of {@code txn}'s coroutine if {@code commits}, otherwise the release stage. */
    public Finishing(StageContext context, Primitive primitive, boolean commits) {
        this.txn = context.txn();
        this.writes = context.writes();
        this.rules = context.rules();
        this.format = FinishWords.format(rules);
        this.primitive = primitive;
        this.commits = commits;
        this.buffers = context.worker().buffers();
        this.batches = context.batches();
        this.calls = context.calls();
        this.retry = new PeerRetry(context.worker(), txn);
        this.word = new RemoteWord(context.worker(), txn);
        this.nodes = context.worker().catalog().placement().nodes();
        this.callBytes = context.worker().endpoint().maxCallBytes();
    }

    /**
     * Checks, before records of the write set are locked, that the release stage will have the room to drop these locks, whatever the attempt's
     * outcome: by RPC, one message to each node has to name all locks there.
     *
     * @throws TransactionTooLarge when it will not
     */
    public void checkReleasable() {
        if (primitive != Primitive.RPC) {
            return;
        }
        long all = Math.min(nodes, writes.size()) * (long) (Calls.HEADER_BYTES + Memory.WORD_BYTES);
        for (int i = 0; i < writes.size(); i++) {
            all += unlockBytes(writes.entry(i));
        }
        if (all > txn.buffer().size()) {
            throw new TransactionTooLarge(
                    "the messages that drop a transaction's locks",
                    all,
                    txn.buffer().size(),
                    "access fewer keys, raise buffer-bytes, or release one-sided");
        }
        for (int node = 0; all > callBytes && node < nodes; node++) {
            long bytes = Calls.HEADER_BYTES;
            for (int i = 0; i < writes.size(); i++) {
                bytes += writes.entry(i).access().node() == node ? unlockBytes(writes.entry(i)) : 0;
            }
            calls.checkReleasable(node, bytes, "access fewer keys", "release one-sided");
        }
    }

    /** Most bytes that the locks for an entry take in a message: that of a tuple or slot, and that of the leaf of a key that comes or goes. */
    private int unlockBytes(WriteEntry entry) {
        Intent declared = entry.access().declaredIntent();
        return declared == Intent.INSERT || declared == Intent.DELETE ? 2 * format.bytes() : format.bytes();
    }

    /**
     * Makes room for the stage's messages. A commit does it before the transaction is decided, since afterwards it must not
     * run out of room.
     */
    public void prepare() {
        calls.clear();
        if (primitive == Primitive.RPC) {
            for (int i = 0; i < writes.size(); i++) {
                WriteEntry entry = writes.entry(i);
                if (entry.isHeld()) {
                    calls.measure(
                            entry.access().node(),
                            format.bytes(action(entry), entry.access().layout()),
                            0);
                }
            }
            for (int i = 0; i < writes.leaves(); i++) {
                WriteLeaf leaf = writes.leaf(i);
                if (isMarked(leaf)) {
                    calls.measure(leaf.node(), format.bytes(), 0);
                }
                if (leaf.isHeld()) {
                    calls.measure(leaf.node(), format.bytes(), 0);
                }
            }
        }
        calls.begin(txn.id());
    }

    /**
     * Drops all locks, in a commit after installing the writes. {@link #prepare} was called before. Afterwards this is done on every node
     * of the configuration.
     */
    public void finish() {
        awaitAges();
        for (int i = 0; i < writes.leaves(); i++) {
            if (isMarked(writes.leaf(i))) {
                mark(writes.leaf(i));
            }
        }
        for (int i = 0; i < writes.size(); i++) {
            if (writes.entry(i).isHeld()) {
                finish(writes.entry(i));
            }
        }
        for (int i = 0; i < writes.leaves(); i++) {
            if (writes.leaf(i).isHeld()) {
                finish(writes.leaf(i));
            }
        }
        batches.postAtOnce(txn.completion());
        calls.call(OptimisticParticipant.FINISH, txn.completion());
        if (!txn.completion().await()) {
            retry.settleFailed(finishAgain);
        }
        calls.clear();
    }

    /**
     * An age that arrives when its lock has been dropped would pass for that of the next holder's predecessor, and hide the next holder's
     * own: two that wait for each other would then both take themselves for the older. Mostly some stage has waited since the ages were
     * written, and this costs nothing. One that was lost does not matter any more.
     */
    private void awaitAges() {
        if (rules.agesHolders()) {
            txn.completion().await();
        }
    }

    /**
     * Once more on one node, where all, some or nothing of it was done. A participant carries a call out as a whole, and only what is
     * still locked. One-sided, a lock that is still there has not been dropped, and what is installed before that can be installed again.
     */
    private boolean finishAgain(int node) {
        if (primitive == Primitive.RPC) {
            if (calls.isTarget(node)) {
                calls.call(node, OptimisticParticipant.FINISH, txn.completion());
            }
            return txn.completion().await();
        }
        boolean reached = true;
        for (int i = 0; i < writes.leaves() && reached; i++) {
            reached = markAgain(node, writes.leaf(i));
        }
        for (int i = 0; i < writes.size() && reached; i++) {
            reached = finishAgain(node, writes.entry(i));
        }
        for (int i = 0; i < writes.leaves() && reached; i++) {
            reached = finishAgain(node, writes.leaf(i));
        }
        batches.post(txn.completion());
        return txn.completion().await() && reached;
    }

    private boolean markAgain(int node, WriteLeaf leaf) {
        if (!isMarked(leaf) || leaf.node() != node) {
            return true;
        }
        if (!word.read(leaf.address())) {
            return false;
        }
        if (holds(leaf.held)) {
            mark(leaf);
        }
        return true;
    }

    private boolean finishAgain(int node, WriteLeaf leaf) {
        if (!leaf.isHeld() || leaf.node() != node) {
            return true;
        }
        if (!word.read(leaf.address())) {
            return false;
        }
        if (holds(leaf.held)) {
            finish(leaf);
        }
        return true;
    }

    private boolean finishAgain(int node, WriteEntry entry) {
        if (!entry.isHeld() || entry.access().node() != node) {
            return true;
        }
        if (!word.read(entry.access().tupleAddress())) {
            return false;
        }
        if (holds(entry.held)) {
            finish(entry);
            return true;
        }
        return entry.freeIndexEntryAgain(word, isInstalled(entry), rules);
    }

    /** Whether the word that was just read shows that a lock that was held with the word {@code held} still is. */
    private boolean holds(long held) {
        return word.found() == held || (commits && word.found() == rules.installing(held));
    }

    /** Whether a commit installs the entry: its record may have been locked to be written, and not been written. */
    private boolean isInstalled(WriteEntry entry) {
        return commits && entry.isInstalled();
    }

    private boolean isInstalled(WriteLeaf leaf) {
        return commits && leaf.isWritten();
    }

    private int action(WriteEntry entry) {
        return isInstalled(entry)
                ? InstallMessage.action(entry.access())
                : entry.isReserved() ? InstallMessage.UNRESERVE : InstallMessage.UNLOCK;
    }

    private int action(WriteLeaf leaf) {
        return isInstalled(leaf) ? InstallMessage.WRITE_LEAF : InstallMessage.UNLOCK;
    }

    private long left(long held, boolean isInstalled) {
        return isInstalled ? rules.committed(held, txn.commitTs()) : rules.released(held, txn.commitTs());
    }

    private void finish(WriteEntry entry) {
        Access access = entry.access();
        if (primitive == Primitive.RPC) {
            int action = action(entry);
            long item = calls.item(access.node(), format.bytes(action, access.layout()));
            encodeWords(item, entry.held, isInstalled(entry));
            if (isInstalled(entry)) {
                format.encodeWrite(buffers, item, access, txn.commitTs());
                FinishWords.encodeMetadata(buffers, item, access, rules);
            } else {
                format.encode(buffers, item, action, access.tupleAddress(), Timestamp.NONE);
            }
        } else if (isInstalled(entry)) {
            install(entry, batches.to(access.node()));
        } else {
            Batch batch = batches.to(access.node()).writeWord(left(entry.held, false), access.tupleAddress());
            if (entry.isReserved()) {
                batch.writeWord(IndexEntry.EMPTY, IndexProbe.entryOfTuple(access));
            }
        }
    }

    private void finish(WriteLeaf leaf) {
        if (primitive == Primitive.RPC) {
            long item = calls.item(leaf.node(), format.bytes());
            encodeWords(item, isMarked(leaf) ? rules.installing(leaf.held) : leaf.held, isInstalled(leaf));
            long version = isInstalled(leaf) ? txn.commitTs() : Timestamp.NONE;
            format.encode(buffers, item, action(leaf), leaf.address(), version);
        } else {
            Batch batch = batches.to(leaf.node());
            if (isInstalled(leaf)) {
                batch.writeWord(txn.commitTs(), leaf.versionAddress());
            }
            batch.writeWord(left(leaf.held, isInstalled(leaf)), leaf.address());
        }
    }

    /** Whether a leaf gets a mark of its own before anything below it changes: under other rules, holding it is the mark. */
    private boolean isMarked(WriteLeaf leaf) {
        return isInstalled(leaf) && leaf.isHeld() && rules.installing(leaf.held) != leaf.held;
    }

    private void mark(WriteLeaf leaf) {
        if (primitive == Primitive.RPC) {
            long item = calls.item(leaf.node(), format.bytes());
            encodeWords(item, leaf.held, true);
            format.encode(buffers, item, InstallMessage.MARK_LEAF, leaf.address(), Timestamp.NONE);
        } else {
            mark(batches.to(leaf.node()), leaf.address(), leaf.held);
        }
    }

    private void encodeWords(long item, long held, boolean isInstalled) {
        long installing = isInstalled ? rules.installing(held) : held;
        FinishWords.encode(buffers, item, held, left(held, isInstalled), installing);
    }

    private void install(WriteEntry entry, Batch batch) {
        Access access = entry.access();
        TupleLayout t = access.layout();
        long tuple = access.tupleAddress();
        mark(batch, tuple, entry.held);
        if (rules.installedMetadataBytes() > 0) {
            batch.write(
                    access.imageOffset() + Memory.WORD_BYTES,
                    rules.installedMetadataBytes(),
                    tuple + Memory.WORD_BYTES);
        }
        switch (access.intent()) {
            case UPDATE, WRITE -> writeRecord(access, batch);
            case INSERT -> {
                batch.write(access.identityOffset(), t.identityBytes(), tuple + t.identityOffset());
                writeRecord(access, batch);
            }
            case DELETE -> batch.writeWord(0, tuple + t.identityOffset());
            case READ -> throw new IllegalStateException("a read installs nothing");
        }
        batch.writeWord(txn.commitTs(), tuple + t.versionOffset());
        switch (access.intent()) {
            case INSERT ->
                batch.writeWord(IndexEntry.live(access.keyHash()), IndexProbe.entryOfTuple(access))
                        .writeWord(left(entry.held, true), tuple);
            case DELETE -> // the entry last: the slot is free for other keys from there on
                batch.writeWord(left(entry.held, true), tuple)
                        .writeWord(IndexEntry.EMPTY, IndexProbe.entryOfTuple(access));
            default -> batch.writeWord(left(entry.held, true), tuple);
        }
    }

    /** Writes the record and its checksum, which covers the key as well: the image may lack the key. */
    private void writeRecord(Access access, Batch batch) {
        TupleLayout t = access.layout();
        long image = access.imageOffset();
        buffers.copy(access.identityOffset(), buffers, image + t.identityOffset(), t.identityBytes());
        t.putChecksum(buffers, image, txn.commitTs());
        batch.write(image + t.contentOffset(), t.contentBytes(), access.tupleAddress() + t.contentOffset());
    }

    private void mark(Batch batch, long address, long held) {
        if (rules.installing(held) != held) {
            batch.writeWord(rules.installing(held), address);
        }
    }
}
