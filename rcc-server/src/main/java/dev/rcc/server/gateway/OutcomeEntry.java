package dev.rcc.server.gateway;

import dev.rcc.client.wire.Bytes;
import dev.rcc.core.txn.Transaction;
import dev.rcc.core.txn.TransactionRunner;

/** The entry of an {@link OutcomeStore} for one commit, as the commit's own transaction uses it. It outlives attempts. */
interface OutcomeEntry {
    /** The state of a commit when it comes. */
    enum State {
        /** It has not come, and may be written. */
        FREE,
        /** It has taken effect. */
        COMMITTED,
        /** It was asked for before it came, so it never takes effect; or a later number of its slot was used. */
        REFUSED,
        /** The place belongs to another slot. */
        TAKEN
    }

    /** The entry of a commit whose transaction itself writes no outcome. */
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

    /** Begins a new attempt, which has no access yet. */
    void forgetAccess();

    /** Declares the access that the attempt needs. */
    void declare(Transaction txn);

    /** Whether the access, which has been fetched, can be written; if not, the next attempt's can. */
    boolean isServed();

    /** The state of the commit, according to the fetched record. */
    State state(long nowMillis);

    /** Has the attempt write that the commit has taken effect; {@code result} is the result of a call, or null. */
    void writeCommitted(Bytes result, long nowMillis);

    /** Whether it keeps this result along with the outcome, so that the gateway need not keep it. */
    boolean keeps(Bytes result);

    /** Looks for the outcome of a commit that has taken effect, in a transaction of its own. */
    OutcomeQuestion.Answer find(TransactionRunner runner);
}
