package dev.rcc.bench.faults;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SplittableRandom;

/** Draws the faults, their nodes and their times: the same for the same seed, number, kinds and shape of the cluster. */
public final class FaultSchedule {
    private static final int CALM_MILLIS_MIN = 500;
    private static final int CALM_MILLIS_MAX = 2_000;
    /** Two nodes within a quarter of a second: before the other nodes have gone on without the first. */
    private static final int BETWEEN_TWO_MILLIS_MAX = 250;

    private static final int BETWEEN_MILLIS_MAX = 1_500;
    private static final int DOWN_MILLIS_MIN = 200;
    private static final int DOWN_MILLIS_MAX = 4_000;
    private static final int STOP_MILLIS_MAX = 4_000;
    private static final int ALL_PERMILLE = 1_000;

    private FaultSchedule() {}

    /**
     * A schedule.
     *
     * @param kinds the kinds that may be drawn, all of which the cluster survives; at least one
     */
    public static List<PlannedFault> draw(long seed, int count, ClusterShape shape, Collection<FaultKind> kinds) {
        SplittableRandom random = new SplittableRandom(seed);
        List<FaultKind> urn = new ArrayList<>();
        for (FaultKind kind : FaultKind.values()) { // not in the collection's order, which may be any
            for (int i = 0; kinds.contains(kind) && i < kind.weight(); i++) {
                urn.add(kind);
            }
        }
        List<PlannedFault> schedule = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            schedule.add(draw(i, urn.get(random.nextInt(urn.size())), shape, random));
        }
        return schedule;
    }

    private static PlannedFault draw(int number, FaultKind kind, ClusterShape shape, SplittableRandom random) {
        int node = random.nextInt(shape.nodes());
        boolean hitsTwo = kind == FaultKind.KILL_TWO || kind == FaultKind.KILL_OTHER;
        int other = hitsTwo ? (node + 1 + random.nextInt(shape.nodes() - 1)) % shape.nodes() : node;
        int calm = random.nextInt(CALM_MILLIS_MIN, CALM_MILLIS_MAX);
        int between = random.nextInt(kind == FaultKind.KILL_TWO ? BETWEEN_TWO_MILLIS_MAX : BETWEEN_MILLIS_MAX);
        int down = kind == FaultKind.STOP
                ? shape.failureMillis() + shape.failureMillis() / 2 + random.nextInt(STOP_MILLIS_MAX)
                : random.nextInt(DOWN_MILLIS_MIN, DOWN_MILLIS_MAX);
        int lost = kind == FaultKind.CUT_LOG ? 1 + random.nextInt(ALL_PERMILLE) : 0;
        return new PlannedFault(number, kind, node, other, calm, between, down, lost);
    }
}
