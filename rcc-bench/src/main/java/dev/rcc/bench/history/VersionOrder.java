package dev.rcc.bench.history;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The versions of each key from old to new, with their writers: for each transaction that counts, the version that it wrote
 * last. A key's versions are its chain; the places of all chains are numbered consecutively. In a list, the appended elements that no
 * transaction read come after all other elements, in an unknown order.
 */
public final class VersionOrder {
    private static final int NO_TRANSACTION = -1;

    private final History history;
    private final BitSet counted;
    private final int[] from;
    private final int[] tails;
    private final long[] versions;
    private final int[] writers;
    private final BitSet deletes = new BitSet();
    private final Map<Integer, Map<Long, Integer>> places = new HashMap<>();
    private final List<Duplicate> duplicates = new ArrayList<>();

    /** Two transactions that both wrote one version of a key. */
    public record Duplicate(int first, int second, int key, long version) {}

    @FunctionalInterface
    private interface WriteConsumer {
        void accept(int writer, int op);
    }

    /**
     * Puts the versions in order.
     *
     * @param counted the transactions that count
     */
    public VersionOrder(History history, BitSet counted) {
        this.history = history;
        this.counted = counted;
        from = new int[history.keys() + 1];
        int[] seenBy = new int[history.keys()];
        forEachFinalWrite(seenBy, (writer, op) -> from[history.key(op) + 1]++);
        history.orders.forEach((key, order) -> from[key + 1] += order.length);
        for (int key = 0; key < history.keys(); key++) {
            from[key + 1] = Math.addExact(from[key], from[key + 1]);
        }
        int size = from[history.keys()];
        versions = new long[size];
        writers = new int[size];
        tails = Arrays.copyOfRange(from, 1, history.keys() + 1);
        fill(seenBy);
        for (int key = 0; key < history.keys(); key++) {
            if (history.order(key) == null) {
                sort(from[key], from[key + 1]);
                findDuplicates(key);
            }
        }
    }

    /** The first place of a key's chain. */
    public int first(int key) {
        return from[key];
    }

    /** The place after a key's chain. */
    public int end(int key) {
        return from[key + 1];
    }

    /** The first of the places at the chain's end whose order is not known; {@link #end} if there are none. */
    public int tail(int key) {
        return tails[key];
    }

    /** The transaction that wrote the version at a place; negative if no transaction that counts wrote it. */
    public int writer(int place) {
        return writers[place];
    }

    /** The version at a place. */
    public long version(int place) {
        return versions[place];
    }

    /** Whether the key does not exist from this version on. */
    public boolean isDelete(int place) {
        return deletes.get(place);
    }

    /** Versions that two transactions wrote. */
    public List<Duplicate> duplicates() {
        return duplicates;
    }

    /** Whether a version that is not in the chain has a known place in it: the key's versions are ordered by number. */
    public boolean isByNumber(int key) {
        return history.order(key) == null;
    }

    /** The place of a version; if it is not in the chain, {@code -place - 1} with the first place after it. */
    public int place(int key, long version) {
        if (history.order(key) != null) {
            return places.getOrDefault(key, Map.of()).getOrDefault(version, -from[key] - 1);
        }
        int low = from[key];
        int high = from[key + 1] - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int compared = Long.compareUnsigned(versions[middle], version);
            if (compared == 0) {
                return middle;
            }
            if (compared < 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return -low - 1;
    }

    /** Passes each write to {@code consumer}, except writes that their own transaction overwrote. */
    private void forEachFinalWrite(int[] seenBy, WriteConsumer consumer) {
        Arrays.fill(seenBy, NO_TRANSACTION);
        for (int t = counted.nextSetBit(0); t >= 0; t = counted.nextSetBit(t + 1)) {
            for (int op = history.opsFrom(t + 1) - 1; op >= history.opsFrom(t); op--) {
                if (!Op.isWrite(history.kind(op))) {
                    continue;
                }
                int key = history.key(op);
                // A second append overwrites nothing: both elements stay in the list.
                if (seenBy[key] != t || history.isList(key)) {
                    seenBy[key] = t;
                    consumer.accept(t, op);
                }
            }
        }
    }

    private void fill(int[] seenBy) {
        int[] next = Arrays.copyOf(from, history.keys());
        // A version in a given order that no transaction that counts wrote stays in the chain, without a writer.
        Arrays.fill(writers, NO_TRANSACTION);
        history.orders.forEach((key, order) -> {
            Map<Long, Integer> placeOf = new HashMap<>();
            for (long version : order) {
                versions[next[key]] = version;
                placeOf.put(version, next[key]++);
            }
            tails[key] = next[key];
            places.put(key, placeOf);
        });
        forEachFinalWrite(seenBy, (writer, op) -> {
            int key = history.key(op);
            long version = history.version(op);
            int place;
            if (history.order(key) == null) {
                place = next[key]++;
            } else {
                place = places.get(key).computeIfAbsent(version, absent -> next[key]++);
                if (writers[place] != NO_TRANSACTION) {
                    duplicates.add(new Duplicate(writers[place], writer, key, version));
                }
            }
            versions[place] = version;
            writers[place] = writer;
            if (history.kind(op) == Op.DELETE) {
                deletes.set(place);
            }
        });
    }

    /** Sorts a chain by version; histories are mostly in that order already. */
    private void sort(int low, int high) {
        boolean isSorted = true;
        for (int i = low + 1; i < high && isSorted; i++) {
            isSorted = Long.compareUnsigned(versions[i - 1], versions[i]) <= 0;
        }
        if (isSorted) {
            return;
        }
        long[] before = Arrays.copyOfRange(versions, low, high);
        int[] writersBefore = Arrays.copyOfRange(writers, low, high);
        boolean[] deletesBefore = new boolean[high - low];
        long[] sorted = new long[high - low];
        for (int i = 0; i < sorted.length; i++) {
            deletesBefore[i] = deletes.get(low + i);
            sorted[i] = before[i] ^ Long.MIN_VALUE;
        }
        Arrays.sort(sorted);
        boolean[] taken = new boolean[sorted.length];
        for (int i = 0; i < before.length; i++) {
            int at = Arrays.binarySearch(sorted, before[i] ^ Long.MIN_VALUE);
            while (at > 0 && sorted[at - 1] == sorted[at]) {
                at--;
            }
            while (taken[at]) {
                at++;
            }
            taken[at] = true;
            versions[low + at] = before[i];
            writers[low + at] = writersBefore[i];
            deletes.set(low + at, deletesBefore[i]);
        }
    }

    private void findDuplicates(int key) {
        for (int place = from[key] + 1; place < from[key + 1]; place++) {
            if (versions[place] == versions[place - 1]) {
                duplicates.add(new Duplicate(writers[place - 1], writers[place], key, versions[place]));
            }
        }
    }
}
