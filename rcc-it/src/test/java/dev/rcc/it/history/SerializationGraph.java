package dev.rcc.it.history;

import dev.rcc.it.history.History.Committed;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The direct serialization graph of a history (Adya): its nodes are the transactions, its edges say who must come before
 * whom. The history is serializable if the graph has no cycle.
 */
public final class SerializationGraph {
    private final List<Committed> transactions;
    private final List<List<Edge>> edges = new ArrayList<>();
    private final Map<String, NavigableMap<Long, Integer>> writers = new HashMap<>();
    private final List<String> violations = new ArrayList<>();

    private SerializationGraph(History history) {
        this.transactions = history.transactions();
    }

    /** Why one transaction comes before another. */
    enum Kind {
        /** The second read what the first wrote. */
        WR,
        /** The second overwrote what the first wrote. */
        WW,
        /** The second overwrote what the first read. */
        RW
    }

    record Edge(int from, int to, Kind kind, String item, long version) {}

    /**
     * What is wrong with a history: versions that make no sense, or else a shortest cycle, with the reason of each edge.
     *
     * @return the verdict in words, or empty if the history is serializable
     */
    public static Optional<String> anomaly(History history) {
        SerializationGraph graph = new SerializationGraph(history);
        graph.collectWriters();
        graph.collectEdges();
        if (!graph.violations.isEmpty()) {
            return Optional.of(String.join("\n", graph.violations));
        }
        return graph.shortestCycle().map(graph::describe);
    }

    private void collectWriters() {
        for (int t = 0; t < transactions.size(); t++) {
            edges.add(new ArrayList<>());
            Committed txn = transactions.get(t);
            for (Map.Entry<String, Long> write : txn.writes().entrySet()) {
                Integer other = writersOf(write.getKey()).put(write.getValue(), t);
                if (other != null) {
                    violations.add(
                            txn.name() + " and " + transactions.get(other).name() + " both wrote version "
                                    + write.getValue() + " of " + write.getKey());
                }
            }
        }
    }

    private void collectEdges() {
        for (int t = 0; t < transactions.size(); t++) {
            for (Map.Entry<String, Long> read : transactions.get(t).reads().entrySet()) {
                addRead(t, read.getKey(), read.getValue());
            }
        }
        writers.forEach((item, versions) -> {
            Map.Entry<Long, Integer> before = null;
            for (Map.Entry<Long, Integer> write : versions.entrySet()) {
                if (before != null) {
                    add(new Edge(before.getValue(), write.getValue(), Kind.WW, item, before.getKey()));
                }
                before = write;
            }
        });
    }

    private void addRead(int reader, String item, long version) {
        NavigableMap<Long, Integer> versions = writersOf(item);
        Integer writer = versions.get(version);
        Map.Entry<Long, Integer> next = versions.higherEntry(version);
        if (writer != null) {
            add(new Edge(writer, reader, Kind.WR, item, version));
        } else if (versions.lowerEntry(version) != null) {
            violations.add(transactions.get(reader).name() + " read version " + version + " of " + item
                    + ", which nobody wrote who committed");
        }
        if (next != null) {
            add(new Edge(reader, next.getValue(), Kind.RW, item, version));
        }
    }

    private NavigableMap<Long, Integer> writersOf(String item) {
        return writers.computeIfAbsent(item, i -> new TreeMap<>(Long::compareUnsigned));
    }

    private void add(Edge edge) {
        if (edge.from != edge.to) {
            edges.get(edge.from).add(edge);
        }
    }

    private Optional<List<Edge>> shortestCycle() {
        List<Edge> shortest = null;
        int[] components = components();
        int[] sizes = new int[transactions.size()];
        for (int component : components) {
            sizes[component]++;
        }
        for (int t = 0; t < transactions.size(); t++) {
            if (sizes[components[t]] > 1) {
                List<Edge> cycle = shortestCycleThrough(t, components);
                shortest = shortest == null || cycle.size() < shortest.size() ? cycle : shortest;
                if (shortest.size() == 2) {
                    break;
                }
            }
        }
        return Optional.ofNullable(shortest);
    }

    /** Breadth first from {@code start} back to itself, without leaving its component. */
    private List<Edge> shortestCycleThrough(int start, int[] components) {
        Edge[] reachedBy = new Edge[transactions.size()];
        Deque<Integer> queue = new ArrayDeque<>(List.of(start));
        while (!queue.isEmpty()) {
            for (Edge edge : edges.get(queue.remove())) {
                if (components[edge.to] == components[start] && reachedBy[edge.to] == null) {
                    reachedBy[edge.to] = edge;
                    queue.add(edge.to);
                }
            }
        }
        List<Edge> cycle = new ArrayList<>();
        Edge edge = reachedBy[start];
        while (edge.from != start) {
            cycle.add(edge);
            edge = reachedBy[edge.from];
        }
        cycle.add(edge);
        Collections.reverse(cycle);
        return cycle;
    }

    /** The strongly connected component of each transaction, numbered by one of its members (Tarjan, without recursion). */
    private int[] components() {
        int n = transactions.size();
        int[] components = new int[n];
        int[] order = new int[n];
        int[] low = new int[n];
        int[] nextEdge = new int[n];
        boolean[] open = new boolean[n];
        Deque<Integer> path = new ArrayDeque<>();
        Deque<Integer> unassigned = new ArrayDeque<>();
        Arrays.fill(order, -1);
        int visited = 0;
        for (int root = 0; root < n; root++) {
            if (order[root] < 0) {
                path.push(root);
            }
            while (!path.isEmpty()) {
                int t = path.peek();
                if (order[t] < 0) {
                    order[t] = visited;
                    low[t] = visited++;
                    open[t] = true;
                    unassigned.push(t);
                }
                if (nextEdge[t] < edges.get(t).size()) {
                    int to = edges.get(t).get(nextEdge[t]++).to;
                    if (order[to] < 0) {
                        path.push(to);
                    } else if (open[to]) {
                        low[t] = Math.min(low[t], order[to]);
                    }
                    continue;
                }
                path.pop();
                if (!path.isEmpty()) {
                    low[path.peek()] = Math.min(low[path.peek()], low[t]);
                }
                if (low[t] == order[t]) {
                    int member;
                    do {
                        member = unassigned.pop();
                        open[member] = false;
                        components[member] = t;
                    } while (member != t);
                }
            }
        }
        return components;
    }

    private String describe(List<Edge> cycle) {
        StringBuilder text = new StringBuilder("not serializable, a cycle of " + cycle.size() + " transactions:");
        for (Edge edge : cycle) {
            String to = transactions.get(edge.to).name();
            text.append("\n  ")
                    .append(transactions.get(edge.from).name())
                    .append(" before ")
                    .append(to)
                    .append(", since ");
            text.append(to)
                    .append(
                            switch (edge.kind) {
                                case WR -> " read its version " + edge.version + " of " + edge.item;
                                case WW -> " overwrote its version " + edge.version + " of " + edge.item;
                                case RW ->
                                    " overwrote version " + edge.version + " of " + edge.item + ", which it had read";
                            });
        }
        for (Edge edge : cycle) {
            text.append("\n  ").append(transactions.get(edge.from));
        }
        return text.toString();
    }
}
