package dev.rcc.server.gateway;

import dev.rcc.client.wire.Bytes;
import dev.rcc.core.txn.Transaction;
import dev.rcc.core.txn.TransactionRunner;

/** What an {@link OutcomeStore} has of one commit, as that commit's own transaction meets it. It outlives attempts. */
interface OutcomeEntry {
    /** What is known of a commit when it comes. */
    enum State {
        /** It has not come, and may be written. */
        FREE,
        /** It has taken effect. */
        COMMITTED,
        /** It was asked for before it came, so it never will; or a later number of its slot was used. */
        REFUSED,
        /** The place belongs to another slot. */
        TAKEN
    }

    /** Of a commit of which the transaction itself leaves nothing behind. */
    OutcomeEntry NONE = new OutcomeEntry() {
        @Override
        public void forgetAccess() {
            // there is none
        }

        @Override
        public void declare(Transaction txn) {
            // nothing is accessed
        }

        @Override
        public boolean isServed() {
            return true;
        }

        @Override
        public State state(long nowMillis) {
            return State.FREE;
        }

        @Override
        public void writeCommitted(Bytes result, long nowMillis) {
            // the outcome store is notified at the end
        }

        @Override
        public boolean keeps(Bytes result) {
            return false;
        }

        @Override
        public OutcomeQuestion.Answer find(TransactionRunner runner) {
            throw new IllegalStateException("a commit that leaves no record was looked for");
        }
    };

    /** A new attempt has no access yet. */
    void forgetAccess();

    /** Declares what the attempt has to access. */
    void declare(Transaction txn);

    /** Whether the access, which has been fetched, can be written; if not, the next attempt's can. */
    boolean isServed();

    /** What is known of the commit, from what was fetched. */
    State state(long nowMillis);

    /** The attempt leaves behind that the commit has taken effect; {@code result} is that of a call, or null. */
    void writeCommitted(Bytes result, long nowMillis);

    /** Whether it keeps such a result along with the outcome, so that the gateway need not remember it. */
    boolean keeps(Bytes result);

    /** Looks for a commit that has taken effect, in a transaction of its own. */
    OutcomeQuestion.Answer find(TransactionRunner runner);
}
