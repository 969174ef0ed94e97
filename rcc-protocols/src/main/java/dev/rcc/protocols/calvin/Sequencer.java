package dev.rcc.protocols.calvin;

import dev.rcc.core.fabric.Endpoint;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.protocol.WorkerContext;
import dev.rcc.core.worker.Completion;

/**
 * One worker's sequencer (rcc, 4.6): it collects the submissions of its coroutines, closes them into the batch of an
 * epoch, and broadcasts that to all nodes, this one included. The batches of an epoch are ordered by the node and worker
 * of their sequencers, and each keeps the order of its submissions. Every sequencer contributes a batch to every epoch,
 * empty if need be; while no coroutine has a transaction, there are no epochs.
 *
 * <p>Epochs count anew in each configuration of the cluster, from a number that all nodes know and no epoch before has reached. So a node that
 * rejoins begins where all other nodes do, and an old batch in a slot is never taken for a batch of another configuration. A sequencer
 * halts while the cluster is frozen, when there is nothing to order: peers may be in the next configuration already, and overwrite the
 * batches of this one.
 *
 * <p>The next epoch is closed once this worker has taken in the epoch before. No worker waits for a dead node, and
 * the dead node's batch is left out: its transactions have lost their coordinator.
 */
final class Sequencer {
    /** Takes in the submissions of an epoch in their order. */
    @FunctionalInterface
    interface Scheduler {
        /** Takes in the next submission, at {@code offset} of the buffers. */
        void schedule(long offset);
    }

    /** The number of an epoch's bits that count within a configuration; their number of epochs is even, as there are two slots. */
    private static final int EPOCH_BITS = 40;

    private final WorkerContext context;
    private final CalvinOptions options;
    private final CalvinLayout layout;
    private final Peers peers;
    private final Scheduler scheduler;
    private final boolean oneSided;
    private final Memory buffers;
    private final int self;
    private final Completion dispatch = new Completion(null);

    private final Submission[] queue;
    private int queueHead;
    private int queueSize;
    private final Submission[] dispatched;
    private int dispatchedCount;

    private long configEpoch;
    private boolean halted;

    /** The last epoch whose batch was sent. */
    private long closed;
    /** The last epoch that this worker has taken in. */
    private long takenIn;

    Sequencer(WorkerContext context, CalvinOptions options, CalvinLayout layout, Peers peers, Scheduler scheduler) {
        this.context = context;
        this.options = options;
        this.layout = layout;
        this.peers = peers;
        this.scheduler = scheduler;
        this.oneSided = context.code().isOneSided(Calvin.DISPATCH);
        this.buffers = context.buffers();
        this.self = layout.sequencer(context.worker().node(), context.worker().index());
        this.queue = new Submission[context.shape().coroutines()];
        this.dispatched = new Submission[context.shape().coroutines()];
    }

    /** Most bytes that the inputs of one submission may have. */
    int maxSubmissionBytes() {
        return batchBytes() - CalvinLayout.BATCH_BODY_OFFSET - InputMessage.SUBMISSIONS_OFFSET;
    }

    /** Whether a submission might be longer if the network carried longer messages. */
    boolean isLimitedByMessages() {
        return batchBytes() < layout.batchBytes();
    }

    /** Most bytes of a batch: by RPC it is one message. A network may know its messages only after it has this handler. */
    private int batchBytes() {
        return oneSided
                ? layout.batchBytes()
                : Math.min(layout.batchBytes(), context.endpoint().maxCallBytes());
    }

    /** Takes a submission; its completion succeeds once its epoch has been taken in here. A coroutine has one at most. */
    void submit(Submission submission) {
        assert queueSize < queue.length : "a coroutine has two submissions";
        submission.submittedNanos = context.worker().nanoTime();
        submission.completion.add();
        queue[(queueHead + queueSize++) % queue.length] = submission;
    }

    /** Whether a transaction or an epoch is on its way. */
    boolean isBusy() {
        return queueSize > 0 || closed > takenIn || dispatch.outstanding() > 0;
    }

    /** Takes in an epoch that is complete, and closes the next if that is due. */
    int poll() {
        int work = 0;
        boolean sent = peers.settle(dispatch);
        if (configEpoch != context.gate().configEpoch()) {
            begin(context.gate().configEpoch());
        }
        if (halted) {
            return 0;
        }
        if (closed > takenIn && isComplete(closed)) {
            takeIn(closed);
            work++;
        }
        if (sent && closed == takenIn && isDue()) {
            close();
            work++;
        }
        return work;
    }

    private void begin(long newConfigEpoch) {
        configEpoch = newConfigEpoch;
        closed = newConfigEpoch << EPOCH_BITS;
        takenIn = closed;
        halted = false;
    }

    /**
     * Halts, as no attempt runs in the whole cluster: nothing is sent or taken in before the next configuration.
     *
     * @return whether all batches that were sent have arrived, or never will
     */
    boolean halt() {
        assert queueSize + dispatchedCount == 0 : "an attempt runs";
        halted = true;
        takenIn = closed; // the rest of the last epoch is empty, or of lost coordinators
        return peers.settle(dispatch);
    }

    /** Receives a peer's batch by RPC: puts it where a WRITE would have put it. */
    void receive(int sequencer, Memory payload, long offset, int bytes) {
        long epoch = payload.getLong(offset);
        long slot = layout.slotOffset(sequencer, epoch);
        int body = CalvinLayout.BATCH_BODY_OFFSET;
        payload.copy(offset + body, buffers, slot + body, bytes - body);
        buffers.putRelease(slot, epoch);
    }

    private boolean isDue() {
        if (queueSize >= options.epochTransactions()
                || (queueSize > 0
                        && context.worker().nanoTime() - queue[queueHead].submittedNanos >= options.epochNanos())) {
            return true;
        }
        for (int sequencer = 0; sequencer < layout.sequencers(); sequencer++) {
            if (hasBatch(sequencer, closed + 1) && !peers.isDead(layout.nodeOf(sequencer))) {
                return true; // the peer waits for our batch, even an empty one
            }
        }
        return false;
    }

    private boolean hasBatch(int sequencer, long epoch) {
        return buffers.getAcquire(layout.slotOffset(sequencer, epoch)) == epoch;
    }

    private boolean isComplete(long epoch) {
        for (int sequencer = 0; sequencer < layout.sequencers(); sequencer++) {
            if (!hasBatch(sequencer, epoch) && !peers.isDead(layout.nodeOf(sequencer))) {
                return false;
            }
        }
        return true;
    }

    private void takeIn(long epoch) {
        for (int sequencer = 0; sequencer < layout.sequencers(); sequencer++) {
            if (!peers.isDead(layout.nodeOf(sequencer))) {
                long body = layout.slotOffset(sequencer, epoch) + CalvinLayout.BATCH_BODY_OFFSET;
                int count = InputMessage.submissions(buffers, body);
                long offset = body + InputMessage.SUBMISSIONS_OFFSET;
                for (int i = 0; i < count; i++) {
                    scheduler.schedule(offset);
                    offset += InputMessage.submissionBytes(buffers, offset);
                }
            }
        }
        takenIn = epoch;
        for (int i = 0; i < dispatchedCount; i++) {
            dispatched[i].completion.succeed();
            dispatched[i] = null;
        }
        dispatchedCount = 0;
    }

    private void close() {
        long epoch = ++closed;
        long batch = layout.batchOffset(context.worker().index());
        long body = batch + CalvinLayout.BATCH_BODY_OFFSET;
        long end = body + InputMessage.SUBMISSIONS_OFFSET;
        long limit = batch + batchBytes();
        while (queueSize > 0 && dispatchedCount < options.epochTransactions()) {
            Submission next = queue[queueHead];
            int bytes = InputMessage.bytes(next);
            if (end + bytes > limit) {
                break;
            }
            InputMessage.encode(buffers, end, next);
            end += bytes;
            queue[queueHead] = null;
            queueHead = (queueHead + 1) % queue.length;
            queueSize--;
            dispatched[dispatchedCount++] = next;
        }
        buffers.putLong(body, dispatchedCount);
        buffers.putLong(batch, epoch);
        broadcast(epoch, batch, (int) (end - batch));
    }

    private void broadcast(long epoch, long batch, int bytes) {
        Endpoint endpoint = context.endpoint();
        int body = CalvinLayout.BATCH_BODY_OFFSET;
        for (int node = 0; node < context.shape().nodes(); node++) {
            if (peers.isDead(node)) {
                continue;
            }
            if (oneSided) {
                long slot = CalvinLayout.address(node, layout.slotOffset(self, epoch));
                endpoint.batch(node)
                        .write(batch + body, bytes - body, slot + body)
                        .writeWord(epoch, slot) // last: a worker that sees it sees the batch
                        .post(dispatch);
            } else {
                endpoint.call(node, CalvinParticipant.DISPATCH, batch, bytes, batch, 0, dispatch);
            }
        }
    }
}
