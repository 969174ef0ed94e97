package dev.rcc.bench.verify.clients;

import dev.rcc.bench.verify.clients.AppliedCommits.Applied;
import dev.rcc.bench.verify.clients.AppliedCommits.RecordKey;
import dev.rcc.bench.verify.clients.AppliedCommits.SeenKeys;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** A client's observations in one attempt at a transaction, to be compared with the reads of the transaction that took effect. */
final class Attempt {
    /** Looks up the record under a version. */
    @FunctionalInterface
    interface Versions {
        /** The record; null if there was none, as under version 0. */
        ClientRecord read(RecordKey key, long version);
    }

    /** A record, or none, that the client observed. */
    private record ObservedRecord(RecordKey key, ClientRecord record) {}

    /** Whether the client observed that there is a record. */
    private record ObservedExistence(RecordKey key, boolean exists) {}

    /** The records of a range that the client observed, and the keys that the transaction itself had written by then. */
    private record ObservedRange(int table, long from, long last, Set<Long> keys, Set<Long> own) {}

    private final List<ObservedRecord> records = new ArrayList<>();
    private final List<ObservedExistence> existences = new ArrayList<>();
    private final List<ObservedRange> ranges = new ArrayList<>();
    /** By key: the record that the transaction itself wrote; null if it deleted the record. */
    private final Map<RecordKey, ClientRecord> own = new HashMap<>();

    private String contradiction;
    private boolean isCommitSent;

    /** The client sends the attempt's commit. */
    void commitSent() {
        isCommitSent = true;
    }

    /** Whether the commit was sent: without it, no transaction of this attempt can have taken effect. */
    boolean isCommitSent() {
        return isCommitSent;
    }

    /** The client observed a record's contents; null if there is no record. */
    void tellRecord(RecordKey key, ClientRecord record) {
        if (!own.containsKey(key)) {
            records.add(new ObservedRecord(key, record));
        } else if (own.get(key) == null ? record != null : !own.get(key).equals(record)) {
            contradict("observed " + record + " under " + key + ", where it had itself left " + own.get(key));
        }
    }

    /** The client observed whether there is a record. */
    void tellExistence(RecordKey key, boolean exists) {
        if (!own.containsKey(key)) {
            existences.add(new ObservedExistence(key, exists));
        } else if ((own.get(key) != null) != exists) {
            contradict("observed that there is " + (exists ? "a" : "no") + " record under " + key
                    + ", where it had itself left " + own.get(key));
        }
    }

    /** The client observed the records of a range. */
    void tellRange(int table, long from, long last, List<ClientRecord> found) {
        Set<Long> keys = new HashSet<>();
        Set<Long> written = new HashSet<>();
        own.keySet().stream().filter(key -> key.table() == table).forEach(key -> written.add(key.key()));
        long before = Long.MIN_VALUE;
        for (ClientRecord record : found) {
            long key = record.key();
            if (key <= before || key < from || key > last) {
                contradict("observed " + found + " for the keys " + from + " to " + last);
            }
            before = key;
            keys.add(key);
            tellRecord(new RecordKey(table, key), record);
        }
        for (long key : written) {
            if (key >= from && key <= last && own.get(new RecordKey(table, key)) != null && !keys.contains(key)) {
                contradict("did not observe in a scan what it had itself left under " + key);
            }
        }
        ranges.add(new ObservedRange(table, from, last, keys, written));
    }

    /** The client's write was accepted; null for a delete. */
    void write(RecordKey key, ClientRecord record) {
        own.put(key, record);
    }

    /** Whether the transaction has itself left a record. */
    boolean leavesRecord() {
        return own.values().stream().anyMatch(Objects::nonNull);
    }

    private void contradict(String what) {
        if (contradiction == null) {
            contradiction = what;
        }
    }

    /** An observation of the client that contradicts what the transaction has read; null if there is none. */
    String mismatch(Applied applied, Versions versions) {
        String mismatch = mismatch(applied.reads(), versions);
        return mismatch == null ? mismatchOfRanges(applied) : mismatch;
    }

    /**
     * The transaction has seen all of a range that the client has scanned, and where the client saw no record, it saw none that it had not itself
     * written.
     */
    private String mismatchOfRanges(Applied applied) {
        for (ObservedRange observed : ranges) {
            String scan = " in a scan of the keys " + observed.from() + " to " + observed.last();
            for (long key = observed.from(); key <= observed.last(); key++) {
                RecordKey name = new RecordKey(observed.table(), key);
                boolean isWritten =
                        applied.writes().stream().anyMatch(write -> write.key().equals(name));
                SeenKeys seen = seen(applied, key);
                if (seen == null) {
                    return "observed " + observed.keys() + scan + ", and the transaction has not looked for " + name;
                }
                if (seen.keys().contains(key) && !observed.keys().contains(key) && !isWritten) {
                    return "did not observe " + name + scan + ", and the transaction has seen it";
                }
            }
        }
        return null;
    }

    private static SeenKeys seen(Applied applied, long key) {
        return applied.seen().stream()
                .filter(seen -> seen.low() <= key && key <= seen.high())
                .findFirst()
                .orElse(null);
    }

    /**
     * An observation of the client that contradicts the transaction's reads; null if there is none.
     *
     * @param reads by key: the version read, 0 if there was no record
     */
    private String mismatch(Map<RecordKey, Long> reads, Versions versions) {
        if (contradiction != null) {
            return contradiction;
        }
        for (ObservedRecord observed : records) {
            Long version = reads.get(observed.key());
            ClientRecord read = version == null ? null : versions.read(observed.key(), version);
            if (version == null || (read == null ? observed.record() != null : !read.equals(observed.record()))) {
                return "observed " + observed.record() + " under " + observed.key() + ", and the transaction has "
                        + (version == null ? "not read that" : "read " + read);
            }
        }
        for (ObservedExistence observed : existences) {
            Long version = reads.get(observed.key());
            if (version == null || (version != 0) != observed.exists()) {
                return "observed that there is " + (observed.exists() ? "a" : "no") + " record under " + observed.key()
                        + ", and the transaction has "
                        + (version == null ? "not read that" : "found the contrary");
            }
        }
        for (ObservedRange observed : ranges) {
            for (Map.Entry<RecordKey, Long> read : reads.entrySet()) {
                long key = read.getKey().key();
                boolean isMissing = read.getKey().table() == observed.table()
                        && key >= observed.from()
                        && key <= observed.last()
                        && read.getValue() != 0
                        && !observed.keys().contains(key)
                        && !observed.own().contains(key);
                if (isMissing) {
                    return "did not observe " + read.getKey() + " in a scan of the keys " + observed.from() + " to "
                            + observed.last() + ", and the transaction has read it";
                }
            }
        }
        return null;
    }
}
