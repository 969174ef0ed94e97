package dev.rcc.transport.verbs;

import dev.rcc.transport.verbs.ibv.QueuePair;
import dev.rcc.transport.verbs.ibv.SendWrs;
import java.util.ArrayDeque;

/**
 * One queue pair from a worker to a peer, and what is outstanding on it. A batch goes as one chain of work requests, of which
 * the last is signalled; if the send queue has no room for all of it, piece by piece, each with its last one signalled, as
 * earlier ones complete. Used on the worker, but for making it and for closing it when the worker has ended.
 *
 * <pre>
 *   post -->  [ waiting: batches that are not posted wholly ]  -->  [ outstanding: signalled pieces, in order ]  --> poll
 * </pre>
 */
final class Connection {
    /** Bits of a work request's number that say which connection of the endpoint it is of; the rest tells its incarnations apart. */
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
     * @param index which connection of its endpoint this is
     * @param incarnation tells it from others that had or will have that index
     * @param wrs where work requests are written for posting; shared by the endpoint's connections
     * @param depth how many work requests the queue pair holds
     * @param inlineBytes how many bytes a work request may carry itself
     * @param watch of this connection alone
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

    /** Which connection a work request was posted to. */
    static int index(long wrId) {
        return (int) wrId;
    }

    PeerLink link() {
        return link;
    }

    QueuePair qp() {
        return qp;
    }

    /** Chooses the number that its packets begin with. While it is made. */
    void startWith(int firstPsn) {
        psn = firstPsn;
    }

    int psn() {
        return psn;
    }

    int index() {
        return index;
    }

    /** Whether it was this life of the connection that a work request was posted to. */
    boolean isOwn(long completedWrId) {
        return completedWrId == wrId;
    }

    boolean isClosed() {
        return qp.isClosed();
    }

    /**
     * Posts a batch, or as much of it as there is room for.
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
     * The oldest piece has completed, which makes room.
     *
     * @return 0, or the error number with which the device refused what was waiting
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

    /** Whether the device owes a completion for longer than it can take it. Asked when all that has completed was taken. */
    boolean isOverdue(long nowNanos) {
        return !isClosed() && watch.isOverdue(completed, pieces, nowNanos);
    }

    /** Ends the connection: nothing is written or read by the device any more when this returns, and what was outstanding fails. */
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
