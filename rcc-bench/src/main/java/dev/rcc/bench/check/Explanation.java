package dev.rcc.bench.check;

import dev.rcc.bench.check.CycleSearch.Step;
import dev.rcc.bench.history.History;
import dev.rcc.bench.history.Op;
import dev.rcc.bench.history.VersionOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Describes findings in words. */
final class Explanation {
    private final History history;
    private final VersionOrder order;
    private final int maxOperations;

    Explanation(History history, VersionOrder order, int maxOperations) {
        this.history = history;
        this.order = order;
        this.maxOperations = maxOperations;
    }

    /** The cause of an edge: a key, and the place of the version that was written. */
    private record About(int key, int place) {}

    Finding finding(Anomaly anomaly, String title, List<String> reasons, int... transactions) {
        return new Finding(
                anomaly,
                title,
                IntStream.of(transactions).mapToObj(history::name).toList(),
                reasons,
                IntStream.of(transactions)
                        .mapToObj(t -> history.describe(t, maxOperations))
                        .toList());
    }

    /** A cycle, with the reason of each edge. */
    Finding cycle(Anomaly anomaly, List<Step> steps, Reads reads) {
        Map<Step, About> abouts = abouts(steps, reads);
        List<String> reasons = new ArrayList<>();
        for (Step step : steps) {
            reasons.add(history.name(step.source()) + " before " + history.name(step.target()) + ", since "
                    + reason(step, abouts.get(step)));
        }
        String title = (isLostUpdate(anomaly, steps, abouts) ? "a lost update" : anomaly.meaning()) + ", a cycle of "
                + steps.size() + " transactions";
        return finding(
                anomaly, title, reasons, steps.stream().mapToInt(Step::source).toArray());
    }

    /** A version of an operation's key. */
    String version(int op, long version) {
        if (history.isList(history.key(op))) {
            return "element " + Long.toUnsignedString(version) + " of " + history.keyName(history.key(op));
        }
        return history.keyName(history.key(op)) + " (version " + Long.toUnsignedString(version) + ")";
    }

    /** The list that an operation has read. */
    String list(int op) {
        return Arrays.stream(history.listRead(op))
                .mapToObj(Long::toUnsignedString)
                .collect(Collectors.joining(" ", "[", "]"));
    }

    /** Goes through the history once more, and keeps the causes of the cycle's edges. */
    private static Map<Step, About> abouts(List<Step> steps, Reads reads) {
        Map<Step, About> abouts = new HashMap<>();
        Set<Step> wanted = new LinkedHashSet<>(steps);
        boolean[] isSource =
                new boolean[1 + steps.stream().mapToInt(Step::source).max().orElse(0)];
        steps.forEach(step -> isSource[step.source()] = true);
        reads.forEachEdge((source, target, edge, key, place) -> {
            if (source < isSource.length && isSource[source]) {
                Step step = new Step(source, target, edge);
                if (wanted.contains(step)) {
                    abouts.putIfAbsent(step, new About(key, place));
                }
            }
        });
        return abouts;
    }

    private String reason(Step step, About about) {
        String source = history.name(step.source());
        String target = history.name(step.target());
        if (step.edge() == Edge.TIME) {
            return String.format(
                    Locale.ROOT,
                    "%s ended %,d ns before %s began",
                    source,
                    history.startNanos(step.target()) - history.endNanos(step.source()),
                    target);
        }
        String key = history.keyName(about.key);
        String written = Long.toUnsignedString(order.version(about.place));
        if (history.isList(about.key)) {
            return ofList(step, about, source, target, "element " + written + " of " + key);
        }
        return switch (step.edge()) {
            case WW -> target + " overwrote " + source + "'s " + key + ' ' + overwritten(step, about, written);
            case WR -> read(step, about, source, target, key, written);
            case RW ->
                source + " missed " + target + "'s " + key + " (read version " + readBefore(step.source(), about)
                        + ", not " + written + ')';
            case PREDICATE_RW -> predicate(step, about, source, target, key, written);
            case TIME -> throw new AssertionError(step);
        };
    }

    private String ofList(Step step, About about, String source, String target, String element) {
        return switch (step.edge()) {
            case WW -> target + " appended " + element + " behind an element that " + source + " had appended";
            case WR -> target + " read " + source + "'s " + element;
            case RW, PREDICATE_RW ->
                source + " missed " + target + "'s " + element + " (read " + list(anyReadOf(step.source(), about.key))
                        + ')';
            case TIME -> throw new AssertionError(step);
        };
    }

    private String overwritten(Step step, About about, String written) {
        String before = "";
        for (int place = order.first(about.key); place < about.place; place++) {
            if (order.writer(place) == step.source()) {
                before = Long.toUnsignedString(order.version(place));
            }
        }
        return "(version " + before + ") with its own (version " + written + ')';
    }

    private String read(Step step, About about, String source, String target, String key, String written) {
        boolean isSame = opOn(step.target(), about.key, order.version(about.place)) >= 0;
        if (isSame) {
            return target + " read " + source + "'s " + key + " (version " + written + ')';
        }
        int op = anyReadOf(step.target(), about.key);
        return op < 0
                ? target + " found that " + source + " had removed " + key + " (version " + written + ')'
                : target + " read a version of " + key + " (" + Long.toUnsignedString(history.version(op))
                        + ") that is newer than " + source + "'s (" + written + ')';
    }

    private String predicate(Step step, About about, String source, String target, String key, String written) {
        int op = anyReadOf(step.source(), about.key);
        return op < 0 || history.kind(op) != Op.LEAF_READ
                ? source + "'s scan missed " + target + "'s " + key + " (version " + written + ')'
                : source + " read the key set of " + key + " (version " + Long.toUnsignedString(history.version(op))
                        + ") before " + target + " changed it (version " + written + ')';
    }

    /** The version that a transaction read and that was overwritten at a place. */
    private String readBefore(int reader, About about) {
        String version = "none";
        for (int op = history.opsFrom(reader); op < history.opsFrom(reader + 1); op++) {
            if (Op.isRead(history.kind(op)) && history.key(op) == about.key) {
                int place = order.place(about.key, history.version(op));
                if ((place >= 0 ? place : -place - 2) < about.place) {
                    version = Long.toUnsignedString(history.version(op));
                }
            }
        }
        return version;
    }

    private int opOn(int transaction, int key, long version) {
        for (int op = history.opsFrom(transaction); op < history.opsFrom(transaction + 1); op++) {
            if (Op.isRead(history.kind(op)) && history.key(op) == key && history.version(op) == version) {
                return op;
            }
        }
        return -1;
    }

    private int anyReadOf(int transaction, int key) {
        for (int op = history.opsFrom(transaction); op < history.opsFrom(transaction + 1); op++) {
            if (Op.isRead(history.kind(op)) && history.key(op) == key) {
                return op;
            }
        }
        return -1;
    }

    /** Whether two transactions both read a version of a key and both overwrote it. */
    private static boolean isLostUpdate(Anomaly anomaly, List<Step> steps, Map<Step, About> abouts) {
        return anomaly == Anomaly.G_SINGLE
                && steps.size() == 2
                && steps.stream().map(Step::edge).allMatch(edge -> edge == Edge.RW || edge == Edge.WW)
                && abouts.values().stream().map(About::key).distinct().count() == 1;
    }
}
