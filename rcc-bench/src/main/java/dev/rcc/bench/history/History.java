package dev.rcc.bench.history;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;

/**
 * The transactions of a run: which version of which key each has read and written, in which order, and when it ran.
 * Versions of a key are ordered by number, unsigned, unless the key has an order of its own.
 *
 * <p>Immutable, and compact: a transaction costs about 30 bytes and its name, an operation 12, a key its name and 8.
 * Transactions, keys and operations are numbered from 0.
 */
public final class History {
    /** A time that is not known. */
    public static final long NO_TIME = Long.MIN_VALUE;

    private static final int KIND_MASK = (1 << Op.KIND_BITS) - 1;

    final Names names;
    final Names processes;
    final Names keys;
    final int[] processOf;
    final long[] starts;
    final long[] ends;
    final byte[] statuses;
    final int[] opsFrom;
    final int[] opKeys;
    final long[] opVersions;
    final List<Scan> scans;
    final Map<Integer, long[]> orders;
    final BitSet lists;
    private final BitSet ordered = new BitSet();
    final List<Contradiction> contradictions;
    private final List<Contradiction> repetitions;
    private final Map<Integer, long[]> oddLists;
    final long initialVersion;
    final String incomplete;

    /** A range of keys: from {@code from} up to but not with {@code to}, or to the end of the table if {@code to} is null. */
    public record Scan(String from, String to) {}

    /** A transaction has read, with this operation, an impossible list. */
    public record Contradiction(int transaction, int key, int op) {}

    History(HistoryBuilder builder) {
        this.names = builder.names;
        this.processes = builder.processes;
        this.keys = builder.keys;
        this.processOf = builder.processOf.toArray();
        this.starts = builder.starts.toArray();
        this.ends = builder.ends.toArray();
        this.statuses = builder.statuses.toArray();
        this.opsFrom = builder.opsFrom.toArray();
        this.opKeys = builder.opKeys.toArray();
        this.opVersions = builder.opVersions.toArray();
        this.scans = List.copyOf(builder.scans);
        this.orders = Map.copyOf(builder.orders);
        orders.keySet().forEach(ordered::set);
        this.lists = (BitSet) builder.lists.clone();
        this.contradictions = List.copyOf(builder.contradictions);
        this.repetitions = List.copyOf(builder.repetitions);
        this.oddLists = Map.copyOf(builder.oddLists);
        this.initialVersion = builder.initialVersion;
        this.incomplete = builder.incomplete;
    }

    /**
     * Reads the notation for people, such as {@code t1: r(x)0 w(x)1 | t2: r(x)1}: transactions with their operations, where
     * {@code r(x)0} has read version 0 of x, the initial one, {@code w(x)1} has written version 1, and {@code i}, {@code d},
     * {@code rl} and {@code wl} insert, delete, and read and write an index leaf. {@code s(a..d)b=1,c=2} has scanned from a up
     * to but not with d, and found version 1 of b and version 2 of c; {@code a(x)1} appends 1 to the list x, and
     * {@code r(x)[1 2]} reads the list. {@code t1!} has aborted, the outcome of {@code t1?} is not known, and {@code t1@3-8} has run from
     * time 3 to 8.
     *
     * @throws BadHistory for anything else
     */
    public static History parse(String text) {
        return HistoryNotation.parse(text);
    }

    /**
     * Reads a file that {@link #write} wrote; a file whose name ends in {@code .gz} is compressed.
     *
     * @throws BadHistory if it is not a history; the message says where, what was given and what is allowed
     */
    public static History read(Path file) throws IOException {
        return HistoryJson.read(file);
    }

    /** Writes a file, compressed if its name ends in {@code .gz}. Equal histories give equal bytes. */
    public void write(Path file) throws IOException {
        HistoryJson.write(this, file);
    }

    /** Number of transactions, of any status. */
    public int size() {
        return statuses.length;
    }

    /** A transaction's name. */
    public String name(int transaction) {
        return names.get(transaction);
    }

    /** The process that ran the transaction, or an empty text if it is not known. */
    public String process(int transaction) {
        return processes.get(processOf[transaction]);
    }

    /** When the transaction began, in nanoseconds, or {@link #NO_TIME}. */
    public long startNanos(int transaction) {
        return starts[transaction];
    }

    /** When the transaction's client received its outcome, in nanoseconds, or {@link #NO_TIME}. */
    public long endNanos(int transaction) {
        return ends[transaction];
    }

    /** How the transaction ended. */
    public Status status(int transaction) {
        return HistoryBuilder.STATUSES[statuses[transaction]];
    }

    /** The transaction's first operation; its operations end before the first one of {@code transaction + 1}. */
    public int opsFrom(int transaction) {
        return opsFrom[transaction];
    }

    /** Number of operations of all transactions. */
    public int ops() {
        return opKeys.length;
    }

    /** The kind of an operation: one of the numbers in {@link Op}. */
    public int kind(int op) {
        return opKeys[op] & KIND_MASK;
    }

    /** The key of an operation; for an {@link Op#SCAN}, the number of its scan. */
    public int key(int op) {
        return opKeys[op] >>> Op.KIND_BITS;
    }

    /** The version that an operation has read or written. */
    public long version(int op) {
        return opVersions[op];
    }

    /** Number of keys. */
    public int keys() {
        return keys.size();
    }

    /** A key's name. */
    public String keyName(int key) {
        return keys.get(key);
    }

    /** The range of a scan. */
    public Scan scan(int scan) {
        return scans.get(scan);
    }

    /** Number of scans. */
    public int scans() {
        return scans.size();
    }

    /** The versions of a key from old to new, or null if they are ordered by number. */
    long[] order(int key) {
        return ordered.get(key) ? orders.get(key) : null;
    }

    /** Whether a key is a list: its versions are the appended elements, and a read of it reads all of them. */
    public boolean isList(int key) {
        return lists.get(key);
    }

    /** The versions that a read has seen: one, or all elements of a list. */
    public long[] versionsRead(int op) {
        return isList(key(op)) ? listRead(op) : new long[] {version(op)};
    }

    /** The list that an operation has read. */
    public long[] listRead(int op) {
        if (oddLists.containsKey(op)) {
            return oddLists.get(op);
        }
        long[] order = order(key(op));
        int length = 0;
        while (version(op) != 0 && length < order.length && order[length] != version(op)) {
            length++;
        }
        return Arrays.copyOf(order, version(op) == 0 ? 0 : Math.min(order.length, length + 1));
    }

    /** Reads of lists that contradict other reads of the same list. */
    public List<Contradiction> contradictions() {
        return contradictions;
    }

    /** Reads of lists that have an element more than once. */
    public List<Contradiction> repetitions() {
        return repetitions;
    }

    /** Whether a version is older than the history: 0, or a version that existed before it. */
    public boolean isInitial(long version) {
        return Long.compareUnsigned(version, initialVersion) <= 0;
    }

    /** Whether all transactions were recorded whose writes other transactions may have seen. */
    public boolean isComplete() {
        return incomplete == null;
    }

    /** The reason why transactions are missing, or null if none are. */
    public String incomplete() {
        return incomplete;
    }

    /** A transaction in the notation of {@link #parse}, cut off after {@code maxOps} operations. */
    public String describe(int transaction, int maxOps) {
        return HistoryNotation.describe(this, transaction, maxOps);
    }

    /** All transactions in the notation of {@link #parse}; for short histories. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (int t = 0; t < size(); t++) {
            text.append(t == 0 ? "" : " | ").append(describe(t, Integer.MAX_VALUE));
        }
        return text.toString();
    }
}
