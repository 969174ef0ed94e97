package dev.rcc.bench.history;

/**
 * The order of keys, for scans. A key is {@code table/rest}, or just {@code rest}; the keys of one table are in order: first
 * the keys whose rest is a number that fits in 64 bits, by number, then the other keys, by their characters.
 */
final class KeyRange {
    private KeyRange() {}

    /** The table of a key: the part up to the first slash. */
    static String table(String key) {
        return key.substring(0, key.indexOf('/') + 1);
    }

    static boolean contains(History.Scan scan, String key) {
        return table(key).equals(table(scan.from()))
                && compare(scan.from(), key) <= 0
                && (scan.to() == null || compare(key, scan.to()) < 0);
    }

    /** Compares two keys; all keys of one table are together. */
    static int compare(String a, String b) {
        String tableA = table(a);
        int tables = tableA.compareTo(table(b));
        if (tables != 0) {
            return tables;
        }
        String restA = a.substring(tableA.length());
        String restB = b.substring(tableA.length());
        Long numberA = number(restA);
        Long numberB = number(restB);
        if (numberA != null && numberB != null) {
            int numbers = Long.compare(numberA, numberB);
            return numbers != 0 ? numbers : restA.compareTo(restB);
        }
        if (restA.isEmpty() || restB.isEmpty()) {
            return Boolean.compare(!restA.isEmpty(), !restB.isEmpty()); // "table/" is before all keys of its table
        }
        return numberA == null && numberB == null ? restA.compareTo(restB) : numberA != null ? -1 : 1;
    }

    private static Long number(String text) {
        if (text.isEmpty() || text.length() > 20 || !Character.isDigit(text.charAt(text.length() - 1))) {
            return null;
        }
        try {
            return Long.valueOf(text);
        } catch (NumberFormatException e) {
            return null;
        }
    }
}
