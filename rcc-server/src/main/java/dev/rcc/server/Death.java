package dev.rcc.server;

import java.util.Objects;

/**
 * How a node of a {@link SimulatedCluster} is to die.
 *
 * @param node the node; if it is dead already, the next one that lives, until it is back
 * @param whoLacks whether to take, if there is one, a node that has not got the log entry that the death before was about
 * @param moment when
 * @param delayNanos how much later than that, in virtual nanoseconds
 * @param latestNanos when at the latest, after the death before or the start, as the moment need not come
 * @param noticeNanos until the others take it out
 * @param returnNanos until it begins another life, whether the others have noticed or not; {@link #FOR_EVER} if it does not
 */
public record Death(
        int node,
        boolean whoLacks,
        Moment moment,
        long delayNanos,
        long latestNanos,
        long noticeNanos,
        long returnNanos) {
    /** Stands for a node that does not come back. */
    public static final long FOR_EVER = -1;

    /** Checks the numbers. */
    public Death {
        Objects.requireNonNull(moment, "moment");
        if (node < 0 || delayNanos < 0 || latestNanos < 0 || noticeNanos < 0 || returnNanos < FOR_EVER) {
            throw new IllegalArgumentException("a death's node and times must be at least 0, got node " + node
                    + ", delay " + delayNanos + ", latest " + latestNanos + ", notice " + noticeNanos + ", return "
                    + returnNanos);
        }
    }

    /** The death of a node that does not come back. */
    public Death(int node, boolean whoLacks, Moment moment, long delayNanos, long latestNanos, long noticeNanos) {
        this(node, whoLacks, moment, delayNanos, latestNanos, noticeNanos, FOR_EVER);
    }

    /** The same, of a node that begins another life {@code nanos} later. */
    public Death returning(long nanos) {
        return new Death(node, whoLacks, moment, delayNanos, latestNanos, noticeNanos, nanos);
    }

    boolean isForEver() {
        return returnNanos == FOR_EVER;
    }
}
