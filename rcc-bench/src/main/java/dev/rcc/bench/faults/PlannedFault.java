package dev.rcc.bench.faults;

import java.util.Locale;

/**
 * A fault as it was drawn.
 *
 * @param number the fault's place in the schedule, from 1
 * @param node the node that the fault hits
 * @param other the second node, where the kind hits two; else {@code node}
 * @param calmMillis time from when the cluster is whole to the fault
 * @param betweenMillis time between the first and the second kill; for a kill during a return, from when the node's new process can answer
 * @param downMillis time from the last kill to the start of new processes; for a stopped process, until it resumes
 * @param lostPermille how much of its log's newest file the node loses, of a thousand; 0 where the kind cuts none
 */
public record PlannedFault(
        int number,
        FaultKind kind,
        int node,
        int other,
        int calmMillis,
        int betweenMillis,
        int downMillis,
        int lostPermille) {
    private static final double PERMILLE_OF_A_PERCENT = 10;

    /** The fault as a line of a schedule, without its number. */
    public String describe() {
        String what = switch (kind) {
            case KILL -> "kill node %d; start it after %d ms".formatted(node, downMillis);
            case TERM -> "SIGTERM to node %d; start it %d ms after its end".formatted(node, downMillis);
            case STOP -> "SIGSTOP to node %d for %d ms".formatted(node, downMillis);
            case KILL_AGAIN ->
                "kill node %d; start it after %d ms, kill it again when its process is %d ms old, start it"
                        .formatted(node, downMillis, betweenMillis);
            case KILL_TWO ->
                "kill node %d, node %d after %d ms; start both after %d ms"
                        .formatted(node, other, betweenMillis, downMillis);
            case KILL_OTHER ->
                "kill node %d; start it after %d ms, kill node %d when its process is %d ms old, start that"
                        .formatted(node, downMillis, other, betweenMillis);
            case KILL_ALL -> "kill all nodes; start them after %d ms".formatted(downMillis);
            case CUT_LOG ->
                "kill all nodes, cut off %.1f %% of the last file of node %d's log; start them after %d ms"
                        .formatted(lostPermille / PERMILLE_OF_A_PERCENT, node, downMillis);
        };
        return String.format(Locale.ROOT, "%-11s after %4d ms: %s", kind.label(), calmMillis, what);
    }
}
