package dev.rcc.server.simulation;

import java.util.Objects;

/**
 * The planned death of a node of a simulated cluster.
 *
 * @param node the node; if it is dead already, the next one that lives, until it is back
 * @param victim the choice of another node to take instead, if there is such a node
 * @param moment the moment of the death
 * @param delayNanos the time from the moment to the death, in virtual nanoseconds
 * @param latestNanos the latest time of the moment, after the death before or the start, as the moment need not come
 * @param noticeNanos the time until the other nodes take it out
 * @param returnNanos the time until it begins another incarnation, whether the other nodes have noticed or not; {@link #FOR_EVER} if it
 *     does not
 * @param takesZone whether all other nodes of its zone die with it, and come back as it does
 * @param isFalse whether it lives on until it begins another incarnation, and has only lost its lease: the other nodes are wrong about its
 *     death
 */
public record Death(
        int node,
        Victim victim,
        Moment moment,
        long delayNanos,
        long latestNanos,
        long noticeNanos,
        long returnNanos,
        boolean takesZone,
        boolean isFalse) {
    /** Stands for a node that does not come back. */
    public static final long FOR_EVER = -1;

    /** The choice of the node that dies. */
    public enum Victim {
        /** The named node. */
        NODE,
        /** A node that has not received the log entry of the death before. */
        LACKS_ENTRY,
        /** A node that has that entry, while another node has not received it. */
        HAS_ENTRY
    }

    /** Checks the numbers. */
    public Death {
        Objects.requireNonNull(moment, "moment");
        Objects.requireNonNull(victim, "victim");
        if (node < 0 || delayNanos < 0 || latestNanos < 0 || noticeNanos < 0 || returnNanos < FOR_EVER) {
            throw new IllegalArgumentException("a death's node and times must be at least 0, got node " + node
                    + ", delay " + delayNanos + ", latest " + latestNanos + ", notice " + noticeNanos + ", return "
                    + returnNanos);
        }
        if (isFalse && (returnNanos == FOR_EVER || returnNanos < noticeNanos)) {
            throw new IllegalArgumentException("a node that lives on ends after the others have taken it out, at "
                    + noticeNanos + ", got return " + returnNanos);
        }
    }

    /** The death of a node that does not come back. */
    public Death(int node, Victim victim, Moment moment, long delayNanos, long latestNanos, long noticeNanos) {
        this(node, victim, moment, delayNanos, latestNanos, noticeNanos, FOR_EVER, false, false);
    }

    /** The same death, of a node that begins another incarnation {@code nanos} later. */
    public Death returning(long nanos) {
        return new Death(node, victim, moment, delayNanos, latestNanos, noticeNanos, nanos, takesZone, false);
    }

    /**
     * The same death, of a node that has not died: it has only lost its lease. {@code nanos} after the other nodes have taken it out it
     * begins another incarnation.
     */
    public Death suspected(long nanos) {
        return new Death(
                node,
                victim,
                moment,
                delayNanos,
                latestNanos,
                noticeNanos,
                Math.addExact(noticeNanos, nanos),
                takesZone,
                true);
    }

    /** The same death, of the node's whole zone. */
    public Death ofZone() {
        return new Death(node, victim, moment, delayNanos, latestNanos, noticeNanos, returnNanos, true, isFalse);
    }

    /** Whether the node does not come back. */
    public boolean isForEver() {
        return returnNanos == FOR_EVER;
    }
}
