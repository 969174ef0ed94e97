package dev.rcc.server.recovery;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * The connected nodes that are no members. The leader asks each whether it is ready, and does not wait for the answer: a node outside of the cluster
 * that is silent holds up nothing.
 *
 * <p>Used by the leader's thread alone.
 */
final class Candidates {
    private static final long ANSWER_SECONDS = 5;

    private final Readiness readiness;
    private final Map<Integer, Question> questions = new HashMap<>();

    /** A question to an incarnation of a node. */
    private record Question(long incarnation, CompletableFuture<Readiness.Answer> answer) {}

    Candidates(Readiness readiness) {
        this.readiness = readiness;
    }

    /** A node's answer, if it has arrived by now. Each answer is returned once, and the next call asks again. */
    Optional<Readiness.Answer> answer(int node, long incarnation) {
        Question question = questions.compute(
                node,
                (_, before) -> before != null && before.incarnation() == incarnation ? before : ask(node, incarnation));
        if (!question.answer().isDone()) {
            return Optional.empty();
        }
        questions.remove(node);
        return question.answer().isCompletedExceptionally()
                ? Optional.empty()
                : Optional.of(question.answer().join());
    }

    private Question ask(int node, long incarnation) {
        return new Question(incarnation, readiness.ask(node).orTimeout(ANSWER_SECONDS, TimeUnit.SECONDS));
    }

    /** The configuration changes: answers from before may be true no longer. */
    void forget() {
        questions.clear();
    }
}
