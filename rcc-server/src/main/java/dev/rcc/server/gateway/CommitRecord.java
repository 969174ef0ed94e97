package dev.rcc.server.gateway;

import dev.rcc.client.wire.Bytes;
import dev.rcc.client.wire.CommitId;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Intent;
import dev.rcc.core.txn.Transaction;
import dev.rcc.core.txn.TransactionRunner;

/**
 * The record of one commit's outcome, as the commit itself and questions about it use it. It outlives attempts; its access does not.
 *
 * <p>The outcome of a number never changes once it is written. So an attempt has read it correctly even if its other reads turn out to be
 * outdated. The record, however, may be taken over by another slot if it has not been written for the retention time.
 */
final class CommitRecord implements OutcomeEntry {
    private final OutcomeRecords records;
    private final CommitId id;
    private boolean exists;
    private Access access;

    CommitRecord(OutcomeRecords records, CommitId id) {
        this.records = records;
        this.id = id;
        this.exists = id.number() > 1; // a guess
    }

    @Override
    public void forgetAccess() {
        access = null;
    }

    @Override
    public void declare(Transaction txn) {
        if (access == null) {
            long key = records.key(id);
            access = exists ? txn.update(records.table(), key) : txn.insert(records.table(), key);
        }
    }

    @Override
    public boolean isServed() {
        exists = access.exists();
        return exists == (access.intent() == Intent.UPDATE);
    }

    @Override
    public State state(long nowMillis) {
        if (!exists) {
            return State.FREE;
        } else if (!isOwn()) {
            return ageMillis(nowMillis) < records.retention().toMillis() ? State.TAKEN : State.FREE;
        }
        long last = new CommitId(id.session(), word(OutcomeRecords.NUMBER)).number();
        if (last != id.number()) {
            return last < id.number() ? State.FREE : State.REFUSED;
        }
        return (int) word(OutcomeRecords.OUTCOME) == OutcomeRecords.COMMITTED ? State.COMMITTED : State.REFUSED;
    }

    /** Of a call that has committed: its result, or null if that is not kept. */
    Bytes result() {
        int kept = (int) (word(OutcomeRecords.OUTCOME) >>> Integer.SIZE);
        if (kept == 0) {
            return null;
        }
        byte[] result = new byte[kept - 1];
        access.getBytes(OutcomeRecords.RESULT, result, 0, result.length);
        return Bytes.wrap(result);
    }

    /** Whether the slot has used a later number. Then the client knew the outcome of this number, and no record of it is left. */
    boolean isOutdated() {
        return exists && isOwn() && Long.compareUnsigned(word(OutcomeRecords.NUMBER), id.low()) > 0;
    }

    /** Whether another slot may have overwritten the record of this one, if the question came so long after the commit was sent. */
    boolean mayBeOverwritten(long askedAfterMillis) {
        return exists && !isOwn() && askedAfterMillis >= records.retention().toMillis() / 2;
    }

    /**
     * Whether the other slot's record will stay for as long as a commit can be late: half of the retention time, which is chosen for this.
     */
    boolean isTakenForLong(long nowMillis) {
        return ageMillis(nowMillis) < records.retention().toMillis() / 2;
    }

    @Override
    public void writeCommitted(Bytes result, long nowMillis) {
        write(OutcomeRecords.COMMITTED, result, nowMillis);
    }

    @Override
    public boolean keeps(Bytes result) {
        return result != null && records.hasRoom(result.length());
    }

    @Override
    public OutcomeQuestion.Answer find(TransactionRunner runner) {
        return OutcomeQuestion.ask(runner, records, new OutcomeStore.Question(id, 0, 0, false));
    }

    /** Writes that the commit is refused from now on. */
    void writeRefused(long nowMillis) {
        write(OutcomeRecords.REFUSED, null, nowMillis);
    }

    private void write(int outcome, Bytes result, long nowMillis) {
        long kept = 0;
        if (keeps(result)) {
            kept = result.length() + 1L;
            access.putBytes(OutcomeRecords.RESULT, result.unsafeArray(), 0, result.length());
        }
        access.putLong(OutcomeRecords.SESSION, id.session());
        access.putLong(OutcomeRecords.NUMBER, id.low());
        access.putLong(OutcomeRecords.OUTCOME, kept << Integer.SIZE | outcome);
        access.putLong(OutcomeRecords.WRITTEN, nowMillis);
    }

    private boolean isOwn() {
        return new CommitId(word(OutcomeRecords.SESSION), word(OutcomeRecords.NUMBER)).isOfSlotOf(id);
    }

    private long ageMillis(long nowMillis) {
        return nowMillis - word(OutcomeRecords.WRITTEN);
    }

    private long word(int offset) {
        return access.getLong(offset);
    }
}
