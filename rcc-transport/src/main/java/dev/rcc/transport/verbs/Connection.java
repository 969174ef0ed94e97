package dev.rcc.transport.verbs;

import dev.rcc.transport.verbs.ibv.QueuePair;
import dev.rcc.transport.verbs.ibv.SendWrs;
import java.util.ArrayDeque;

/**
 * One queue pair from a worker to a peer, and its outstanding batches. A batch is posted as one chain of work requests, the last
 * of which is signalled. If the send queue has no room for all of it, it is posted piece by piece as earlier pieces complete, each
 * with its last work request signalled. Used on the worker, except for making it and for closing it when the worker has ended.
 *
 * <pre>
 *   post -->  [ waiting: batches that are not fully posted ]  -->  [ outstanding: signalled pieces, in order ]  --> poll
 * </pre>
 */
final class Connection {
    /** The low bits of a work request's number, which contain the connection's index; the others contain the link's incarnation. */
    private static final int INDEX_BITS = 32;

    private final PeerLink link;
    private final QueuePair qp;
    private final int index;
    private final long wrId;
    private final SendWrs wrs;
    private final int inlineBytes;
    private final int[] pieceWrs;
    /** The batch that ends with a piece, or null. */
    private final VerbsBatch[] pieceBatch;

    private final ArrayDeque<VerbsBatch> waiting = new ArrayDeque<>();
    private int psn;
    private int room;
    private int head;
    private int pieces;
    private long completed;
    private final CompletionWatch watch;

    /**
     * Takes a queue pair.
     *
     * @param index the connection's index in its endpoint
     * @param incarnation distinguishes it from earlier and later connections with that index
     * @param wrs the memory where work requests are written for posting; shared by the endpoint's connections
     * @param depth the number of work requests that the queue pair holds
     * @param inlineBytes the number of bytes that a work request may carry inline
     * @param watch the watch of this connection alone
     */
    Connection(
            PeerLink link,
            QueuePair qp,
            int index,
            int incarnation,
            SendWrs wrs,
            int depth,
            int inlineBytes,
            CompletionWatch watch) {
        this.link = link;
        this.qp = qp;
        this.index = index;
        this.wrId = (long) incarnation << INDEX_BITS | index;
        this.wrs = wrs;
        this.room = depth;
        this.inlineBytes = inlineBytes;
        this.pieceWrs = new int[depth];
        this.pieceBatch = new VerbsBatch[depth];
        this.watch = watch;
    }

    /** The index of the connection that a work request was posted to. */
    static int index(long wrId) {
        return (int) wrId;
    }

    PeerLink link() {
        return link;
    }

    QueuePair qp() {
        return qp;
    }

    /** Sets the sequence number of its first packet. Called while the connection is made. */
    void startWith(int firstPsn) {
        psn = firstPsn;
    }

    int psn() {
        return psn;
    }

    int index() {
        return index;
    }

    /** Whether a work request was posted to this incarnation of the connection. */
    boolean isOwn(long completedWrId) {
        return completedWrId == wrId;
    }

    boolean isClosed() {
        return qp.isClosed();
    }

    /**
     * Posts a batch, or as much of it as there is room for; the rest waits.
     *
     * @return 0, or the error number with which the device refused it
     */
    int post(VerbsBatch batch) {
        if (!waiting.isEmpty()) {
            waiting.add(batch);
            return 0;
        }
        int error = advance(batch);
        if (!batch.isAllFilled()) {
            waiting.add(batch);
        }
        return error;
    }

    /**
     * The oldest piece has completed: completes its batch, and posts waiting batches in its room.
     *
     * @return 0, or the error number with which the device refused a waiting batch
     */
    int completeOldest(VerbsEndpoint endpoint) {
        assert pieces > 0 : "more completions than signalled requests";
        int i = head;
        head = i + 1 == pieceWrs.length ? 0 : i + 1;
        pieces--;
        completed++;
        room += pieceWrs[i];
        VerbsBatch done = pieceBatch[i];
        if (done != null) {
            pieceBatch[i] = null;
            done.succeed();
            endpoint.recycle(done);
        }
        int error = 0;
        while (error == 0 && room > 0 && !waiting.isEmpty()) {
            error = advance(waiting.peek());
            if (waiting.peek().isAllFilled()) {
                waiting.remove();
            }
        }
        return error;
    }

    /** Whether the device has owed a completion for too long. To be called after all completions were taken. */
    boolean isOverdue(long nowNanos) {
        return !isClosed() && watch.isOverdue(completed, pieces, nowNanos);
    }

    /** Ends the connection. When this returns, the device accesses no memory for it any more, and its outstanding batches have failed. */
    void abandon(VerbsEndpoint endpoint) {
        qp.close();
        for (; pieces > 0; pieces--) {
            VerbsBatch batch = pieceBatch[head];
            pieceBatch[head] = null;
            head = head + 1 == pieceWrs.length ? 0 : head + 1;
            if (batch != null) {
                fail(batch, endpoint);
            }
        }
        while (!waiting.isEmpty()) {
            fail(waiting.remove(), endpoint);
        }
    }

    private static void fail(VerbsBatch batch, VerbsEndpoint endpoint) {
        batch.fail();
        endpoint.recycle(batch);
    }

    private int advance(VerbsBatch batch) {
        int error = 0;
        while (error == 0 && room > 0 && !batch.isAllFilled()) {
            int count = batch.fill(wrs, room, wrId, inlineBytes);
            wrs.signalAndEnd(count - 1);
            error = qp.postSend(wrs.address(0));
            wrs.continueAfter(count - 1);
            int tail = head + pieces;
            tail = tail >= pieceWrs.length ? tail - pieceWrs.length : tail;
            pieceWrs[tail] = count;
            pieceBatch[tail] = batch.isAllFilled() ? batch : null;
            pieces++;
            room -= count;
        }
        return error;
    }
}
