package dev.rcc.it.history;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What committed: which version of which item each transaction read and wrote. An item is a record or a leaf of the
 * index; the versions of an item grow in the order in which they were installed.
 */
public record History(List<Committed> transactions) {
    private static final Pattern OPERATION = Pattern.compile("([rw])\\((\\w+)\\)(\\d+)");

    public History {
        transactions = List.copyOf(transactions);
    }

    /** A committed transaction: versions by item. */
    public record Committed(String name, Map<String, Long> reads, Map<String, Long> writes) {}

    /**
     * Reads a history such as {@code t1: w(x)1 | t2: r(x)0 w(y)1}: {@code r(x)0} has read version 0 of x, {@code w(x)1} has
     * written version 1. A version that nobody wrote, and that is older than all that somebody wrote, is the initial one.
     */
    public static History parse(String text) {
        List<Committed> transactions = new ArrayList<>();
        for (String part : text.split("\\|", -1)) {
            int colon = part.indexOf(':');
            Committed txn =
                    new Committed(part.substring(0, colon).strip(), new LinkedHashMap<>(), new LinkedHashMap<>());
            Matcher operation = OPERATION.matcher(part.substring(colon + 1));
            while (operation.find()) {
                Map<String, Long> versions = operation.group(1).equals("r") ? txn.reads() : txn.writes();
                versions.put(operation.group(2), Long.parseLong(operation.group(3)));
            }
            transactions.add(txn);
        }
        return new History(transactions);
    }
}
