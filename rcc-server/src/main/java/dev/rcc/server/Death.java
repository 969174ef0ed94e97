package dev.rcc.server;

import java.util.Objects;

/**
 * How a node of a {@link SimulatedCluster} is to die.
 *
 * @param node the node; if it is dead already, the next one that lives
 * @param whoLacks whether to take, if there is one, a node that has not got the log entry that the death before was about
 * @param moment when
 * @param delayNanos how much later than that, in virtual nanoseconds
 * @param latestNanos when at the latest, after the death before or the start, as the moment need not come
 * @param noticeNanos until the others take it out
 */
public record Death(int node, boolean whoLacks, Moment moment, long delayNanos, long latestNanos, long noticeNanos) {
    /** Checks the numbers. */
    public Death {
        Objects.requireNonNull(moment, "moment");
        if (node < 0 || delayNanos < 0 || latestNanos < 0 || noticeNanos < 0) {
            throw new IllegalArgumentException("a death's node and times must be at least 0, got node " + node
                    + ", delay " + delayNanos + ", latest " + latestNanos + ", notice " + noticeNanos);
        }
    }
}
