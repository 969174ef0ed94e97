package dev.rcc.bench.agent;

import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;

/** The progress pages of nodes under faults: configurations, members, commits. Waits by polling the pages. */
final class ProgressPages {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final long LOOK_MILLIS = 10;

    private final ProcessBench bench;
    private final int nodes;

    ProgressPages(ProcessBench bench, int nodes) {
        this.bench = bench;
        this.nodes = nodes;
    }

    /**
     * Waits until a node's page meets a condition.
     *
     * @param what the state that is then reached, for the message
     * @throws IllegalStateException when the page does not meet it within two minutes
     */
    void await(int node, String what, Predicate<JsonNode> condition) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        for (JsonNode page = of(node); !condition.test(page); page = of(node)) {
            if (System.nanoTime() - deadline > 0) {
                throw new IllegalStateException(
                        "no sign that node " + node + " " + what + " for " + PATIENCE + ": " + page);
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        }
    }

    /** The last epoch that any node outside {@code silent} reports. */
    long epochWithout(List<Integer> silent) throws InterruptedException {
        long epoch = 0;
        for (int node = 0; node < nodes; node++) {
            if (!silent.contains(node)) {
                epoch = Math.max(epoch, epoch(of(node)));
            }
        }
        return epoch;
    }

    /** The nodes that are not in the last configuration. */
    List<Integer> expelled() throws InterruptedException {
        JsonNode last = of(0);
        for (int node = 1; node < nodes; node++) {
            JsonNode page = of(node);
            last = epoch(page) > epoch(last) ? page : last;
        }
        BitSet out = new BitSet();
        out.set(0, nodes);
        for (JsonNode member : last.required("members")) {
            out.clear(member.asInt());
        }
        return out.stream().boxed().toList();
    }

    /**
     * Waits until some node commits in a configuration after {@code epoch}.
     *
     * @param silent nodes whose pages are not read
     * @return the time of the first such commit, by {@link System#nanoTime}
     * @throws IllegalStateException when no node commits within two minutes
     */
    long firstCommitAfter(long epoch, List<Integer> silent) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            long first = Long.MAX_VALUE;
            for (int node = 0; node < nodes; node++) {
                first = silent.contains(node) ? first : Math.min(first, firstCommitAfter(epoch, of(node)));
            }
            if (first < Long.MAX_VALUE) {
                return first;
            }
            if (System.nanoTime() - deadline > 0) {
                throw new IllegalStateException("nothing commits in a configuration after " + epoch + " for " + PATIENCE
                        + (silent.isEmpty() ? "" : ", without nodes " + silent));
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        }
    }

    private static long firstCommitAfter(long epoch, JsonNode page) {
        return page.required("first_commit_nanos").properties().stream()
                .filter(each -> Long.parseLong(each.getKey()) > epoch)
                .mapToLong(each -> each.getValue().asLong())
                .min()
                .orElse(Long.MAX_VALUE);
    }

    private static long epoch(JsonNode page) {
        return page.required("epoch").asLong();
    }

    private JsonNode of(int node) throws InterruptedException {
        return bench.agent(node).post("progress", "");
    }
}
