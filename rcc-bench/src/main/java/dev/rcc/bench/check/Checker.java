package dev.rcc.bench.check;

import dev.rcc.bench.check.CycleSearch.Step;
import dev.rcc.bench.history.History;
import dev.rcc.bench.history.Op;
import dev.rcc.bench.history.Status;
import dev.rcc.bench.history.VersionOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Judges histories. Given the order of each key's versions, a history is serializable if and only if two conditions hold
 * (Adya, 3.2): each version that was read is initial or a final version of a transaction that counts; and the direct
 * serialization graph has no cycle.
 *
 * <p>Takes time and memory in proportion to the number of operations. Only the search for a shortest cycle, if there is a
 * cycle, takes more; it is bounded.
 */
public final class Checker {
    private static final int MAX_FINDINGS_OF_A_KIND = 3;
    private static final int MAX_OPERATIONS = 24;

    /** The number of edges after which a search for a shortest cycle gives up. Some seconds. */
    private static final long PATIENCE = 300_000_000;

    private final History history;
    private final Model model;
    private final long patience;
    private final BitSet counted;
    private final BitSet perhapsDeleted;
    private final VersionOrder order;
    private final Explanation explanation;
    private final List<Finding> findings = new ArrayList<>();
    private final List<String> remarks = new ArrayList<>();
    private final Set<Integer> oddOps = new HashSet<>();
    private final Map<Anomaly, Integer> found = new EnumMap<>(Anomaly.class);
    private Map<Version, Integer> otherVersions;

    private Checker(History history, Model model, long patience) {
        this.history = history;
        this.model = model;
        this.patience = patience;
        this.counted = counted(history);
        this.perhapsDeleted = perhapsDeleted(history, counted);
        this.order = new VersionOrder(history, counted);
        this.explanation = new Explanation(history, order, MAX_OPERATIONS);
    }

    private record Version(int key, long number) {}

    /** A kind of cycle: it has an edge {@code through}; its other edges are in the set {@code rest}. */
    private record CycleKind(Anomaly anomaly, Anomaly inRealTime, Edge through, int rest) {
        /** Whether a cycle, given from an edge of its kind on, is of this kind. */
        boolean has(List<Step> cycle) {
            int edges = rest | Edge.TIME.bit();
            return cycle.getFirst().edge() == through
                    && cycle.stream()
                            .skip(1)
                            .allMatch(step -> Edge.isIn(edges, step.edge().pack(0)));
        }
    }

    private static final int WRITES = Edge.WW.bit();
    private static final int READS = WRITES | Edge.WR.bit();
    private static final int ITEMS = READS | Edge.RW.bit();
    private static final int ALL = ITEMS | Edge.PREDICATE_RW.bit();
    private static final List<CycleKind> CYCLES = List.of(
            new CycleKind(Anomaly.G0, Anomaly.G0_REALTIME, Edge.WW, WRITES),
            new CycleKind(Anomaly.G1C, Anomaly.G1C_REALTIME, Edge.WR, READS),
            new CycleKind(Anomaly.G_SINGLE, Anomaly.G_SINGLE_REALTIME, Edge.RW, READS),
            new CycleKind(Anomaly.G2_ITEM, Anomaly.G2_ITEM_REALTIME, Edge.RW, ITEMS),
            new CycleKind(Anomaly.G2, Anomaly.G2_REALTIME, Edge.PREDICATE_RW, ALL));

    /**
     * Judges a history.
     *
     * @throws IllegalArgumentException if the model is strict and a transaction that counts has no start or no end
     */
    public static CheckResult check(History history, Model model) {
        return check(history, model, PATIENCE);
    }

    /** Judges a history, and gives up the search for a shortest cycle after a number of edges. */
    static CheckResult check(History history, Model model, long patience) {
        return new Checker(history, model, patience).check();
    }

    private CheckResult check() {
        boolean isStrict = model == Model.STRICT_SERIALIZABLE;
        if (isStrict) {
            requireTimes();
        }
        for (VersionOrder.Duplicate duplicate : order.duplicates()) {
            String sentence = history.name(duplicate.first()) + " and " + history.name(duplicate.second())
                    + " both wrote version " + Long.toUnsignedString(duplicate.version()) + " of "
                    + history.keyName(duplicate.key());
            find(Anomaly.DUPLICATE_WRITE, sentence, duplicate.first(), duplicate.second());
        }
        findInserts();
        findOddLists();
        Reads reads = new Reads(history, counted, perhapsDeleted, order, new Oddities());
        DependencyGraph graph = new DependencyGraph(history, counted, reads::forEachEdge, isStrict);
        searchCycles(graph, reads, isStrict);
        remark();
        return new CheckResult(model, counted.cardinality(), graph.dependencies(), findings, remarks);
    }

    /** An insert shows that the key did not exist, so the last transaction that wrote the key before must have removed it. */
    private void findInserts() {
        if (!history.isComplete()) {
            return;
        }
        for (int key = 0; key < history.keys(); key++) {
            for (int place = order.first(key) + 1; place < order.tail(key); place++) {
                int before = order.writer(place - 1);
                int writer = order.writer(place);
                if (before >= 0
                        && writer >= 0
                        && before != writer
                        && !order.isDelete(place - 1)
                        && !perhapsDeleted.get(key)
                        && firstWrite(writer, key) == Op.INSERT) {
                    find(
                            Anomaly.DUPLICATE_INSERT,
                            history.name(writer) + " inserted " + history.keyName(key) + " (version "
                                    + Long.toUnsignedString(order.version(place)) + "), which existed: "
                                    + history.name(before) + " had written it (version "
                                    + Long.toUnsignedString(order.version(place - 1))
                                    + ") and no transaction removed it since",
                            before,
                            writer);
                }
            }
        }
    }

    /** The kind of a transaction's first operation that changes a key. */
    private int firstWrite(int transaction, int key) {
        int op = history.opsFrom(transaction);
        while (history.key(op) != key || !Op.isWrite(history.kind(op))) {
            op++;
        }
        return history.kind(op);
    }

    private void findOddLists() {
        for (History.Contradiction odd : history.repetitions()) {
            if (counted.get(odd.transaction())) {
                find(
                        Anomaly.DUPLICATE_ELEMENTS,
                        history.name(odd.transaction()) + " read the list " + history.keyName(odd.key()) + " as "
                                + explanation.list(odd.op()),
                        odd.transaction());
            }
        }
        for (History.Contradiction odd : history.contradictions()) {
            if (counted.get(odd.transaction())) {
                find(
                        Anomaly.INCOMPATIBLE_ORDER,
                        history.name(odd.transaction()) + " read the list " + history.keyName(odd.key()) + " as "
                                + explanation.list(odd.op())
                                + ", which neither begins nor continues one that was read before",
                        odd.transaction());
            }
        }
    }

    private void requireTimes() {
        for (int t = counted.nextSetBit(0); t >= 0; t = counted.nextSetBit(t + 1)) {
            boolean hasEnd = history.endNanos(t) != History.NO_TIME || history.status(t) == Status.UNKNOWN;
            if (history.startNanos(t) == History.NO_TIME || !hasEnd) {
                throw new IllegalArgumentException("model: got strict-serializable for a history in which transaction '"
                        + history.name(t) + "' has no start or no end, allowed: serializable");
            }
        }
    }

    private void remark() {
        if (!history.isComplete()) {
            remarks.add("not all transactions were recorded: " + history.incomplete()
                    + ". The anomalies found are real; anomalies of missing transactions are not found");
        }
        found.forEach((anomaly, count) -> {
            if (count > MAX_FINDINGS_OF_A_KIND) {
                remarks.add((count - MAX_FINDINGS_OF_A_KIND) + " more of " + anomaly.label() + " are not shown");
            }
        });
    }

    // ---- counted transactions -------------------------------------------------------------------------------------

    /** The committed transactions, and those with an unknown outcome if a transaction that counts has read their writes. */
    private static BitSet counted(History history) {
        BitSet counted = new BitSet(history.size());
        Map<Version, Integer> unknown = new HashMap<>();
        for (int t = 0; t < history.size(); t++) {
            counted.set(t, history.status(t) == Status.COMMITTED);
            for (int op = history.opsFrom(t);
                    history.status(t) == Status.UNKNOWN && op < history.opsFrom(t + 1);
                    op++) {
                if (Op.isWrite(history.kind(op))) {
                    unknown.put(new Version(history.key(op), history.version(op)), t);
                }
            }
        }
        if (unknown.isEmpty()) {
            return counted;
        }
        Deque<Integer> readers = new ArrayDeque<>(counted.stream().boxed().toList());
        while (!readers.isEmpty()) {
            int t = readers.remove();
            for (int op = history.opsFrom(t); op < history.opsFrom(t + 1); op++) {
                for (long version : Op.isRead(history.kind(op)) ? history.versionsRead(op) : new long[0]) {
                    Integer writer = unknown.get(new Version(history.key(op), version));
                    if (writer != null && !counted.get(writer)) {
                        counted.set(writer);
                        readers.add(writer);
                    }
                }
            }
        }
        return counted;
    }

    /** Keys that a transaction with an unknown outcome may have removed: no transaction reads a removal. */
    private static BitSet perhapsDeleted(History history, BitSet counted) {
        BitSet keys = new BitSet();
        for (int t = 0; t < history.size(); t++) {
            boolean isUnknown = history.status(t) == Status.UNKNOWN && !counted.get(t);
            for (int op = history.opsFrom(t); isUnknown && op < history.opsFrom(t + 1); op++) {
                if (history.kind(op) == Op.DELETE) {
                    keys.set(history.key(op));
                }
            }
        }
        return keys;
    }

    // ---- what a single read shows ----------------------------------------------------------------------------------

    /** The walk over the history is made more than once; each oddity counts once. */
    private final class Oddities implements Reads.Oddities {
        @Override
        public void internal(int reader, int op) {
            if (oddOps.add(op)) {
                find(
                        Anomaly.INTERNAL,
                        history.name(reader) + " read " + explanation.version(op, history.version(op))
                                + ", which is not the version that it had written itself by then",
                        reader);
            }
        }

        @Override
        public void overlooked(int reader, int scan, int key) {
            if (oddOps.add(scan)) {
                find(
                        Anomaly.INTERNAL,
                        history.name(reader) + "'s scan did not find " + history.keyName(key)
                                + ", which it had written itself by then",
                        reader);
            }
        }

        @Override
        public void intermediate(int reader, int op, long element, int writer) {
            if (oddOps.add(op)) {
                findIntermediate(reader, op, element, writer);
            }
        }

        @Override
        public void removed(int reader, int op, int writer) {
            if (oddOps.add(op)) {
                find(
                        Anomaly.DELETED_READ,
                        history.name(reader) + " read " + explanation.version(op, history.version(op)) + ", with which "
                                + history.name(writer) + " had removed it",
                        writer,
                        reader);
            }
        }

        @Override
        public void unknown(int reader, int op, long version) {
            if (!oddOps.add(op)) {
                return;
            }
            Integer writer = otherVersions().get(new Version(history.key(op), version));
            if (writer != null && writer == reader) {
                oddOps.remove(op);
                internal(reader, op);
            } else if (writer != null && history.status(writer) == Status.ABORTED) {
                find(
                        Anomaly.G1A,
                        history.name(reader) + " read " + explanation.version(op, version) + ", which "
                                + history.name(writer) + " wrote, and " + history.name(writer) + " aborted",
                        writer,
                        reader);
            } else if (writer != null) {
                findIntermediate(reader, op, version, writer);
            } else if (history.isComplete()) {
                find(
                        Anomaly.GARBAGE_READ,
                        history.name(reader) + " read " + explanation.version(op, version)
                                + ", which no transaction wrote",
                        reader);
            }
        }
    }

    private void findIntermediate(int reader, int op, long version, int writer) {
        find(
                Anomaly.G1B,
                history.name(reader) + " read " + explanation.version(op, version) + ", which "
                        + history.name(writer)
                        + (history.isList(history.key(op))
                                ? " wrote, with more behind it"
                                : " wrote and then overwrote itself"),
                writer,
                reader);
    }

    /** Writes that are in no chain: those of transactions that do not count, and those that their transaction overwrote. */
    private Map<Version, Integer> otherVersions() {
        if (otherVersions == null) {
            otherVersions = new HashMap<>();
            for (int t = 0; t < history.size(); t++) {
                for (int op = history.opsFrom(t); op < history.opsFrom(t + 1); op++) {
                    if (Op.isWrite(history.kind(op)) && (!counted.get(t) || !isInChain(op))) {
                        otherVersions.put(new Version(history.key(op), history.version(op)), t);
                    }
                }
            }
        }
        return otherVersions;
    }

    private boolean isInChain(int op) {
        int place = order.place(history.key(op), history.version(op));
        return place >= 0 && order.writer(place) >= 0;
    }

    private void find(Anomaly anomaly, String sentence, int... transactions) {
        if (found.merge(anomaly, 1, Integer::sum) <= MAX_FINDINGS_OF_A_KIND) {
            findings.add(explanation.finding(anomaly, anomaly.meaning(), List.of(sentence), transactions));
        }
    }

    // ---- cycles ----------------------------------------------------------------------------------------------------

    private void searchCycles(DependencyGraph graph, Reads reads, boolean isStrict) {
        Components everything = new Components(graph, ALL | Edge.TIME.bit(), null);
        if (everything.count() == 0) {
            return;
        }
        CycleSearch search = new CycleSearch(graph, patience);
        boolean isFound = searchCycles(graph, reads, everything, search, 0)
                || (isStrict && searchCycles(graph, reads, everything, search, Edge.TIME.bit()));
        if (!isFound) {
            throw new IllegalStateException("there is a cycle of transactions, and no search has found one");
        }
    }

    /** Looks for a cycle of the worst kind that occurs. */
    private boolean searchCycles(
            DependencyGraph graph, Reads reads, Components everything, CycleSearch search, int time) {
        boolean mayBeWorse = false;
        for (CycleKind kind : CYCLES) {
            Components within = new Components(graph, kind.rest | kind.through.bit() | time, everything);
            if (within.count() == 0) {
                continue;
            }
            List<Step> cycle = search.shortest(kind.through, kind.rest | time, within);
            if (cycle.isEmpty()) {
                mayBeWorse |= search.isCutOff();
                continue;
            }
            CycleKind worst = worstKindOf(cycle);
            findings.add(explanation.cycle(time == 0 ? worst.anomaly : worst.inRealTime, cycle, reads));
            if (search.isCutOff()) {
                remarks.add("the search for a shorter cycle was cut off");
            }
            if (mayBeWorse && worst.equals(kind)) {
                remarks.add("the search for a cycle of a worse kind was cut off");
            }
            return true;
        }
        return false;
    }

    /** After a search for a worse kind was cut off, the cycle found may be of that kind. */
    private static CycleKind worstKindOf(List<Step> cycle) {
        return CYCLES.stream().filter(kind -> kind.has(cycle)).findFirst().orElseThrow();
    }
}
