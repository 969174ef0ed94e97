package dev.rcc.bench.check;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * Looks for a shortest cycle through an edge of a certain kind: from each such edge's target, breadth first, back to its
 * source. Looks for short cycles through all edges before it looks for longer ones. A transaction adds one to a cycle's
 * length, a moment nothing.
 */
final class CycleSearch {
    private static final int[] LENGTHS = {2, 3, 5, 9, Integer.MAX_VALUE};

    private final DependencyGraph graph;
    private final long patience;
    private final int[] reachedIn;
    private final int[] reachedFrom;
    private final int[] reachedBy;
    private int[] level = new int[64];
    private int[] nextLevel = new int[64];
    private int round;
    private long looked;
    private boolean isCutOff;

    /**
     * Prepares searches.
     *
     * @param patience the number of edges after which a search gives up and keeps the best cycle so far
     */
    CycleSearch(DependencyGraph graph, long patience) {
        this.graph = graph;
        this.patience = patience;
        this.reachedIn = new int[graph.nodes()];
        this.reachedFrom = new int[graph.nodes()];
        this.reachedBy = new int[graph.nodes()];
    }

    /** An edge between two transactions. */
    record Step(int source, int target, Edge edge) {}

    /** Whether the last search gave up before it had looked everywhere. */
    boolean isCutOff() {
        return isCutOff;
    }

    /**
     * Finds a shortest cycle. A search that gives up finds some cycle all the same if {@code rest} contains {@code through}.
     *
     * @param through the kind of edge that the cycle must have
     * @param rest the set of kinds that the cycle's other edges may have
     * @param within the components, by the edges of {@code rest} and {@code through}, to search
     * @return the cycle's edges in order, first the edge {@code through}; empty if no cycle was found
     */
    List<Step> shortest(Edge through, int rest, Components within) {
        looked = 0;
        isCutOff = false;
        List<Step> best = List.of();
        for (int i = 0; i < LENGTHS.length && best.isEmpty() && !isCutOff; i++) {
            best = shortest(through, rest, within, LENGTHS[i]);
        }
        boolean isEachOnACycle = Edge.isIn(rest, through.pack(0));
        return best.isEmpty() && isCutOff && isEachOnACycle ? ofFirstEdge(through, rest, within) : best;
    }

    /**
     * A cycle through the first edge of a kind. There is one if the cycle's other edges may be of that kind, too: then the edges that may be used
     * lead from each transaction of a component to each other one.
     */
    private List<Step> ofFirstEdge(Edge through, int rest, Components within) {
        for (int source = 0; source < graph.nodes(); source++) {
            for (int edge = graph.edgesFrom(source); edge < graph.edgesFrom(source + 1); edge++) {
                int packed = graph.packed(edge);
                int target = Edge.target(packed);
                if (Edge.of(packed) == through
                        && within.isInside(source, target)
                        && reaches(target, source, rest, within, Integer.MAX_VALUE)) {
                    return cycle(source, target, through);
                }
            }
        }
        return List.of();
    }

    private List<Step> shortest(Edge through, int rest, Components within, int maxLength) {
        List<Step> best = List.of();
        int longest = maxLength;
        for (int source = 0; source < graph.nodes() && longest >= 2; source++) {
            for (int edge = graph.edgesFrom(source); edge < graph.edgesFrom(source + 1); edge++) {
                int packed = graph.packed(edge);
                int target = Edge.target(packed);
                if (Edge.of(packed) != through || !within.isInside(source, target)) {
                    continue;
                }
                if (reaches(target, source, rest, within, longest - 1)) {
                    best = cycle(source, target, through);
                    longest = best.size() - 1;
                }
                if (looked > patience) {
                    isCutOff = true;
                    return best;
                }
            }
        }
        return best;
    }

    /** Whether a path of at most {@code maxLength} edges leads from one transaction to another. */
    private boolean reaches(int start, int goal, int rest, Components within, int maxLength) {
        round++;
        reachedIn[start] = round;
        level[0] = start;
        int size = 1;
        for (int length = 1; size > 0 && length <= maxLength; length++) {
            int nextSize = 0;
            for (int i = 0; i < size; i++) {
                int node = level[i];
                for (int edge = graph.edgesFrom(node); edge < graph.edgesFrom(node + 1); edge++) {
                    looked++;
                    int packed = graph.packed(edge);
                    int target = Edge.target(packed);
                    if (!Edge.isIn(rest, packed) || reachedIn[target] == round || !within.isInside(node, target)) {
                        continue;
                    }
                    reachedIn[target] = round;
                    reachedFrom[target] = node;
                    reachedBy[target] = packed;
                    if (target == goal) {
                        return true;
                    }
                    if (graph.isTransaction(target)) {
                        nextLevel = grown(nextLevel, nextSize);
                        nextLevel[nextSize++] = target;
                    } else {
                        level = grown(level, size);
                        level[size++] = target;
                    }
                }
            }
            int[] done = level;
            level = nextLevel;
            nextLevel = done;
            size = nextSize;
        }
        return false;
    }

    private static int[] grown(int[] array, int size) {
        return size < array.length ? array : Arrays.copyOf(array, size * 2);
    }

    private List<Step> cycle(int source, int target, Edge through) {
        List<Step> backwards = new ArrayList<>();
        int node = source;
        while (node != target) {
            int from = reachedFrom[node];
            Edge edge = Edge.of(reachedBy[node]);
            while (!graph.isTransaction(from)) {
                from = reachedFrom[from];
            }
            backwards.add(new Step(from, node, edge));
            node = from;
        }
        backwards.add(new Step(source, target, through));
        Collections.reverse(backwards);
        return backwards;
    }
}
