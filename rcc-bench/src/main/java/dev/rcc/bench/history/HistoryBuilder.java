package dev.rcc.bench.history;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Makes a {@link History}: {@link #begin} a transaction, then add its operations in their order. Used by one thread. Input
 * that contradicts itself is refused as {@link BadHistory}.
 */
public final class HistoryBuilder {
    static final Status[] STATUSES = Status.values();

    private static final int MAX_KEYS = 1 << (Integer.SIZE - Op.KIND_BITS - 1);

    final Names names = new Names();
    final Names processes = new Names();
    final Names keys = new Names();
    final Ints processOf = new Ints();
    final Longs starts = new Longs();
    final Longs ends = new Longs();
    final Bytes statuses = new Bytes();
    final Ints opsFrom = new Ints();
    final Ints opKeys = new Ints();
    final Longs opVersions = new Longs();
    final List<History.Scan> scans = new ArrayList<>();
    final Map<Integer, long[]> orders = new HashMap<>();
    final BitSet lists = new BitSet();
    final List<History.Contradiction> contradictions = new ArrayList<>();
    final List<History.Contradiction> repetitions = new ArrayList<>();
    /** By operation: a list as it was read, if it repeats an element or contradicts other reads of the list. */
    final Map<Integer, long[]> oddLists = new HashMap<>();

    long initialVersion;
    String incomplete;
    private final Map<Integer, long[]> listsRead = new HashMap<>();
    /** The reads of lists by transactions of unknown outcome. */
    private final List<ListRead> unknownReads = new ArrayList<>();

    private Status status;
    private final BitSet plain = new BitSet();

    /** An empty history. */
    public HistoryBuilder() {}

    /** A list as an operation of a transaction has read it. */
    private static final class ListRead {
        final int transaction;
        final int key;
        final int op;
        final long[] elements;

        ListRead(int transaction, int key, int op, long[] elements) {
            this.transaction = transaction;
            this.key = key;
            this.op = op;
            this.elements = elements;
        }
    }

    /** Bytes that grow. */
    static final class Bytes {
        private final ByteArrayOutputStream stream = new ByteArrayOutputStream();

        void add(int value) {
            stream.write(value);
        }

        byte[] toArray() {
            return stream.toByteArray();
        }
    }

    /** Versions up to this one existed before the history, and no transaction writes them; the default is 0. */
    public HistoryBuilder initialVersion(long version) {
        initialVersion = version;
        return this;
    }

    /** Some transactions are missing, for the given reason. */
    public HistoryBuilder incomplete(String reason) {
        incomplete = reason;
        return this;
    }

    /**
     * Begins a transaction.
     *
     * @param name its name, which no other transaction has
     * @param process the process that ran it, or an empty text
     * @param startNanos when it began, or {@link History#NO_TIME}
     * @param endNanos when its outcome was known, or {@link History#NO_TIME}
     */
    public HistoryBuilder begin(String name, String process, long startNanos, long endNanos, Status newStatus) {
        int number = names.size();
        if (names.intern(name) != number) {
            throw new BadHistory("id: got '" + name + "' twice, allowed: a different one for each transaction");
        }
        if (startNanos != History.NO_TIME && endNanos != History.NO_TIME && endNanos < startNanos) {
            throw new BadHistory("end: got " + endNanos + " of transaction '" + name
                    + "', allowed: no less than its start, " + startNanos);
        }
        processOf.add(processes.intern(process));
        starts.add(startNanos);
        ends.add(endNanos);
        status = newStatus;
        statuses.add(Arrays.asList(STATUSES).indexOf(newStatus));
        opsFrom.add(opKeys.size());
        return this;
    }

    /** The transaction has read this version of a key. */
    public HistoryBuilder read(String key, long version) {
        return add(Op.READ, keys.intern(key), version);
    }

    /** The transaction has written this version of a key. */
    public HistoryBuilder write(String key, long version) {
        return add(Op.WRITE, keys.intern(key), version);
    }

    /** The transaction has added a key that did not exist. */
    public HistoryBuilder insert(String key, long version) {
        return add(Op.INSERT, keys.intern(key), version);
    }

    /** The transaction has removed a key, which does not exist from this version on. */
    public HistoryBuilder delete(String key, long version) {
        return add(Op.DELETE, keys.intern(key), version);
    }

    /** The transaction has read this version of an index leaf: which keys exist among those that it covers. */
    public HistoryBuilder leafRead(String leaf, long version) {
        return add(Op.LEAF_READ, keys.intern(leaf), version);
    }

    /** The transaction has changed which keys exist among those that a leaf covers. */
    public HistoryBuilder leafWrite(String leaf, long version) {
        return add(Op.LEAF_WRITE, keys.intern(leaf), version);
    }

    /** The transaction has read a range of keys; the keys that it {@link #found} follow. */
    public HistoryBuilder scan(String from, String to) {
        if (to != null && !KeyRange.table(from).equals(KeyRange.table(to))) {
            throw new BadHistory("scan: got '" + from + "' to '" + to + "', allowed: two keys of one table");
        }
        scans.add(new History.Scan(from, to));
        return addOp(Op.SCAN, scans.size() - 1, 0);
    }

    /** The scan that was added last has found this version of a key. */
    public HistoryBuilder found(String key, long version) {
        History.Scan scan = scans.getLast();
        if (!KeyRange.contains(scan, key)) {
            throw new BadHistory("scan: got key '" + key + "', allowed: one from '" + scan.from()
                    + "' up to but not with " + (scan.to() == null ? "the end of its table" : "'" + scan.to() + "'"));
        }
        return add(Op.SCANNED, keys.intern(key), version);
    }

    /** The transaction has appended an element to a list. */
    public HistoryBuilder append(String key, long element) {
        list(keys.intern(key));
        return addOp(Op.WRITE, keys.intern(key), element);
    }

    /** The transaction has read a list with these elements. */
    public HistoryBuilder readList(String key, long... elements) {
        int number = keys.intern(key);
        list(number);
        if (Arrays.stream(elements).anyMatch(element -> element == 0)) {
            throw new BadHistory("key '" + key + "': got element 0 in a list that was read, allowed: 1 and more");
        }
        ListRead read = new ListRead(names.size() - 1, number, opKeys.size(), elements.clone());
        switch (status) {
            case COMMITTED -> compare(read);
            case UNKNOWN -> unknownReads.add(read);
            case ABORTED -> oddLists.put(read.op, read.elements); // it may have read anything
        }
        return addOp(Op.READ, number, elements.length == 0 ? 0 : elements[elements.length - 1]);
    }

    /** Compares a list with those that were read before: one must begin with the other, and the longer one has the order of the elements. */
    private void compare(ListRead read) {
        long[] elements = read.elements;
        long[] once = Arrays.stream(elements).distinct().toArray();
        long[] known = listsRead.getOrDefault(read.key, new long[0]);
        int common = Math.min(known.length, once.length);
        boolean fits = Arrays.equals(known, 0, common, once, 0, common);
        if (once.length < elements.length) {
            repetitions.add(new History.Contradiction(read.transaction, read.key, read.op));
        } else if (!fits) {
            contradictions.add(new History.Contradiction(read.transaction, read.key, read.op));
        }
        if (once.length < elements.length || !fits) {
            oddLists.put(read.op, elements);
        }
        if (fits && once.length > known.length) {
            listsRead.put(read.key, once);
        }
    }

    /** The versions of a key from old to new, for keys whose versions are not ordered by number. */
    public HistoryBuilder order(String key, long... versions) {
        int number = keys.intern(key);
        if (lists.get(number)) {
            throw new BadHistory("orders: got one for '" + key + "', which is a list, allowed: keys that are none");
        }
        if (Arrays.stream(versions).distinct().count() != versions.length) {
            throw new BadHistory("orders: got a version of '" + key + "' twice, allowed: each version once");
        }
        if (orders.put(number, versions.clone()) != null) {
            throw new BadHistory("orders: got '" + key + "' twice, allowed: each key once");
        }
        return this;
    }

    /** The history. The builder cannot be used any more. */
    public History build() {
        opsFrom.add(opKeys.size());
        unknownReads.forEach(this::compare); // after those that are known to have committed
        orders.putAll(listsRead);
        lists.stream().forEach(key -> orders.putIfAbsent(key, new long[0]));
        checkWrites();
        return new History(this);
    }

    HistoryBuilder add(int kind, int key, long version) {
        if (lists.get(key)) {
            throw new BadHistory("key '" + keys.get(key) + "': got version " + Long.toUnsignedString(version)
                    + " of a list, allowed: appends, and reads of the whole list");
        }
        plain.set(key);
        return addOp(kind, key, version);
    }

    private void list(int key) {
        if (!lists.get(key)) {
            if (plain.get(key) || orders.containsKey(key)) {
                throw new BadHistory(
                        "key '" + keys.get(key) + "': got a list, and versions before, allowed: one of both");
            }
            lists.set(key);
        }
    }

    private HistoryBuilder addOp(int kind, int key, long version) {
        if (names.size() == 0) {
            throw new IllegalStateException("no transaction has begun");
        }
        if (key >= MAX_KEYS) {
            throw new BadHistory("keys: more than " + MAX_KEYS + ", allowed: fewer");
        }
        opKeys.add((key << Op.KIND_BITS) | kind);
        opVersions.add(version);
        return this;
    }

    /** No transaction may write an initial version. A given order must have all written versions; a list may lack its last ones. */
    private void checkWrites() {
        int[] opKey = opKeys.toArray();
        long[] version = opVersions.toArray();
        boolean hasOrders = orders.size() > lists.cardinality();
        Map<Integer, long[]> sorted = new HashMap<>();
        orders.forEach(
                (key, order) -> sorted.put(key, Arrays.stream(order).sorted().toArray()));
        for (int op = 0; op < opKey.length; op++) {
            if (!Op.isWrite(opKey[op] & ((1 << Op.KIND_BITS) - 1))) {
                continue;
            }
            int key = opKey[op] >>> Op.KIND_BITS;
            if (Long.compareUnsigned(version[op], initialVersion) <= 0) {
                throw new BadHistory("key '" + keys.get(key) + "': got a write of version "
                        + Long.toUnsignedString(version[op]) + ", allowed: versions greater than the initial one, "
                        + Long.toUnsignedString(initialVersion));
            }
            if (hasOrders
                    && sorted.containsKey(key)
                    && !lists.get(key)
                    && Arrays.binarySearch(sorted.get(key), version[op]) < 0) {
                throw new BadHistory("orders: got no version " + Long.toUnsignedString(version[op]) + " for '"
                        + keys.get(key) + "', allowed: all versions that were written");
            }
        }
    }
}
