package dev.rcc.protocols.optimistic;

import dev.rcc.core.fabric.Batch;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.RemoteAddress;
import dev.rcc.core.protocol.Primitive;
import dev.rcc.core.protocol.WorkerContext;
import dev.rcc.core.store.AddressCache;
import dev.rcc.core.store.TableLayout;
import dev.rcc.core.store.TupleLayout;
import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.BufferSlice;
import dev.rcc.core.txn.Transaction;
import dev.rcc.protocols.common.Batches;
import dev.rcc.protocols.common.Calls;
import dev.rcc.protocols.common.IndexProbe;
import dev.rcc.protocols.optimistic.ReadEntry.Step;

/**
 * The fetch stage: reads tuples without locking them, or finds that a key has none. What it returns was whole and of one
 * version when it was read. Whether it still holds at commit is for later stages to find out.
 *
 * <p><b>Why a tuple is whole.</b> A READ of more than 8 bytes may be torn, and so may the write of a record. An installer
 * <i>(w1)</i> holds the lock, with its mark where the protocol has one, <i>(w2)</i> writes the record, <i>(w3)</i> writes
 * the version, <i>(w4)</i> unlocks, each ordered after the last. A reader <i>(r1)</i> reads the version, <i>(r2)</i> reads
 * the tuple, <i>(r3)</i> reads the lock word, <i>(r4)</i> reads the version, in this order, in one batch; it accepts if r3
 * finds no installer and r1 and r4 find the same version v. Suppose that r2 meets a byte of an installation whose version
 * is not v, or misses one of v's.
 * <ul>
 *   <li>An installation that had written its version (w3) by r1 had written all of its record (w2) before r2 began. As
 *       versions only grow and r1 found v, v's is the last of these.
 *   <li>So the byte is of an installation that writes its version after r1 and some of its record before r2 ends. At r3
 *       either it has not unlocked: then the lock word shows the mark, and the reader does not accept. Or it has: then it
 *       has written its version between r1 and r4, which therefore differ, since versions only grow.
 * </ul>
 * Nothing in this needs r3's answer before r2; and validation, which looks at the lock word and then at the version once
 * more, extends it: what was read is what is there, up to that moment.
 *
 * <p><b>Why a missing key is missing.</b> Its leaf plays the part of the tuple: whoever inserts or deletes the key marks the
 * leaf (or holds it, where that is the mark) before it changes tuple and index entry, then writes the leaf's version, then
 * unlocks it. The reader reads the leaf's version before the buckets, and the leaf's lock word and version after the buckets
 * and after all tuples that these made it look at. If the versions are equal and the leaf is not marked, the key was absent
 * all the while. A key that is deleted and inserted again into another slot changes the leaf twice, and whoever has its old
 * address finds another identity, or none, there.
 *
 * <p>One-sided, each round appends the work requests of every unfinished entry's step to the batch of its node, and one
 * await collects all:
 *
 * <pre>
 *   cached address --&gt; READ_TUPLE --(the wanted key)--&gt; DONE
 *                      ^    |  \--(somebody installs)--&gt; READ_TUPLE again
 *                      |    +-----(another key: search on; from the cache: READ_HOME)
 *                      |
 *   READ_HOME --&gt; READ_ALTERNATES --(not found)--&gt; (READ_LEAF, if a tuple was looked at) --(leaf unchanged)--&gt; DONE
 *       ^                                                                                         |
 *       +----------------------------------------------------(leaf changed)-----------------------+
 * </pre>
 *
 * What somebody is writing is read a few times more, a round trip apart, before that counts as a conflict.
 */
public final class Fetching {
    private static final int MAX_RETRIES = 4;

    // An entry's scratch: versions before and after, buckets, metadata of the tuple, metadata of the leaf.
    private static final int TUPLE_BEFORE = 0;
    private static final int TUPLE_AFTER = 8;
    private static final int LEAF_BEFORE = 16;
    private static final int LEAF_AFTER = 24;
    private static final int BUCKETS = 32;
    private static final int TUPLE_METADATA = BUCKETS + IndexProbe.BYTES;

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
    public Fetching(WorkerContext context, Transaction txn, ReadSet reads, LockRules rules, Primitive primitive) {
        int nodes = context.catalog().placement().nodes();
        this.txn = txn;
        this.reads = reads;
        this.rules = rules;
        this.primitive = primitive;
        this.buffers = context.buffers();
        this.addresses = context.addresses();
        this.batches = new Batches(context.endpoint(), nodes);
        this.calls = new Calls(context.endpoint(), txn.buffer(), nodes);
        this.probe = new IndexProbe(buffers);
        this.metadataBytes = rules.metadataBytes();
    }

    /**
     * Fetches from the entry with number {@code first} on what has not been fetched.
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
                        FetchMessage.requestBytes(access.layout()),
                        FetchMessage.replyBytes(access.layout()));
            }
        }
        if (calls.isEmpty()) {
            return false;
        }
        calls.begin(txn.id());
        for (int i = first; i < reads.size(); i++) {
            Access access = reads.entry(i).access;
            if (reads.entry(i).step != Step.DONE) {
                long item = calls.item(access.node(), FetchMessage.requestBytes(access.layout()));
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
                item += FetchMessage.replyBytes(entry.access.layout());
            }
        }
    }

    private void decode(long item, ReadEntry entry) {
        Access access = entry.access;
        long image = access.imageOffset();
        long reply = FetchMessage.imageOffset(item);
        switch (FetchMessage.result(buffers, item)) {
            case FetchMessage.FOUND -> {
                buffers.copy(reply, buffers, image, access.layout().tupleBytes());
                access.tupleAddress(access.table()
                        .address(access.node(), access.partition(), FetchMessage.tupleOffset(buffers, item)));
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
        entry.scratch = txn.buffer().allocate(TUPLE_METADATA + 2 * metadataBytes);
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
                append(entry, batches.to(entry.access.node()));
                any = true;
            }
        }
        if (any) {
            batches.post(txn.completion());
        }
        return any;
    }

    private void append(ReadEntry entry, Batch batch) {
        Access access = entry.access;
        long copies = entry.scratch + BUCKETS;
        switch (entry.step) {
            case READ_TUPLE -> {
                TupleLayout t = access.layout();
                long tuple = access.tupleAddress();
                batch.read(tuple + t.versionOffset(), Memory.WORD_BYTES, entry.scratch + TUPLE_BEFORE)
                        .read(tuple, t.tupleBytes(), access.imageOffset());
                readMetadata(batch, tuple, entry.scratch + TUPLE_METADATA);
                batch.read(tuple + t.versionOffset(), Memory.WORD_BYTES, entry.scratch + TUPLE_AFTER);
            }
            case READ_HOME -> {
                batch.read(leafVersionAddress(access), Memory.WORD_BYTES, entry.scratch + LEAF_BEFORE);
                IndexProbe.read(batch, access, 0, 1, copies);
                entry.bucketsRead = 1;
            }
            case READ_ALTERNATES -> {
                IndexProbe.read(batch, access, 1, TableLayout.CHOICES, copies);
                entry.bucketsRead = TableLayout.CHOICES;
                readLeaf(entry, batch);
            }
            case READ_LEAF -> readLeaf(entry, batch);
            case DONE -> throw new IllegalStateException("nothing is left to do");
        }
    }

    private void readLeaf(ReadEntry entry, Batch batch) {
        readMetadata(batch, IndexProbe.leafAddress(entry.access), entry.scratch + TUPLE_METADATA + metadataBytes);
        batch.read(leafVersionAddress(entry.access), Memory.WORD_BYTES, entry.scratch + LEAF_AFTER);
        entry.leafOutdated = false;
    }

    /** Word by word: the lock word must be read in one piece, and first. */
    private void readMetadata(Batch batch, long address, long target) {
        for (int i = 0; i < metadataBytes; i += Memory.WORD_BYTES) {
            batch.read(address + i, Memory.WORD_BYTES, target + i);
        }
    }

    private static long leafVersionAddress(Access access) {
        return IndexProbe.leafAddress(access) + access.table().layout().leafVersionOffset();
    }

    private void takeIn(ReadEntry entry) {
        switch (entry.step) {
            case READ_TUPLE -> takeInTuple(entry);
            case READ_HOME -> search(entry, 0);
            case READ_ALTERNATES -> search(entry, TableLayout.BUCKET_ENTRIES);
            case READ_LEAF -> takeInLeaf(entry);
            case DONE -> throw new IllegalStateException("nothing was posted");
        }
    }

    private void takeInTuple(ReadEntry entry) {
        Access access = entry.access;
        if (access.imageHasIdentity()) {
            long version = buffers.getLong(entry.scratch + TUPLE_BEFORE);
            if (version == buffers.getLong(entry.scratch + TUPLE_AFTER) && isReadable(entry, TUPLE_METADATA)) {
                copyMetadata(entry, TUPLE_METADATA);
                addresses.put(access.table().id(), access.keyHash(), access.tupleAddress());
                entry.foundTuple(version, buffers.getLong(access.imageOffset()));
            } else {
                countRetry(entry);
            }
        } else if (entry.fromCache) {
            entry.fromCache = false;
            addresses.remove(access.table().id(), access.keyHash());
            entry.step = Step.READ_HOME;
        } else {
            entry.leafOutdated = true;
            search(entry, entry.searchFrom);
        }
    }

    /** Looks for the key in the buckets that have been read, and takes the next step. */
    private void search(ReadEntry entry, int from) {
        int place = probe.find(entry.access, entry.scratch + BUCKETS, from, entry.bucketsRead);
        if (place != IndexProbe.NOWHERE) {
            entry.searchFrom = place + 1;
            entry.access.tupleAddress(IndexProbe.tupleAddress(entry.access, place));
            entry.step = Step.READ_TUPLE;
        } else if (entry.bucketsRead < TableLayout.CHOICES) {
            entry.step = Step.READ_ALTERNATES;
        } else if (entry.leafOutdated) {
            entry.step = Step.READ_LEAF;
        } else {
            takeInLeaf(entry);
        }
    }

    private void takeInLeaf(ReadEntry entry) {
        int metadata = TUPLE_METADATA + metadataBytes;
        long version = buffers.getLong(entry.scratch + LEAF_BEFORE);
        if (version == buffers.getLong(entry.scratch + LEAF_AFTER) && isReadable(entry, metadata)) {
            copyMetadata(entry, metadata);
            entry.foundNothing(
                    IndexProbe.leafAddress(entry.access), version, buffers.getLong(entry.access.imageOffset()));
        } else {
            entry.step = Step.READ_HOME;
            countRetry(entry);
        }
    }

    private boolean isReadable(ReadEntry entry, int metadata) {
        return rules.isReadable(buffers.getLong(entry.scratch + metadata), txn.id());
    }

    /** The image's own metadata were read with the record, which says nothing about their order. */
    private void copyMetadata(ReadEntry entry, int metadata) {
        buffers.copy(entry.scratch + metadata, buffers, entry.access.imageOffset(), metadataBytes);
    }
}
