package dev.rcc.server.config;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A namespace of named locks that clients may ask for, with terms of its own.
 *
 * @param name the namespace's name
 * @param names how many locks each node has room for; a name that was used once is kept
 * @param leaseMillis how long a lock of one slot may be held, in milliseconds
 * @param slotsMax the most slots of a lock, which may be held for as many times {@code leaseMillis}
 */
public record LockNamespace(String name, int names, int leaseMillis, int slotsMax) {
    /** How a namespace is written. */
    public static final String FORM =
            "NAME:NAMES[:LEASE-MS[:SLOTS]] with commas, where NAMES is 1 to 10000000, LEASE-MS is 10 to"
                    + " 600000 (without, 3000) and SLOTS is 1 to 512 (without, 10)";

    /** The longest name of a lock, in bytes of UTF-8. */
    public static final int LOCK_NAME_BYTES_MAX = 64;

    /** The longest name of a namespace, in characters of one byte. */
    public static final int NAME_BYTES_MAX = 32;

    private static final int DEFAULT_LEASE_MILLIS = 3_000;
    private static final int DEFAULT_SLOTS = 10;
    private static final int NAMES_MAX = 10_000_000;
    private static final int LEASE_MILLIS_MIN = 10;
    private static final int LEASE_MILLIS_MAX = 600_000;
    private static final int SLOTS_MAX = 512;
    private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_-]{0,31}");
    private static final Pattern TEXT =
            Pattern.compile("(?<name>[^:]+):(?<names>[0-9]{1,8})(:(?<lease>[0-9]{1,6})(:(?<slots>[0-9]{1,3}))?)?");

    /** Checks the name and the numbers. */
    public LockNamespace {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("a namespace has a name of 1 to " + NAME_BYTES_MAX
                    + " letters, digits, _ and -, the first a letter, got '" + name + "'");
        }
        check("names", names, 1, NAMES_MAX);
        check("lease", leaseMillis, LEASE_MILLIS_MIN, LEASE_MILLIS_MAX);
        check("slots", slotsMax, 1, SLOTS_MAX);
    }

    private static void check(String what, int given, int min, int max) {
        if (given < min || given > max) {
            throw new IllegalArgumentException(what + ": got " + given + ", allowed: " + min + " to " + max);
        }
    }

    /** The longest time for which a lock may be held. */
    public Duration longestLease() {
        return Duration.ofMillis((long) leaseMillis * slotsMax);
    }

    /**
     * The namespaces that a text describes; none, if it is blank.
     *
     * @throws IllegalArgumentException when the text is not valid; the message says why
     */
    public static List<LockNamespace> parseAll(String text) {
        List<LockNamespace> namespaces = new ArrayList<>();
        if (!text.isBlank()) {
            for (String each : text.split(",", -1)) {
                namespaces.add(parse(each.strip()));
            }
        }
        if (namespaces.stream().map(LockNamespace::name).distinct().count() < namespaces.size()) {
            throw new IllegalArgumentException("got '" + text + "', allowed: each name once");
        }
        return namespaces;
    }

    private static LockNamespace parse(String text) {
        var matcher = TEXT.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("got '" + text + "', allowed: " + FORM);
        }
        try {
            return new LockNamespace(
                    matcher.group("name"),
                    Integer.parseInt(matcher.group("names")),
                    number(matcher.group("lease"), DEFAULT_LEASE_MILLIS),
                    number(matcher.group("slots"), DEFAULT_SLOTS));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("got '" + text + "', " + e.getMessage() + "; " + FORM, e);
        }
    }

    private static int number(String text, int otherwise) {
        return text == null ? otherwise : Integer.parseInt(text);
    }

    /** The text that {@link #parseAll} takes. */
    @Override
    public String toString() {
        return name + ":" + names + ":" + leaseMillis + ":" + slotsMax;
    }
}
