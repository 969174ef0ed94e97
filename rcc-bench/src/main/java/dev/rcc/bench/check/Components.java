package dev.rcc.bench.check;

import java.util.Arrays;

/**
 * The strongly connected components of a graph, or of a part of it, of more than one node: all cycles are in them (Tarjan,
 * "Depth-first search and linear graph algorithms", 1972, without recursion).
 */
final class Components {
    private static final int NONE = -1;

    private final DependencyGraph graph;
    private final int edges;
    private final Components within;
    private final int[] component;
    private final int[] order;
    private final int[] low;
    private final int[] nextEdge;
    private final int[] path;
    private final int[] open;
    private int pathSize;
    private int openSize;
    private int seen;
    private int count;

    /**
     * Finds the components.
     *
     * @param edges the set of edges that count
     * @param within the components to which the search is limited; null for the whole graph
     */
    Components(DependencyGraph graph, int edges, Components within) {
        this.graph = graph;
        this.edges = edges;
        this.within = within;
        int nodes = graph.nodes();
        component = filled(nodes);
        order = filled(nodes);
        low = new int[nodes];
        nextEdge = new int[nodes];
        path = new int[nodes];
        open = new int[nodes];
        for (int root = 0; root < nodes; root++) {
            if (order[root] == NONE && (within == null || within.component[root] != NONE)) {
                search(root);
            }
        }
    }

    /** Number of components. */
    int count() {
        return count;
    }

    /** Whether an edge between two nodes stays in one component. */
    boolean isInside(int source, int target) {
        return component[source] != NONE && component[source] == component[target];
    }

    private void search(int root) {
        enter(root);
        while (pathSize > 0) {
            int node = path[pathSize - 1];
            int child = nextChild(node);
            if (child == NONE) {
                leave(node);
            } else {
                enter(child);
            }
        }
    }

    /** The next unvisited node to which this node leads. */
    private int nextChild(int node) {
        while (nextEdge[node] < graph.edgesFrom(node + 1)) {
            int packed = graph.packed(nextEdge[node]++);
            int target = Edge.target(packed);
            if (!Edge.isIn(edges, packed) || (within != null && !within.isInside(node, target))) {
                continue;
            }
            if (order[target] == NONE) {
                return target;
            }
            if (isOpen(target)) {
                low[node] = Math.min(low[node], order[target]);
            }
        }
        return NONE;
    }

    private void enter(int node) {
        order[node] = seen;
        low[node] = seen;
        seen++;
        nextEdge[node] = graph.edgesFrom(node);
        path[pathSize++] = node;
        open[openSize++] = node;
    }

    private void leave(int node) {
        pathSize--;
        if (pathSize > 0) {
            int parent = path[pathSize - 1];
            low[parent] = Math.min(low[parent], low[node]);
        }
        if (low[node] == order[node]) {
            close(node);
        }
    }

    /** Closes the component that was entered by this node; a single node is not a component. */
    private void close(int entry) {
        boolean isAlone = open[openSize - 1] == entry;
        int member;
        do {
            member = open[--openSize];
            component[member] = isAlone ? NONE : count;
            low[member] = NONE;
        } while (member != entry);
        if (!isAlone) {
            count++;
        }
    }

    private boolean isOpen(int node) {
        return low[node] != NONE;
    }

    private static int[] filled(int nodes) {
        int[] array = new int[nodes];
        Arrays.fill(array, NONE);
        return array;
    }
}
