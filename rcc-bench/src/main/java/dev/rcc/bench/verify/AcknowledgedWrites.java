package dev.rcc.bench.verify;

import dev.rcc.bench.history.ForwardingRecorder;
import dev.rcc.core.store.Catalog;
import dev.rcc.core.time.Timestamp;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.HistoryRecorder;
import dev.rcc.core.txn.Intent;
import dev.rcc.core.txn.Transaction;
import dev.rcc.server.ClusterInspection;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Checks that no write is lost that was acknowledged to a client as committed, even when nodes are lost: at the end each key has the version
 * that was acknowledged last, or a later one. Versions of a key grow under every protocol.
 */
public final class AcknowledgedWrites extends ForwardingRecorder {
    private static final int MAX_VIOLATIONS = 20;

    private final Map<Key, Write> last = new HashMap<>();
    /** By key: the deletes that began to be logged and whose outcome no client has received. */
    private final Map<Key, Set<Long>> deletesInDoubt = new HashMap<>();

    private long count;

    private record Key(int table, long keyHash) {}

    private record Write(long version, boolean isDelete) {}

    /** Forwards everything to {@code next}, too. */
    public AcknowledgedWrites(HistoryRecorder next) {
        super(next);
    }

    @Override
    public synchronized void logging(Transaction txn, long beginNanos) {
        forEachDelete(txn, (table, keyHash) -> deleteInDoubt(table, keyHash, txn.commitTs()));
        super.logging(txn, beginNanos);
    }

    /** A delete begins to be logged: unless {@link #deleteEnded} is called, the key may be gone from {@code version} on. */
    public synchronized void deleteInDoubt(int table, long keyHash, long version) {
        deletesInDoubt
                .computeIfAbsent(new Key(table, keyHash), none -> new HashSet<>())
                .add(version);
    }

    /** The outcome of the delete of {@code version} has reached a client. */
    public synchronized void deleteEnded(int table, long keyHash, long version) {
        Key key = new Key(table, keyHash);
        Set<Long> versions = deletesInDoubt.get(key);
        if (versions != null && versions.remove(version) && versions.isEmpty()) {
            deletesInDoubt.remove(key);
        }
    }

    @Override
    public synchronized void committed(Transaction txn, long beginNanos, long endNanos) {
        for (int i = 0; i < txn.size(); i++) {
            Access access = txn.access(i);
            if (access.isWrite()) {
                acknowledged(access.table().id(), access.keyHash(), txn.commitTs(), access.intent() == Intent.DELETE);
            }
        }
        super.committed(txn, beginNanos, endNanos);
    }

    /** A write was acknowledged. */
    public synchronized void acknowledged(int table, long keyHash, long version, boolean isDelete) {
        count++;
        if (isDelete) {
            deleteEnded(table, keyHash, version);
        }
        last.merge(
                new Key(table, keyHash),
                new Write(version, isDelete),
                (one, other) -> Timestamp.isBefore(one.version(), other.version()) ? other : one);
    }

    /** Number of acknowledged writes. */
    public synchronized long count() {
        return count;
    }

    @Override
    public synchronized void attemptAborted(Transaction txn) {
        if (txn.hasLogged()) {
            forEachDelete(txn, (table, keyHash) -> deleteEnded(table, keyHash, txn.commitTs()));
        }
        super.attemptAborted(txn);
    }

    /** Receives the records that a transaction deletes. */
    @FunctionalInterface
    public interface Deleted {
        /** A key's record is deleted. */
        void record(int table, long keyHash);
    }

    /** Passes all records that a transaction deletes to a consumer. */
    public static void forEachDelete(Transaction txn, Deleted consumer) {
        for (int i = 0; i < txn.size(); i++) {
            Access access = txn.access(i);
            if (access.isWrite() && access.intent() == Intent.DELETE) {
                consumer.record(access.table().id(), access.keyHash());
            }
        }
    }

    /** Whether the key may be gone: its last write is a delete, or a later delete may have committed whose coordinator was lost. */
    private boolean mayBeDeleted(Key key, Write write) {
        return write.isDelete()
                || deletesInDoubt.getOrDefault(key, Set.of()).stream()
                        .anyMatch(version -> Timestamp.isBefore(write.version(), version));
    }

    /** The acknowledged writes that are lost, each a sentence. */
    public synchronized List<String> lost(Catalog catalog, ClusterInspection inspection) {
        Map<Key, Long> found = new HashMap<>();
        inspection.forEachTuple((copy, tuple) -> found.put(
                new Key(copy.table().id(), copy.keyHash(tuple)),
                copy.memory().getLong(tuple + copy.table().layout().tuple().versionOffset())));
        List<String> lost = new ArrayList<>();
        last.forEach((key, write) -> {
            Long version = found.get(key);
            boolean missing =
                    version == null ? !mayBeDeleted(key, write) : Timestamp.isBefore(version, write.version());
            if (missing && lost.size() < MAX_VIOLATIONS) {
                lost.add("a write of table " + catalog.table(key.table()) + " was acknowledged with the version "
                        + Timestamp.toString(write.version()) + " and is lost: the key has "
                        + (version == null ? "no record" : "the version " + Timestamp.toString(version)));
            }
        });
        return lost;
    }
}
