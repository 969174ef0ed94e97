package dev.rcc.server.consensus;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;

/**
 * Lets the messages of a group in, one after the other. Ratis checks a leader's message first, and writes its entries to the log later, on
 * another thread. Other messages that come in meanwhile do harm:
 *
 * <ul>
 *   <li>A vote goes to a candidate that lacks the entries, and they are acknowledged after it. Their leader counts them as committed, and
 *       the candidate does not have them when it leads (Raft, 5.4.1).
 *   <li>If entries begin at the same index as those that are being written, Ratis takes them for the same ones. It acknowledges them all,
 *       even if they are more, or another leader's.
 *   <li>A message without entries says that all up to some index is committed. If the log still has other entries there, which are about to
 *       be replaced, they are committed.
 * </ul>
 *
 * <p>So a message waits until all messages before it are over. Only entries do not wait that directly follow on the entries that are being
 * written, in the same term: a leader can send many messages without waiting for the replies.
 *
 * <p>For any thread.
 */
final class MessageGate {
    private static final long NOTHING_FOLLOWS = -1;

    private final long limitNanos;
    /** Whether Ratis is being given a message. */
    private boolean entering;
    /** The leader's messages that Ratis has, and has not replied to. */
    private int underWay;
    /** The term of the last one of these messages, and the index after its entries. */
    private long term;

    private long next = NOTHING_FOLLOWS;

    /**
     * The gate of a group.
     *
     * @param limit how long a message waits at most for those before it
     */
    MessageGate(Duration limit) {
        this.limitNanos = limit.toNanos();
    }

    /** Gives Ratis a message. */
    @FunctionalInterface
    interface Call<T> {
        T call() throws IOException;
    }

    /**
     * Lets a leader's message in, with entries or without. Waits for its turn, and not for the reply.
     *
     * @throws IOException if its turn does not come
     */
    CompletableFuture<AppendEntriesReplyProto> append(
            AppendEntriesRequestProto request, Call<CompletableFuture<AppendEntriesReplyProto>> call)
            throws IOException {
        enter(request);
        CompletableFuture<AppendEntriesReplyProto> reply;
        try {
            reply = call.call();
            begun(request);
        } finally {
            entered();
        }
        CompletableFuture<AppendEntriesReplyProto> _ = reply.whenComplete((result, failure) -> over());
        return reply;
    }

    /**
     * Lets any other message in, which is over when the call returns. Waits for its turn.
     *
     * @throws IOException if its turn does not come
     */
    <T> T alone(Call<T> call) throws IOException {
        enter(AppendEntriesRequestProto.getDefaultInstance());
        try {
            return call.call();
        } finally {
            entered();
        }
    }

    private synchronized void enter(AppendEntriesRequestProto request) throws IOException {
        long deadline = System.nanoTime() + limitNanos;
        while (entering || (underWay > 0 && !follows(request))) {
            long left = deadline - System.nanoTime();
            if (left <= 0) {
                throw new IOException("an earlier message of the group takes too long: " + underWay + " under way");
            }
            try {
                TimeUnit.NANOSECONDS.timedWait(this, left);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw (IOException) new InterruptedIOException("waited for an earlier message").initCause(e);
            }
        }
        entering = true;
    }

    private boolean follows(AppendEntriesRequestProto request) {
        return request.getEntriesCount() > 0
                && request.getLeaderTerm() == term
                && request.getEntries(0).getIndex() == next;
    }

    private synchronized void begun(AppendEntriesRequestProto request) {
        int entries = request.getEntriesCount();
        underWay++;
        term = request.getLeaderTerm();
        next = entries > 0 ? request.getEntries(entries - 1).getIndex() + 1 : NOTHING_FOLLOWS;
    }

    private synchronized void entered() {
        entering = false;
        notifyAll();
    }

    private synchronized void over() {
        underWay--;
        notifyAll();
    }
}
