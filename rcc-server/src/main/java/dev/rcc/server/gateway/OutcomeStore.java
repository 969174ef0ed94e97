package dev.rcc.server.gateway;

import dev.rcc.client.wire.CommitId;
import dev.rcc.client.wire.Message.OutcomeIs;
import dev.rcc.client.wire.Message.Reply;
import java.util.function.Consumer;

/**
 * Keeps the outcomes of the commits that have a name, so that each takes effect at most once, and a client whose answer was lost can ask. A
 * question about a commit that has not come refuses the commit from then on, so that an answer never becomes false. That takes room, so only the
 * question of a client that may have sent the commit does it.
 *
 * <p>The cluster keeps outcomes as records ({@link RecordedOutcomes}), or each gateway keeps its own ({@link MemoryOutcomes}).
 */
interface OutcomeStore {
    /**
     * A client's question.
     *
     * @param id the commit's name
     * @param incarnation the incarnation of the gateway to which the commit was sent
     * @param ageMillis how long ago it was sent
     * @param mayRefuse whether the commit is refused from now on if it has not come; if not, the answer is then that its outcome is unknown
     */
    record Question(CommitId id, long incarnation, int ageMillis, boolean mayRefuse) {}

    /** Whether a table is the store's own, so that clients don't see it. */
    boolean isHidden(int table);

    /**
     * A commit has come, and has not been carried out yet. Called on the transaction's worker.
     *
     * @param nowNanos the worker's time
     * @return null if it may go on, otherwise its known outcome
     */
    OutcomeIs arrived(CommitId id, long nowNanos);

    /** The entry of a commit, for the attempts of its transaction. Used on the transaction's coroutine. */
    OutcomeEntry entry(CommitId id);

    /** A commit that was allowed to go on has ended. Called on the transaction's worker, before any client gets the outcome. */
    void ended(CommitId id, boolean committed, long commitTs);

    /** A commit that was allowed to go on has ended, and leaves no outcome. Called as {@link #ended}. */
    void forget(CommitId id);

    /**
     * Finds the outcome of a commit. May be called on any thread.
     *
     * @param slots the slots for the question's transaction, if it takes one
     * @param listener called on the slots' worker
     */
    void ask(Question question, TransactionSlots slots, Consumer<Reply> listener);
}
