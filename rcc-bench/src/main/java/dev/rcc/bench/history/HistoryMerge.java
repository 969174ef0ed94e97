package dev.rcc.bench.history;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.TreeSet;

/** Merges the histories that the processes of a cluster have recorded, each of its own transactions. */
public final class HistoryMerge {
    private HistoryMerge() {}

    /**
     * The transactions of all histories, in the order in which they ended by the processes' clocks.
     *
     * @param parts the histories, recorded by {@link HistoryCollector}s of one cluster
     * @throws BadHistory when they contradict each other
     */
    public static History of(List<History> parts) {
        HistoryBuilder builder = new HistoryBuilder();
        TreeSet<String> reasons = new TreeSet<>();
        PriorityQueue<Cursor> next = new PriorityQueue<>(Comparator.comparingLong(Cursor::endNanos));
        for (History part : parts) {
            if (Long.compareUnsigned(part.initialVersion, builder.initialVersion) > 0) {
                builder.initialVersion(part.initialVersion);
            }
            if (!part.isComplete()) {
                reasons.add(part.incomplete());
            }
            if (part.size() > 0) {
                next.add(new Cursor(part));
            }
        }
        if (!reasons.isEmpty()) {
            builder.incomplete(String.join("; ", reasons));
        }
        while (!next.isEmpty()) {
            Cursor cursor = next.poll();
            cursor.copyTo(builder);
            if (cursor.at < cursor.history.size()) {
                next.add(cursor);
            }
        }
        return builder.build();
    }

    /** The next transaction of a history. */
    private static final class Cursor {
        private final History history;
        private final List<String> keys = new ArrayList<>();
        private int at;

        private Cursor(History history) {
            this.history = history;
            for (int key = 0; key < history.keys(); key++) {
                keys.add(history.keyName(key));
            }
        }

        private long endNanos() {
            return history.endNanos(at);
        }

        private void copyTo(HistoryBuilder builder) {
            builder.begin(
                    history.name(at),
                    history.process(at),
                    history.startNanos(at),
                    history.endNanos(at),
                    history.status(at));
            for (int op = history.opsFrom(at); op < history.opsFrom(at + 1); op++) {
                int kind = history.kind(op);
                if (kind == Op.SCAN || kind == Op.SCANNED) {
                    throw new IllegalArgumentException("a recorded history has no scans, but reads of leaves");
                }
                builder.add(kind, builder.keys.intern(keys.get(history.key(op))), history.version(op));
            }
            at++;
        }
    }
}
