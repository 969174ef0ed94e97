package dev.rcc.bench.history;

import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The notation of {@link History#parse}. */
final class HistoryNotation {
    private static final Pattern HEAD = Pattern.compile("\\s*([\\w.-]+)([!?]?)(?:@(\\d+)-(\\d+))?\\s*:");
    private static final Pattern OPERATION = Pattern.compile(
            "\\s*(?:(rl|wl|[rwid])\\(([^()\\s]+)\\)(\\d+)|([ra])\\(([^()\\s]+)\\)(?:\\[([\\d ,]*)]|(\\d+))"
                    + "|s\\(([^()\\s]+?)\\.\\.([^()\\s]*)\\)((?:[^=,()\\s]+=\\d+,?)*))");
    private static final Pattern FOUND = Pattern.compile("([^=,]+)=(\\d+)");

    private HistoryNotation() {}

    static History parse(String text) {
        HistoryBuilder builder = new HistoryBuilder();
        for (String part : text.split("\\|", -1)) {
            transaction(builder, part);
        }
        return builder.build();
    }

    private static void transaction(HistoryBuilder builder, String part) {
        Matcher head = HEAD.matcher(part);
        if (!head.lookingAt()) {
            throw new BadHistory("history: got '" + part.strip() + "', allowed: a transaction such as t1: r(x)0 w(y)1");
        }
        boolean isTimed = head.group(3) != null;
        builder.begin(
                head.group(1),
                "",
                isTimed ? Long.parseLong(head.group(3)) : History.NO_TIME,
                isTimed ? Long.parseLong(head.group(4)) : History.NO_TIME,
                switch (head.group(2)) {
                    case "!" -> Status.ABORTED;
                    case "?" -> Status.UNKNOWN;
                    default -> Status.COMMITTED;
                });
        Matcher operation = OPERATION.matcher(part);
        int at = head.end();
        while (operation.find(at) && operation.start() == at) {
            at = operation.end();
            add(builder, operation);
        }
        if (!part.substring(at).isBlank()) {
            throw new BadHistory("history: got '" + part.substring(at).strip()
                    + "', allowed: operations such as r(x)0, w(x)1, i(x)1, d(x)2, rl(leaf)0, wl(leaf)1, s(a..d)b=1, a(x)1,"
                    + " r(x)[1 2]");
        }
    }

    private static void add(HistoryBuilder builder, Matcher operation) {
        if (operation.group(1) != null) {
            int kind = Op.SYMBOLS.indexOf(operation.group(1));
            builder.add(kind, builder.keys.intern(operation.group(2)), Long.parseUnsignedLong(operation.group(3)));
        } else if ("a".equals(operation.group(4))) {
            builder.append(operation.group(5), Long.parseUnsignedLong(operation.group(7)));
        } else if ("r".equals(operation.group(4))) {
            long[] elements = Arrays.stream(operation.group(6).split("[ ,]+", -1))
                    .filter(element -> !element.isEmpty())
                    .mapToLong(Long::parseUnsignedLong)
                    .toArray();
            builder.readList(operation.group(5), elements);
        } else {
            String to = operation.group(9);
            builder.scan(operation.group(8), to.isEmpty() ? null : to);
            Matcher found = FOUND.matcher(operation.group(10));
            while (found.find()) {
                builder.found(found.group(1), Long.parseUnsignedLong(found.group(2)));
            }
        }
    }

    static String describe(History history, int transaction, int maxOps) {
        StringBuilder text = new StringBuilder(history.name(transaction));
        text.append(
                switch (history.status(transaction)) {
                    case COMMITTED -> "";
                    case ABORTED -> "!";
                    case UNKNOWN -> "?";
                });
        if (history.startNanos(transaction) != History.NO_TIME && history.endNanos(transaction) != History.NO_TIME) {
            text.append('@').append(history.startNanos(transaction));
            text.append('-').append(history.endNanos(transaction));
        }
        text.append(':');
        int end = history.opsFrom(transaction + 1);
        for (int op = history.opsFrom(transaction); op < end; op++) {
            if (op - history.opsFrom(transaction) == maxOps) {
                return text.append(" ... and ").append(end - op).append(" more").toString();
            }
            op = describe(history, text, op, end);
        }
        return text.toString();
    }

    /** Returns the last operation described: for a scan, the last key that it found. */
    private static int describe(History history, StringBuilder text, int op, int end) {
        String version = Long.toUnsignedString(history.version(op));
        if (history.kind(op) != Op.SCAN) {
            boolean isList = history.isList(history.key(op));
            boolean isAppend = isList && Op.isWrite(history.kind(op));
            text.append(' ').append(isAppend ? "a" : Op.SYMBOLS.get(history.kind(op)));
            text.append('(').append(history.keyName(history.key(op))).append(')');
            text.append(
                    isList && !isAppend ? Arrays.toString(history.listRead(op)).replace(",", "") : version);
            return op;
        }
        History.Scan scan = history.scan(history.key(op));
        text.append(" s(").append(scan.from()).append("..").append(scan.to() == null ? "" : scan.to());
        text.append(')');
        int last = op;
        while (last + 1 < end && history.kind(last + 1) == Op.SCANNED) {
            last++;
            text.append(last == op + 1 ? "" : ",").append(history.keyName(history.key(last)));
            text.append('=').append(Long.toUnsignedString(history.version(last)));
        }
        return last;
    }
}
