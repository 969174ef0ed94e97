package dev.rcc.protocols.calvin;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.RemoteAddress;
import dev.rcc.core.protocol.NodeShape;
import dev.rcc.core.store.Catalog;
import dev.rcc.core.time.Timestamp;
import dev.rcc.core.txn.BufferSlice;

/**
 * CALVIN's shared memory on every node, in the buffers region behind the buffers of the coroutines: places that every peer
 * can compute (rcc, 4.6). Locks are not here, nor in the tuples, which have no metadata: they belong to the workers'
 * {@link LockTable}s.
 *
 * <pre>
 * +-------------------------------------+------------------------+----------------+
 * | batches: nodes * workers sequencers | finished: a word for   | dead: a word   |
 * | * 2 slots of batchBytes             | each coroutine of each | for each node  |
 * |                                     | node                   |                |
 * +-------------------------------------+------------------------+----------------+----------------------------------+
 * | decided: of each worker, a word for | inboxes: one for each  | of each worker, for itself alone:                 |
 * | each coroutine of each node         | coroutine of each node | batch | outbox | outbox | probes                  |
 * +-------------------------------------+------------------------+---------------------------------------------------+
 *
 * batch slot     0: the epoch, written last     8: its inputs, see {@link InputMessage}
 * finished       the id of the last submission of that coroutine which has ended; ids of a coroutine grow
 * decided        the id of the last submission of that coroutine which has committed, and whose writes the worker has executed itself
 * inbox          0: of each part, the flag of its arrival     256: of each part, its vote     512: results, then images; see
 *                {@link ForwardMessage}. Only of submissions that several nodes execute, on these nodes and the coordinator's
 * dead           the mark of the last configuration in which a worker of this node has found that node dead; see {@link Peers}
 * </pre>
 *
 * A sequencer writes the batch of epoch {@code e} into slot {@code e} modulo 2, once its worker has taken in epoch
 * {@code e - 1}. By then all workers have sent their batches of {@code e - 1}, so they have taken in {@code e - 2}: the slot
 * is free.
 */
public final class CalvinLayout {
    /** Tuples and leaves have no metadata. */
    static final int METADATA_BYTES = 0;

    /** The offset of the inputs in a batch. */
    static final int BATCH_BODY_OFFSET = Memory.WORD_BYTES;

    private static final int SLOTS = 2;
    /** If coroutines have larger buffers than by default, for transactions with more keys, batches have room for these keys, too. */
    private static final int BUFFER_BYTES_PER_BATCH_BYTE = 16;

    /** Most parts of a submission that is executed at several nodes. */
    static final int MAX_INBOX_PARTS = 32;

    private static final int VOTES_OFFSET = MAX_INBOX_PARTS * Memory.WORD_BYTES;
    private static final int RESULTS_OFFSET = 2 * VOTES_OFFSET;
    /** Transactions need less room than a coroutine's buffer has, most of them much less. */
    private static final int BUFFER_BYTES_PER_INBOX_BYTE = 4;

    private static final int MAX_INBOX_BYTES = 16 * 1024;

    /** An outbox holds the largest message, whose items take no more room than in their transaction's buffer. */
    private static final int OUTBOX_SLACK_BYTES = 1024;

    private final NodeShape shape;
    private final int batchBytes;
    private final int outboxBytes;
    private final long batchesOffset;
    private final long finishedOffset;
    private final long finishedBytes;
    private final long deadOffset;
    private final int wordsOfNodesBytes;
    private final long decidedOffset;
    private final int decidedBytes;
    private final long inboxesOffset;
    private final int inboxBytes;
    private final long workersOffset;
    private final long workerBytes;

    CalvinLayout(NodeShape shape, int batchBytes) {
        this.shape = shape;
        this.batchBytes = Math.max(
                batchBytes, (int) BufferSlice.alignToLine((long) shape.bufferBytes() / BUFFER_BYTES_PER_BATCH_BYTE));
        this.outboxBytes = (int) BufferSlice.alignToLine((long) shape.bufferBytes() + OUTBOX_SLACK_BYTES);
        this.batchesOffset = BufferSlice.alignToLine(shape.sharedOffset());
        this.finishedOffset = batchesOffset + (long) sequencers() * SLOTS * this.batchBytes;
        this.finishedBytes = (long) shape.nodes() * shape.transactionCoroutines() * Memory.WORD_BYTES;
        this.wordsOfNodesBytes = (int) BufferSlice.alignToLine((long) shape.nodes() * Memory.WORD_BYTES);
        this.deadOffset = BufferSlice.alignToLine(finishedOffset + finishedBytes);
        this.decidedOffset = deadOffset + wordsOfNodesBytes;
        this.decidedBytes = (int) BufferSlice.alignToLine(finishedBytes);
        this.inboxesOffset = decidedOffset + (long) shape.workers() * decidedBytes;
        this.inboxBytes = (int)
                BufferSlice.alignToLine(Math.min(shape.bufferBytes() / BUFFER_BYTES_PER_INBOX_BYTE, MAX_INBOX_BYTES));
        this.workersOffset = inboxesOffset + (long) shape.nodes() * shape.transactionCoroutines() * inboxBytes;
        this.workerBytes = (long) this.batchBytes + 2L * outboxBytes + wordsOfNodesBytes;
    }

    /** Bytes behind the coroutines' buffers. */
    long bytes() {
        return workersOffset + shape.workers() * workerBytes - shape.sharedOffset();
    }

    int batchBytes() {
        return batchBytes;
    }

    int outboxBytes() {
        return outboxBytes;
    }

    int workers() {
        return shape.workers();
    }

    /** Number of sequencers: one on each worker of each node. */
    int sequencers() {
        return shape.nodes() * shape.workers();
    }

    /** A sequencer's number, which is its place in the order of an epoch. */
    int sequencer(int node, int worker) {
        return node * shape.workers() + worker;
    }

    /** The node of a sequencer. */
    int nodeOf(int sequencer) {
        return sequencer / shape.workers();
    }

    /** The place, on every node, of a sequencer's batch of an epoch. */
    long slotOffset(int sequencer, long epoch) {
        return batchesOffset + ((long) sequencer * SLOTS + epoch % SLOTS) * batchBytes;
    }

    /** The place, on every node, of the id of the last submission that has ended, of the same coroutine as {@code id}'s. */
    long finishedOffset(long id) {
        return finishedOffset + coroutineOf(id) * Memory.WORD_BYTES;
    }

    /** The place, on every node, of the id of the last committed submission that a worker has executed, of the same coroutine as {@code id}'s. */
    long decidedOffset(long id, int worker) {
        return decidedOffset + (long) worker * decidedBytes + coroutineOf(id) * Memory.WORD_BYTES;
    }

    /** The place, on every node that executes a submission of the same coroutine as {@code id}'s, of the records forwarded to it. */
    long inboxOffset(long id) {
        return inboxesOffset + coroutineOf(id) * inboxBytes;
    }

    /** The place of the votes on a submission in its inbox. */
    long votesOffset(long id) {
        return inboxOffset(id) + VOTES_OFFSET;
    }

    /** The place of the results of a submission in its inbox. */
    long inboxResultsOffset(long id) {
        return inboxOffset(id) + RESULTS_OFFSET;
    }

    /** Room in an inbox for results and images. */
    int inboxResultsBytes() {
        return inboxBytes - RESULTS_OFFSET;
    }

    private long coroutineOf(long id) {
        return (long) Timestamp.node(id) * shape.transactionCoroutines() + Timestamp.coroutine(id);
    }

    /** Resets the finished words, and the decided words of a worker, to their values at the start. */
    void clearFinished(Memory buffers, int worker) {
        buffers.zero(finishedOffset, finishedBytes);
        buffers.zero(decidedOffset + (long) worker * decidedBytes, decidedBytes);
    }

    /** The place at which a worker's sequencer composes its batch. */
    long batchOffset(int worker) {
        return workersOffset + worker * workerBytes;
    }

    /** The place at which a worker composes the messages that it forwards: one of two outboxes. */
    long outboxOffset(int worker, int number) {
        return batchOffset(worker) + batchBytes + (long) number * outboxBytes;
    }

    /** The place, on a worker's own node, of the mark of the last configuration in which some worker there has found a node dead. */
    long deadOffset(int node) {
        return deadOffset + (long) node * Memory.WORD_BYTES;
    }

    /** A worker's word for a peer's answer to its probe. */
    long probeOffset(int worker, int peer) {
        return outboxOffset(worker, 2) + (long) peer * Memory.WORD_BYTES;
    }

    /** The address of a byte of the buffers region of any node. */
    static long address(int node, long offset) {
        return RemoteAddress.of(node, Catalog.BUFFERS_REGION, offset);
    }
}
