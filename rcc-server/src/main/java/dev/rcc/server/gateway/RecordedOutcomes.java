package dev.rcc.server.gateway;

import dev.rcc.client.wire.CommitId;
import dev.rcc.client.wire.Message.OutcomeIs;
import dev.rcc.client.wire.Message.Reply;
import java.time.Duration;
import java.util.function.Consumer;

/** Outcomes that the cluster keeps as records, which each commit writes itself. Every gateway can read them (ADR 0029). */
final class RecordedOutcomes implements OutcomeStore {
    private final OutcomeRecords records;
    private final CallResults results;
    private final long patienceNanos;

    /**
     * Outcomes in these records.
     *
     * @param results the results of calls, which may be too large for the records
     * @param patience how long a question may wait for a slot
     */
    RecordedOutcomes(OutcomeRecords records, CallResults results, Duration patience) {
        this.records = records;
        this.results = results;
        this.patienceNanos = patience.toNanos();
    }

    @Override
    public boolean isHidden(int table) {
        return table == records.table().id();
    }

    /** Null: the commit finds its known outcome itself. */
    @Override
    public OutcomeIs arrived(CommitId id, long nowNanos) {
        return null;
    }

    @Override
    public OutcomeEntry entry(CommitId id) {
        return id.equals(CommitId.NONE) ? OutcomeEntry.NONE : new CommitRecord(records, id);
    }

    @Override
    public void ended(CommitId id, boolean committed, long commitTs) {
        // the commit has written it itself
    }

    @Override
    public void forget(CommitId id) {
        // the commit has written none
    }

    @Override
    public void ask(Question question, TransactionSlots slots, Consumer<Reply> listener) {
        slots.execute(() -> slots.admit(
                new OutcomeQuestion(records, results, question, slots.worker().nanoTime() + patienceNanos, listener)));
    }
}
