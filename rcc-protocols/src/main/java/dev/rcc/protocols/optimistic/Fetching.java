package dev.rcc.protocols.optimistic;

import dev.rcc.core.fabric.Batch;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.RemoteAddress;
import dev.rcc.core.protocol.Primitive;
import dev.rcc.core.store.AddressCache;
import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.BufferSlice;
import dev.rcc.core.txn.Transaction;
import dev.rcc.protocols.common.Batches;
import dev.rcc.protocols.common.Calls;
import dev.rcc.protocols.common.IndexProbe;
import dev.rcc.protocols.common.KeyItem;
import dev.rcc.protocols.common.LockAndVersion;
import dev.rcc.protocols.optimistic.ReadEntry.Step;

/**
 * The fetch stage: reads tuples without locking them, or finds that a key has none. A returned tuple was whole and of one version when it was read.
 * Later stages check whether it still holds at commit.
 *
 * <p><b>Why a tuple is whole.</b> A READ's bytes come in any order while a transaction may write them, and the result of one READ proves nothing
 * about the time of another. So the tuple itself proves it: its checksum covers the identity, the version and the record that an installer has
 * written together ({@link dev.rcc.core.store.TupleLayout}). If the checksum fits the bytes of a READ, all of them are of the version v that is among
 * them. An installer holds the lock, with its mark where the protocol has one, writes the record with its checksum, writes the version, unlocks, each
 * ordered after the last. The lock word is read no later than the version ({@link LockAndVersion}): a word that shows no installer was there when v,
 * or a version before v, was. Validation, which reads the lock word and then the version once more, extends this: the tuple is as it was read, up to
 * that moment.
 *
 * <p><b>A blind write</b> reads only the bytes before the record, which have no checksum, and so finds that the key has a record. One-sided, the
 * identity and version may be of different keys that had the slot one after the other. Locking compares the identity; {@link Identities} does where
 * the attempt ends before it locks.
 *
 * <p><b>Why a missing key is missing.</b> A transaction that inserts or deletes the key marks its leaf (or holds it, where that is the mark) before
 * it changes tuple and index entry, then writes the leaf's version, then unlocks it. The reader reads the leaf's version; in a batch after that all
 * the buckets, and the tuples to which these lead; in a batch after that the leaf's lock word and then its version. If the versions are equal and the
 * leaf is not marked, the key was absent all the while. A key that is deleted and inserted again into another slot changes the leaf twice, and a
 * transaction that has its old address finds another identity, or none, there. The number of overflow segments that the key may be in is the leaf's
 * depth as the last of these batches reads it. That is no less than the depth when the version was written: if READ_ALL has searched fewer segments,
 * it searches again. The depth that the first batch reads may be older than the version; it saves most readers the second search.
 *
 * <p>One-sided, each round appends the work requests of every unfinished entry's step to the batch of its node, and one
 * await collects all:
 *
 * <pre>
 *   cached address --&gt; READ_TUPLE --(the wanted key)--&gt; DONE
 *                      ^    |  \--(a transaction installs)--&gt; READ_TUPLE again
 *                      |    +-----(another key: search on; from the cache: READ_HOME)
 *                      |
 *   READ_HOME --&gt; READ_ALL --(not found)--&gt; READ_LEAF --(leaf unchanged)--&gt; DONE
 *       ^                                       |
 *       +------------(leaf changed)-------------+   (deeper: READ_ALL)
 * </pre>
 *
 * READ_ALL reads the home bucket again: READ_HOME may have read it before the leaf's version. A tuple that a transaction is writing is read a few
 * times more, a round trip apart, before that counts as a conflict.
 */
public final class Fetching {
    private static final int MAX_RETRIES = 4;

    // An entry's scratch: the lock word where a CAS reads it, the leaf's version and depth, its lock word, version and
    // depth afterwards, buckets.
    private static final int LOCK_WORD = 0;
    private static final int LEAF_STATE = 8;
    private static final int LEAF_AFTER = LEAF_STATE + IndexProbe.LEAF_STATE_BYTES;
    private static final int BUCKETS = LEAF_AFTER + LockAndVersion.BYTES;

    private final Transaction txn;
    private final ReadSet reads;
    private final LockRules rules;
    private final Primitive primitive;
    private final Memory buffers;
    private final AddressCache addresses;
    private final Batches batches;
    private final Calls calls;
    private final IndexProbe probe;
    private final int metadataBytes;

    /** The fetch stage of {@code txn}'s coroutine. */
    public Fetching(StageContext context, Primitive primitive) {
        this.txn = context.txn();
        this.reads = context.reads();
        this.rules = context.rules();
        this.primitive = primitive;
        this.buffers = context.worker().buffers();
        this.addresses = context.worker().addresses();
        this.batches = context.batches();
        this.calls = context.calls();
        this.probe = new IndexProbe(buffers);
        this.metadataBytes = rules.metadataBytes();
    }

    /**
     * Fetches the entries from number {@code first} on that have not been fetched.
     *
     * @return true if all are fetched; false if the attempt must abort, with the reason set
     */
    public boolean fetch(int first) {
        return primitive == Primitive.RPC ? fetchByRpc(first) : fetchOneSided(first);
    }

    private void countRetry(ReadEntry entry) {
        if (++entry.retries > MAX_RETRIES) {
            txn.abort(AbortReason.LOCK_CONFLICT);
        }
    }

    // ---- by RPC ----------------------------------------------------------------------------------------------------

    private boolean fetchByRpc(int first) {
        BufferSlice buffer = txn.buffer();
        long messages = buffer.allocate(0);
        while (layOutUnfinished(first)) {
            if (calls.callAndAwait(OptimisticParticipant.FETCH, txn.completion())) {
                for (int i = 0; i < calls.targets(); i++) {
                    readReply(first, calls.target(i));
                }
            } else {
                txn.abort(AbortReason.PEER_UNREACHABLE);
            }
            calls.clear();
            buffer.giveBack(messages);
        }
        return txn.abortReason() == null;
    }

    private boolean layOutUnfinished(int first) {
        for (int i = first; i < reads.size() && txn.abortReason() == null; i++) {
            Access access = reads.entry(i).access;
            if (reads.entry(i).step != Step.DONE) {
                calls.measure(
                        access.node(),
                        KeyItem.bytes(access.layout()),
                        FetchMessage.replyBytes(access.layout(), access.intent()));
            }
        }
        if (calls.isEmpty()) {
            return false;
        }
        calls.begin(txn.id());
        for (int i = first; i < reads.size(); i++) {
            Access access = reads.entry(i).access;
            if (reads.entry(i).step != Step.DONE) {
                long item = calls.item(access.node(), KeyItem.bytes(access.layout()));
                FetchMessage.encode(buffers, item, access);
            }
        }
        return true;
    }

    private void readReply(int first, int node) {
        long item = calls.replyOffset(node) + Memory.WORD_BYTES;
        for (int i = first; i < reads.size(); i++) {
            ReadEntry entry = reads.entry(i);
            if (entry.access.node() == node && entry.step != Step.DONE) {
                decode(item, entry);
                item += FetchMessage.replyBytes(entry.access.layout(), entry.access.intent());
            }
        }
    }

    private void decode(long item, ReadEntry entry) {
        Access access = entry.access;
        long image = access.imageOffset();
        long reply = FetchMessage.imageOffset(item);
        switch (FetchMessage.result(buffers, item)) {
            case FetchMessage.FOUND -> {
                FetchMessage.takeFound(buffers, item, access);
                entry.foundTuple(buffers.getLong(image + access.layout().versionOffset()), buffers.getLong(image));
            }
            case FetchMessage.ABSENT -> {
                buffers.copy(reply, buffers, image, metadataBytes);
                entry.foundNothing(
                        IndexProbe.leafAddress(access),
                        FetchMessage.leafVersion(buffers, item),
                        buffers.getLong(image));
            }
            default -> countRetry(entry);
        }
    }

    // ---- one-sided -------------------------------------------------------------------------------------------------

    private boolean fetchOneSided(int first) {
        long mark = txn.buffer().allocate(0);
        for (int i = first; i < reads.size(); i++) {
            if (reads.entry(i).step != Step.DONE) {
                start(reads.entry(i));
            }
        }
        while (postRound(first)) {
            if (!txn.completion().await()) {
                txn.abort(AbortReason.PEER_UNREACHABLE);
                return false;
            }
            for (int i = first; i < reads.size(); i++) {
                if (reads.entry(i).posted) {
                    takeIn(reads.entry(i));
                }
            }
        }
        txn.buffer().giveBack(mark);
        return txn.abortReason() == null;
    }

    private void start(ReadEntry entry) {
        Access access = entry.access;
        int depth = addresses.depth(access.table().id());
        entry.scratch = txn.buffer().allocate(BUCKETS + IndexProbe.bytes(depth));
        entry.buckets.place(entry.scratch + BUCKETS, depth);
        long cached = addresses.get(access.table().id(), access.keyHash());
        if (cached != RemoteAddress.NONE) {
            entry.fromCache = true;
            access.tupleAddress(cached);
            entry.step = Step.READ_TUPLE;
        }
    }

    private boolean postRound(int first) {
        if (txn.abortReason() != null) {
            return false;
        }
        boolean any = false;
        for (int i = first; i < reads.size(); i++) {
            ReadEntry entry = reads.entry(i);
            entry.posted = entry.step != Step.DONE;
            if (entry.posted) {
                appendAtomics(entry, batches.to(entry.access.node()));
                any = true;
            }
        }
        for (int i = first; i < reads.size(); i++) {
            ReadEntry entry = reads.entry(i);
            if (entry.posted) {
                appendReads(entry, batches.to(entry.access.node()));
            }
        }
        if (any) {
            batches.post(txn.completion());
        }
        return any;
    }

    private void appendAtomics(ReadEntry entry, Batch batch) {
        Access access = entry.access;
        if (entry.step == Step.READ_TUPLE) {
            LockAndVersion.first(batch, access.tupleAddress(), tupleVersionAddress(access), entry.scratch + LOCK_WORD);
        } else if (entry.step == Step.READ_LEAF) {
            LockAndVersion.first(
                    batch,
                    IndexProbe.leafAddress(access),
                    IndexProbe.leafVersionAddress(access),
                    entry.scratch + LEAF_AFTER);
        }
    }

    private void appendReads(ReadEntry entry, Batch batch) {
        Access access = entry.access;
        switch (entry.step) {
            case READ_TUPLE -> batch.read(access.tupleAddress(), access.fetchedBytes(), access.imageOffset());
            case READ_HOME -> {
                IndexProbe.readLeafState(batch, access, entry.scratch + LEAF_STATE);
                entry.buckets.readHome(batch, access);
            }
            case READ_ALL -> entry.buckets.readAll(batch, access);
            case READ_LEAF ->
                LockAndVersion.then(
                        batch,
                        IndexProbe.leafAddress(access),
                        IndexProbe.leafVersionAddress(access),
                        access.table().layout().leafStateBytes(),
                        entry.scratch + LEAF_AFTER);
            case DONE -> throw new IllegalStateException("nothing is left to do");
        }
    }

    private static long tupleVersionAddress(Access access) {
        return access.tupleAddress() + access.layout().versionOffset();
    }

    private void takeIn(ReadEntry entry) {
        switch (entry.step) {
            case READ_TUPLE -> takeInTuple(entry);
            case READ_HOME -> {
                deepen(entry, entry.scratch + LEAF_STATE);
                search(entry);
            }
            case READ_ALL -> search(entry);
            case READ_LEAF -> takeInLeaf(entry);
            case DONE -> throw new IllegalStateException("nothing was posted");
        }
    }

    private void takeInTuple(ReadEntry entry) {
        Access access = entry.access;
        if (access.imageHasIdentity()) {
            long lockWord = tupleLockWord(entry);
            boolean whole = access.isBlind() || access.layout().isWhole(buffers, access.imageOffset());
            if (whole && rules.isReadable(lockWord, txn.id())) {
                addresses.put(access.table().id(), access.keyHash(), access.tupleAddress());
                entry.foundTuple(
                        buffers.getLong(access.imageOffset() + access.layout().versionOffset()), lockWord);
            } else {
                countRetry(entry);
            }
        } else if (entry.fromCache) {
            entry.fromCache = false;
            addresses.remove(access.table().id(), access.keyHash());
            entry.step = Step.READ_HOME;
        } else {
            search(entry);
        }
    }

    private long tupleLockWord(ReadEntry entry) {
        Access access = entry.access;
        boolean inOneLine = LockAndVersion.inOneLine(access.tupleAddress(), tupleVersionAddress(access));
        return buffers.getLong(inOneLine ? access.imageOffset() : entry.scratch + LOCK_WORD);
    }

    /** Goes on looking for the key in the buckets that have been read, and takes the next step. */
    private void search(ReadEntry entry) {
        int place = entry.buckets.findNext(probe, entry.access);
        if (place != IndexProbe.NOWHERE) {
            entry.access.tupleAddress(IndexProbe.tupleAddress(entry.access, place));
            entry.step = Step.READ_TUPLE;
        } else {
            entry.step = entry.buckets.covers(0) ? Step.READ_LEAF : Step.READ_ALL;
        }
    }

    /** Makes READ_ALL read the segments up to a leaf's depth, which lies behind its version. No work request is under way, and no lock is held. */
    private void deepen(ReadEntry entry, long leafState) {
        int depth = IndexProbe.leafDepth(entry.access.table().layout(), buffers, leafState);
        entry.buckets.deepen(depth, txn.buffer());
        addresses.deepen(entry.access.table().id(), depth);
    }

    private void takeInLeaf(ReadEntry entry) {
        long leaf = IndexProbe.leafAddress(entry.access);
        long lockWord = buffers.getLong(entry.scratch + LEAF_AFTER);
        long state =
                LockAndVersion.version(leaf, IndexProbe.leafVersionAddress(entry.access), entry.scratch + LEAF_AFTER);
        long version = buffers.getLong(state);
        if (version == buffers.getLong(entry.scratch + LEAF_STATE) && rules.isReadable(lockWord, txn.id())) {
            deepen(entry, state);
            if (entry.buckets.covers(entry.buckets.depth())) {
                entry.foundNothing(leaf, version, lockWord);
            } else {
                entry.step = Step.READ_ALL;
            }
        } else {
            entry.step = Step.READ_HOME;
            countRetry(entry);
        }
    }
}
