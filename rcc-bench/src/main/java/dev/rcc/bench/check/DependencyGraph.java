package dev.rcc.bench.check;

import dev.rcc.bench.history.History;
import dev.rcc.bench.history.Status;
import java.util.Arrays;
import java.util.BitSet;

/**
 * The direct serialization graph: which transactions come directly before which. Its nodes are the history's transactions
 * and, for edges of real time, a chain of the moments at which transactions ended: each transaction leads to the moment of
 * its end, each moment to the next, and the last moment before a transaction began leads to that transaction. So real time
 * costs three edges a transaction, and not one for each pair.
 *
 * <p>An edge takes four bytes: its target and its kind. Its key and version are looked up again when it is explained.
 */
final class DependencyGraph {
    private static final int NOTHING = -1;

    private final int transactions;
    private final int[] from;
    private final int[] packed;
    private final long dependencies;

    DependencyGraph(History history, BitSet counted, Dependencies dependencies, boolean hasRealTime) {
        this.transactions = history.size();
        long[] moments = hasRealTime ? moments(history, counted) : new long[0];
        int nodes = Math.addExact(transactions, moments.length);
        if (nodes > Integer.MAX_VALUE >>> Edge.BITS) {
            throw new IllegalArgumentException("history: got " + transactions + " transactions, allowed: fewer");
        }
        from = new int[nodes + 1];
        dependencies.forEach((source, target, edge, key, place) -> from[source + 1]++);
        forEachInTime(history, counted, moments, (source, target, edge, key, place) -> from[source + 1]++);
        for (int node = 0; node < nodes; node++) {
            from[node + 1] = Math.addExact(from[node], from[node + 1]);
        }
        packed = new int[from[nodes]];
        int[] next = Arrays.copyOf(from, nodes);
        long[] filled = new long[1];
        dependencies.forEach((source, target, edge, key, place) -> {
            packed[next[source]++] = edge.pack(target);
            filled[0]++;
        });
        this.dependencies = filled[0];
        forEachInTime(
                history,
                counted,
                moments,
                (source, target, edge, key, place) -> packed[next[source]++] = edge.pack(target));
    }

    /** Takes the edges one by one. */
    @FunctionalInterface
    interface EdgeConsumer {
        /**
         * The source comes before the target.
         *
         * @param key the key on which they conflict
         * @param place the place of the written version in the {@link dev.rcc.bench.history.VersionOrder}
         */
        void edge(int source, int target, Edge edge, int key, int place);
    }

    /** Passes the same edges to a consumer each time. */
    @FunctionalInterface
    interface Dependencies {
        void forEach(EdgeConsumer consumer);
    }

    int nodes() {
        return from.length - 1;
    }

    /** Whether a node is a transaction, and not a moment. */
    boolean isTransaction(int node) {
        return node < transactions;
    }

    /** The first edge of a node; the node's edges end before the first edge of {@code node + 1}. */
    int edgesFrom(int node) {
        return from[node];
    }

    int packed(int edge) {
        return packed[edge];
    }

    /** Number of edges without those of real time. */
    long dependencies() {
        return dependencies;
    }

    private static long[] moments(History history, BitSet counted) {
        return counted.stream()
                .filter(t -> hasEnd(history, t))
                .mapToLong(history::endNanos)
                .sorted()
                .distinct()
                .toArray();
    }

    /** A transaction with an unknown outcome may take effect at any time after it began. */
    private static boolean hasEnd(History history, int t) {
        return history.endNanos(t) != History.NO_TIME && history.status(t) != Status.UNKNOWN;
    }

    private void forEachInTime(History history, BitSet counted, long[] moments, EdgeConsumer consumer) {
        if (moments.length == 0) {
            return;
        }
        for (int t = counted.nextSetBit(0); t >= 0; t = counted.nextSetBit(t + 1)) {
            if (hasEnd(history, t)) {
                int moment = Arrays.binarySearch(moments, history.endNanos(t));
                consumer.edge(t, transactions + moment, Edge.TIME, NOTHING, NOTHING);
            }
            if (history.startNanos(t) != History.NO_TIME) {
                int found = Arrays.binarySearch(moments, history.startNanos(t));
                int before = (found >= 0 ? found : -found - 1) - 1;
                if (before >= 0) {
                    consumer.edge(transactions + before, t, Edge.TIME, NOTHING, NOTHING);
                }
            }
        }
        for (int moment = 1; moment < moments.length; moment++) {
            consumer.edge(transactions + moment - 1, transactions + moment, Edge.TIME, NOTHING, NOTHING);
        }
    }
}
