package dev.rcc.bench.history;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Writes a history in Elle's format: a list-append history in EDN, one map a line, each transaction as its invocation and
 * its completion. Each key becomes a list to which a write appends its version. So a read of version 7 of a key becomes a
 * read of the list of all its versions up to 7.
 */
public final class ElleEdn {
    /** Limit for the elements of all lists, together; a list is written again for each read, so a file grows quickly. */
    private static final long MAX_ELEMENTS = 200_000_000;

    private static final int APPROXIMATE_EVENT_CHARS = 128;

    private final History history;
    private final VersionOrder order;
    private final Map<String, Integer> processes = new LinkedHashMap<>();
    private int index;

    private ElleEdn(History history) {
        this.history = history;
        BitSet counted = new BitSet();
        IntStream.range(0, history.size())
                .filter(t -> history.status(t) != Status.ABORTED)
                .forEach(counted::set);
        this.order = new VersionOrder(history, counted);
    }

    private record Event(long nanos, boolean isEnd, int transaction) {}

    /**
     * Writes a file, compressed if its name ends in {@code .gz}.
     *
     * @throws BadHistory when the lists would have too many elements
     */
    public static void write(History history, Path file) throws IOException {
        ElleEdn edn = new ElleEdn(history);
        edn.checkSize();
        try (Writer out =
                new BufferedWriter(new OutputStreamWriter(HistoryJson.output(file), StandardCharsets.UTF_8))) {
            edn.write(out);
        }
    }

    private void checkSize() {
        long elements = 0;
        for (int op = 0; op < history.ops(); op++) {
            if (Op.isRead(history.kind(op))) {
                elements += lengthUpTo(op);
            }
        }
        if (elements > MAX_ELEMENTS) {
            throw new BadHistory("elle-edn: got reads of lists with " + elements + " elements in all, allowed: "
                    + MAX_ELEMENTS + "; record a shorter history, or one of more keys");
        }
    }

    private void write(Writer out) throws IOException {
        List<Event> events = IntStream.range(0, history.size())
                .boxed()
                .flatMap(t -> List.of(new Event(start(t), false, t), new Event(end(t), true, t)).stream())
                // A process has one transaction at a time: at equal times, an end comes before a begin.
                .sorted(Comparator.comparingLong(Event::nanos)
                        .thenComparing(event -> start(event.transaction) == end(event.transaction) || !event.isEnd)
                        .thenComparingInt(Event::transaction))
                .toList();
        StringBuilder line = new StringBuilder(APPROXIMATE_EVENT_CHARS);
        for (Event event : events) {
            line.setLength(0);
            append(line, event);
            out.append(line).append('\n');
        }
    }

    // Without times, all transactions run at once, which states as little as this format allows: each is a process
    // of its own.
    private long start(int t) {
        return history.startNanos(t) == History.NO_TIME ? 0 : history.startNanos(t);
    }

    private long end(int t) {
        return history.endNanos(t) == History.NO_TIME ? Long.MAX_VALUE : history.endNanos(t);
    }

    private void append(StringBuilder line, Event event) {
        int t = event.transaction;
        String type = !event.isEnd
                ? ":invoke"
                : switch (history.status(t)) {
                    case COMMITTED -> ":ok";
                    case ABORTED -> ":fail";
                    case UNKNOWN -> ":info";
                };
        String process = history.process(t).isEmpty() ? "transaction " + t : history.process(t);
        Integer number = processes.computeIfAbsent(process, absent -> processes.size());
        line.append("{:index ").append(index++).append(", :type ").append(type);
        line.append(", :process ").append(number).append(", :time ").append(event.nanos);
        line.append(", :f :txn, :value [");
        boolean knowsReads = event.isEnd && history.status(t) == Status.COMMITTED;
        String separator = "";
        for (int op = history.opsFrom(t); op < history.opsFrom(t + 1); op++) {
            if (history.kind(op) != Op.SCAN) {
                line.append(separator);
                separator = " ";
                append(line, op, knowsReads);
            }
        }
        line.append("]}");
    }

    private void append(StringBuilder line, int op, boolean knowsReads) {
        int key = history.key(op);
        boolean isWrite = Op.isWrite(history.kind(op));
        line.append(isWrite ? "[:append \"" : "[:r \"");
        line.append(history.keyName(key).replace("\\", "\\\\").replace("\"", "\\\""))
                .append("\" ");
        if (isWrite) {
            appendVersion(line, history.version(op));
        } else if (!knowsReads) {
            line.append("nil");
        } else {
            long[] list = listRead(op);
            line.append('[');
            for (int i = 0; i < list.length; i++) {
                line.append(i == 0 ? "" : " ");
                appendVersion(line, list[i]);
            }
            line.append(']');
        }
        line.append(']');
    }

    /** All versions of a key up to the one that was read, and this one at the end even if no transaction that counts wrote it. */
    private long[] listRead(int op) {
        int key = history.key(op);
        int length = lengthUpTo(op);
        boolean isInitial = history.isInitial(history.version(op));
        boolean isInChain = order.place(key, history.version(op)) >= 0;
        long[] list = new long[isInitial || isInChain ? length : length + 1];
        Arrays.setAll(list, i -> i < length ? order.version(order.first(key) + i) : history.version(op));
        return list;
    }

    private int lengthUpTo(int op) {
        int place = order.place(history.key(op), history.version(op));
        return (place >= 0 ? place + 1 : -place - 1) - order.first(history.key(op));
    }

    private static void appendVersion(StringBuilder line, long version) {
        line.append(Long.toUnsignedString(version)).append(version < 0 ? "N" : "");
    }
}
