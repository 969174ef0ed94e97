package dev.rcc.server.gateway;

import dev.rcc.client.wire.CommitId;
import dev.rcc.client.wire.Message.OutcomeIs;
import dev.rcc.client.wire.Message.Reply;
import dev.rcc.client.wire.Message.Status;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Outcomes that one gateway keeps in its memory. It has no outcomes of commits that were sent to other gateways, or to an earlier gateway
 * of its node. May be used on any thread.
 *
 * <p>The oldest outcomes are forgotten when there are too many; then the answer for a commit as old as the forgotten ones is that its
 * outcome is unknown.
 */
final class MemoryOutcomes implements OutcomeStore {
    /** How much later than its age indicates a commit may have come: the time that a question travels, and more. */
    private static final long MARGIN_NANOS = TimeUnit.MINUTES.toNanos(1);
    /** How long a commit that has been asked for is refused: much longer than its bytes can lie unread. */
    static final long REFUSAL_NANOS = TimeUnit.MINUTES.toNanos(10);

    private static final OutcomeIs IN_PROGRESS = new OutcomeIs(Status.IN_PROGRESS, 0);
    private static final OutcomeIs NOT_COMMITTED = new OutcomeIs(Status.NOT_COMMITTED, 0);
    private static final OutcomeIs UNKNOWN = new OutcomeIs(Status.UNKNOWN, 0);

    private record Entry(OutcomeIs outcome, long sinceNanos) {}

    private final int capacity;
    private final long incarnation;
    private final CallResults results;
    private final Map<CommitId, Entry> commits = new LinkedHashMap<>();
    /** Commits that were asked for before they came, with the time of the question. */
    private final Map<CommitId, Long> refused = new LinkedHashMap<>();

    private boolean hasForgotten;
    /** When the youngest of the forgotten commits came. */
    private long forgottenNanos;

    /**
     * No outcomes yet.
     *
     * @param capacity how many outcomes are kept
     * @param incarnation the incarnation of the gateway
     * @param results the results of calls
     */
    MemoryOutcomes(int capacity, long incarnation, CallResults results) {
        this.capacity = capacity;
        this.incarnation = incarnation;
        this.results = results;
    }

    @Override
    public boolean isHidden(int table) {
        return false;
    }

    @Override
    public OutcomeEntry entry(CommitId id) {
        return OutcomeEntry.NONE;
    }

    @Override
    public synchronized OutcomeIs arrived(CommitId id, long nowNanos) {
        if (id.equals(CommitId.NONE)) {
            return null;
        }
        if (refused.containsKey(id)) {
            return NOT_COMMITTED;
        }
        Entry before = commits.putIfAbsent(id, new Entry(IN_PROGRESS, nowNanos));
        forgetOldest();
        return before == null ? null : before.outcome;
    }

    @Override
    public synchronized void ended(CommitId id, boolean committed, long commitTs) {
        OutcomeIs outcome = committed ? new OutcomeIs(Status.COMMITTED, commitTs) : NOT_COMMITTED;
        commits.computeIfPresent(id, (i, entry) -> new Entry(outcome, entry.sinceNanos));
    }

    @Override
    public synchronized void forget(CommitId id) {
        commits.remove(id);
    }

    @Override
    public void ask(Question question, TransactionSlots slots, Consumer<Reply> listener) {
        slots.execute(() -> listener.accept(
                question.incarnation() == incarnation
                        ? results.complete(
                                question.id(), ask(question, slots.worker().nanoTime()))
                        : UNKNOWN));
    }

    /** The outcome of a commit. A commit that has not come has not committed, and is refused from now on, if the question may refuse it. */
    synchronized OutcomeIs ask(Question question, long nowNanos) {
        Entry entry = commits.get(question.id());
        if (entry != null) {
            return entry.outcome;
        }
        long sentNanos = nowNanos - TimeUnit.MILLISECONDS.toNanos(question.ageMillis());
        if (hasForgotten && sentNanos - MARGIN_NANOS - forgottenNanos <= 0) {
            return UNKNOWN;
        }
        forgetOldRefusals(nowNanos);
        if (!question.mayRefuse() || refused.size() >= capacity) {
            return UNKNOWN;
        }
        refused.putIfAbsent(question.id(), nowNanos);
        return NOT_COMMITTED;
    }

    /** They are in the order of their times. */
    private void forgetOldRefusals(long nowNanos) {
        Iterator<Long> oldest = refused.values().iterator();
        while (oldest.hasNext() && nowNanos - oldest.next() > REFUSAL_NANOS) {
            oldest.remove();
        }
    }

    /** Forgets the oldest outcomes. Commits in progress are kept: there are no more of them than open transactions. */
    private void forgetOldest() {
        Iterator<Entry> oldest = commits.values().iterator();
        while (commits.size() > capacity && oldest.hasNext()) {
            Entry entry = oldest.next();
            if (entry.outcome.status() != Status.IN_PROGRESS) {
                oldest.remove();
                if (!hasForgotten || entry.sinceNanos - forgottenNanos > 0) {
                    forgottenNanos = entry.sinceNanos;
                }
                hasForgotten = true;
            }
        }
    }
}
