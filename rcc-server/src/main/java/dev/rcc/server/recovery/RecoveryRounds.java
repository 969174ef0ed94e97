package dev.rcc.server.recovery;

import dev.rcc.transport.control.ControlFailure;
import java.util.function.Supplier;

/**
 * The rounds of reconfigurations that a node takes part in, one after the other: a FREEZE begins a round, and the other steps are of the round that has begun
 * last.
 *
 * <p>An order is {@linkplain #accept accepted} on a thread that must not wait, and its step begins {@linkplain #begin later}, on another
 * one. Meanwhile the next round may have begun: its leader sends a FREEZE as soon as it has given the round before up. Then the step must not begin. What has
 * begun before a FREEZE may end after it; {@link NodeRecovery} knows that by its own count.
 *
 * <p>Thread-safe.
 */
final class RecoveryRounds {
    private final int node;
    /** Held while a step begins, so that no round begins between the last look and the step. */
    private final Object beginning = new Object();

    private long term;
    private long round;

    RecoveryRounds(int node) {
        this.node = node;
    }

    /**
     * Takes an order, if it is of the round that has begun last or begins one.
     *
     * @throws ControlFailure when it is not
     */
    synchronized void accept(RecoveryOrder order) {
        if (order.step() != RecoveryOrder.Step.FREEZE) {
            check(order);
        } else if (order.isAfter(term, round)) {
            term = order.term();
            round = order.round();
        } else {
            throw refuse(order);
        }
    }

    /**
     * Begins the step of an order that was accepted, unless another round has begun since.
     *
     * @param step what begins; may wait, and other steps for it
     * @return what the step returns
     * @throws ControlFailure when another round has begun
     */
    <T> T begin(RecoveryOrder order, Supplier<T> step) {
        synchronized (beginning) {
            check(order);
            return step.get();
        }
    }

    /**
     * Checks that the round of an order is still the last that has begun. Does not wait.
     *
     * @throws ControlFailure when it is not
     */
    synchronized void check(RecoveryOrder order) {
        if (order.term() != term || order.round() != round) {
            throw refuse(order);
        }
    }

    private ControlFailure refuse(RecoveryOrder order) {
        return new ControlFailure("node " + node + " takes no order of term " + order.term() + ", round "
                + order.round() + ": it has seen term " + term + ", round " + round);
    }
}
