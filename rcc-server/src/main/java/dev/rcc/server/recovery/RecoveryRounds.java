package dev.rcc.server.recovery;

import dev.rcc.transport.control.ControlFailure;
import java.util.function.Supplier;

/**
 * The rounds of reconfigurations that a node takes part in, one after the other: a FREEZE begins a round, and the other steps belong to the
 * round that began last.
 *
 * <p>An order is {@linkplain #accept accepted} on a thread that must not wait, and its step begins {@linkplain #begin later}, on another
 * thread. Meanwhile the next round may have begun: its leader sends a FREEZE as soon as it has given up the round before. Then the step
 * must not begin. A step that began before a FREEZE may end after it; {@link NodeRecovery} detects that by its own count of rounds.
 *
 * <p>Thread-safe.
 */
final class RecoveryRounds {
    private final int node;
    /** Held while a step begins, so that no step of another round begins between the check and this step. */
    private final Object beginning = new Object();

    private long term;
    private long round;

    RecoveryRounds(int node) {
        this.node = node;
    }

    /**
     * Takes an order, if it belongs to the round that began last or begins another one.
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
     * @param step the step; may wait, and other steps wait for it
     * @return the step's result
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
        return new ControlFailure("node " + node + " rejects an order of term " + order.term() + ", round "
                + order.round() + ": the current one is term " + term + ", round " + round);
    }
}
