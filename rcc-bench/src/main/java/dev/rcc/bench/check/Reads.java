package dev.rcc.bench.check;

import dev.rcc.bench.check.DependencyGraph.EdgeConsumer;
import dev.rcc.bench.history.History;
import dev.rcc.bench.history.KeyOrder;
import dev.rcc.bench.history.Op;
import dev.rcc.bench.history.VersionOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Goes through a history and derives the order of transactions from what the transactions read and wrote, given the order of
 * the versions. Impossible reads are reported to {@link Oddities}.
 */
final class Reads {
    private static final int NO_TRANSACTION = -1;

    private final History history;
    private final BitSet counted;
    private final BitSet perhapsDeleted;
    private final VersionOrder order;
    private final Oddities oddities;
    /** Keys that some transaction wrote. */
    private final KeyOrder keyOrder;
    /** By key: the last transaction that wrote it so far in the walk, and the operation. */
    private final int[] lastWriter;

    private final int[] lastWrite;

    /**
     * Prepares walks over a history.
     *
     * @param counted the transactions that count
     * @param perhapsDeleted the keys that a transaction that does not count may have removed
     */
    Reads(History history, BitSet counted, BitSet perhapsDeleted, VersionOrder order, Oddities oddities) {
        this.history = history;
        this.counted = counted;
        this.perhapsDeleted = perhapsDeleted;
        this.order = order;
        this.oddities = oddities;
        this.lastWriter = new int[history.keys()];
        this.lastWrite = new int[history.keys()];
        this.keyOrder = new KeyOrder(history, key -> order.first(key) < order.end(key));
    }

    /** Receives impossible reads. */
    interface Oddities {
        /** The transaction's read disagrees with its own writes. */
        void internal(int reader, int op);

        /** The scan did not find the key, which the transaction itself had written by then. */
        void overlooked(int reader, int scan, int key);

        /** The writer of the element has appended more elements to the list behind it. */
        void intermediate(int reader, int op, long element, int writer);

        /** The version is the removal of the record by {@code writer}. */
        void removed(int reader, int op, int writer);

        /** The version is neither initial nor a final version of a transaction that counts. */
        void unknown(int reader, int op, long version);
    }

    /** Passes all edges to a consumer; some may be equal. */
    void forEachEdge(EdgeConsumer consumer) {
        Arrays.fill(lastWriter, NO_TRANSACTION);
        for (int t = counted.nextSetBit(0); t >= 0; t = counted.nextSetBit(t + 1)) {
            for (int op = history.opsFrom(t); op < history.opsFrom(t + 1); op++) {
                int kind = history.kind(op);
                if (Op.isRead(kind)) {
                    read(t, op, consumer);
                } else if (kind == Op.SCAN) {
                    scan(t, op, consumer);
                } else {
                    lastWriter[history.key(op)] = t;
                    lastWrite[history.key(op)] = op;
                }
            }
        }
        for (int key = 0; key < history.keys(); key++) {
            overwrites(key, consumer);
        }
    }

    /** Each writer comes before the next one. */
    private void overwrites(int key, EdgeConsumer consumer) {
        int writer = NO_TRANSACTION;
        for (int place = order.first(key); place < order.tail(key); place++) {
            if (order.writer(place) != NO_TRANSACTION) {
                edge(writer, order.writer(place), Edge.WW, key, place, consumer);
                writer = order.writer(place);
            }
        }
        for (int place = order.tail(key); place < order.end(key); place++) {
            edge(writer, order.writer(place), Edge.WW, key, place, consumer);
        }
    }

    private void read(int reader, int op, EdgeConsumer consumer) {
        int key = history.key(op);
        long version = history.version(op);
        if (lastWriter[key] == reader) {
            readOwn(reader, op);
            return;
        }
        Edge missed = history.kind(op) == Op.LEAF_READ ? Edge.PREDICATE_RW : Edge.RW;
        int place = order.place(key, version);
        if (place >= 0) {
            if (order.writer(place) == reader) {
                oddities.internal(reader, op);
                return;
            }
            seen(reader, op, place);
            if (history.isList(key) && appendsMore(order.writer(place), key, version)) {
                oddities.intermediate(reader, op, version, order.writer(place));
            }
            if (order.isDelete(place)) {
                oddities.removed(reader, op, order.writer(place));
            }
            written(reader, key, place, consumer);
            overwritten(reader, key, place + 1, missed, consumer);
        } else if (history.isInitial(version)) {
            overwritten(reader, key, order.first(key), missed, consumer);
        } else {
            oddities.unknown(reader, op, version);
            // The version's writer was not recorded. The reader comes after the writers of older versions, and
            // before the writers of newer versions.
            if (!history.isComplete() && order.isByNumber(key)) {
                written(reader, key, -place - 2, consumer);
                overwritten(reader, key, -place - 1, missed, consumer);
            }
        }
    }

    /** The transaction itself has written the key before: it reads its latest write, which is no removal. */
    private void readOwn(int reader, int op) {
        int key = history.key(op);
        int write = lastWrite[key];
        if (history.kind(write) == Op.DELETE || history.version(write) != history.version(op)) {
            oddities.internal(reader, op);
        } else if (history.isList(key)) {
            readOwnList(reader, op);
        }
    }

    /** The list ends with the transaction's own elements so far. The order of these shows all edges; the elements in front may be impossible. */
    private void readOwnList(int reader, int op) {
        int key = history.key(op);
        long[] list = history.listRead(op);
        int others = list.length;
        for (int write = lastWrite[key]; write >= history.opsFrom(reader); write--) {
            if (Op.isWrite(history.kind(write)) && history.key(write) == key) {
                others--;
                if (others < 0 || list[others] != history.version(write)) {
                    oddities.internal(reader, op);
                    return;
                }
            }
        }
        int place = others == 0 ? -1 : order.place(key, list[others - 1]);
        for (int at = order.first(key); at <= place; at++) {
            if (order.writer(at) == reader) {
                oddities.internal(reader, op);
                return;
            }
        }
        if (place >= 0) {
            seen(reader, op, place);
            if (appendsMore(order.writer(place), key, list[others - 1])) {
                oddities.intermediate(reader, op, list[others - 1], order.writer(place));
            }
        }
    }

    /** Whether the writer of a list's element appends more elements behind it. */
    private boolean appendsMore(int writer, int key, long element) {
        boolean isBehind = false;
        for (int op = writer == NO_TRANSACTION ? 0 : history.opsFrom(writer);
                writer != NO_TRANSACTION && op < history.opsFrom(writer + 1);
                op++) {
            if (history.key(op) == key && Op.isWrite(history.kind(op))) {
                if (isBehind) {
                    return true;
                }
                isBehind = history.version(op) == element;
            }
        }
        return false;
    }

    /** A given order may name versions that no transaction wrote. A reader of a list has read all its elements up to the place. */
    private void seen(int reader, int op, int place) {
        int key = history.key(op);
        for (int at = history.isList(key) ? order.first(key) : place; at <= place; at++) {
            if (order.writer(at) == NO_TRANSACTION && !history.isInitial(order.version(at))) {
                oddities.unknown(reader, op, order.version(at));
            }
        }
    }

    /**
     * The writer of the version at a place comes before the reader. If no transaction that counts wrote that version, the
     * writer of the latest version before it does.
     */
    private void written(int reader, int key, int upTo, EdgeConsumer consumer) {
        for (int place = upTo; place >= order.first(key); place--) {
            if (order.writer(place) != NO_TRANSACTION) {
                edge(order.writer(place), reader, Edge.WR, key, place, consumer);
                return;
            }
        }
    }

    /** The reader comes before the next writer at or after a place. */
    private void overwritten(int reader, int key, int from, Edge missed, EdgeConsumer consumer) {
        for (int place = from; place < order.tail(key); place++) {
            if (order.writer(place) != NO_TRANSACTION) {
                edge(reader, order.writer(place), missed, key, place, consumer);
                return;
            }
        }
        for (int place = order.tail(key); place < order.end(key); place++) {
            edge(reader, order.writer(place), missed, key, place, consumer);
        }
    }

    private static void edge(int from, int to, Edge edge, int key, int place, EdgeConsumer consumer) {
        if (from != NO_TRANSACTION && to != NO_TRANSACTION && from != to) {
            consumer.edge(from, to, edge, key, place);
        }
    }

    // ---- scans -----------------------------------------------------------------------------------------------------

    /** Keys in the range that the scan did not find did not exist for it. The keys that it found are recorded as reads. */
    private void scan(int reader, int op, EdgeConsumer consumer) {
        Set<Integer> found = new HashSet<>();
        for (int next = op + 1; next < history.opsFrom(reader + 1) && history.kind(next) == Op.SCANNED; next++) {
            found.add(history.key(next));
        }
        for (int key : keyOrder.keysIn(history.scan(history.key(op)))) {
            if (found.contains(key) || history.isList(key)) {
                continue;
            }
            if (lastWriter[key] == reader) {
                if (history.kind(lastWrite[key]) != Op.DELETE) {
                    oddities.overlooked(reader, op, key);
                }
            } else if (hasKnownAbsences(key)) {
                absent(reader, key, consumer);
            }
        }
    }

    /**
     * Whether it is known when the key was absent. A removal that perhaps took effect may have done so at any time, and so may one that was not
     * recorded.
     */
    private boolean hasKnownAbsences(int key) {
        return history.isComplete() && !perhapsDeleted.get(key);
    }

    /**
     * The key did not exist. If it was absent several times, it is not known which absence the reader saw: then only the edges
     * are added that hold for all of them.
     */
    private void absent(int reader, int key, EdgeConsumer consumer) {
        List<Integer> absences = new ArrayList<>();
        if (!order.isDelete(order.first(key))) {
            absences.add(order.first(key) - 1);
        }
        for (int place = order.first(key); place < order.end(key); place++) {
            if (order.isDelete(place)) {
                absences.add(place);
            }
        }
        if (absences.getFirst() >= order.first(key)) {
            written(reader, key, absences.getFirst(), consumer);
        }
        overwritten(reader, key, absences.getLast() + 1, Edge.PREDICATE_RW, consumer);
    }
}
