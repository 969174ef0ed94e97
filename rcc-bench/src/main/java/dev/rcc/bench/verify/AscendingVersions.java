package dev.rcc.bench.verify;

import dev.rcc.bench.history.ForwardingRecorder;
import dev.rcc.core.time.Timestamp;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.HistoryRecorder;
import dev.rcc.core.txn.Intent;
import dev.rcc.core.txn.Transaction;
import java.util.ArrayList;
import java.util.List;

/**
 * Checks that versions ascend in each place: a write commits later than the version that it replaces. That is the record's version, the
 * version in an insert's slot before, or the version of the leaf of a key that comes or goes. Backups, repair and the readers of old
 * versions rely on it. A history does not show it, as the keys that use a slot one after the other are different ones.
 *
 * <p>Used by the thread of a simulation.
 */
final class AscendingVersions extends ForwardingRecorder {
    private static final int MAX_VIOLATIONS = 5;

    private final List<String> violations = new ArrayList<>();

    /** Forwards everything to {@code next}, too. */
    AscendingVersions(HistoryRecorder next) {
        super(next);
    }

    @Override
    public void logging(Transaction txn, long beginNanos) {
        for (int i = 0; i < txn.size(); i++) {
            Access access = txn.access(i);
            if (access.isWrite()) {
                compare(txn, access, access.replacedVersion(), "what it replaces");
                if (access.intent() == Intent.INSERT || access.intent() == Intent.DELETE) {
                    compare(txn, access, access.leafVersion(), "the leaf");
                }
            }
        }
        super.logging(txn, beginNanos);
    }

    /** The violations so far, each a sentence. */
    List<String> violations() {
        return List.copyOf(violations);
    }

    private void compare(Transaction txn, Access access, long version, String what) {
        if (!Timestamp.isBefore(version, txn.commitTs()) && violations.size() < MAX_VIOLATIONS) {
            violations.add("a transaction writes to table " + access.table() + " (hash of the key "
                    + Long.toHexString(access.keyHash()) + ") at " + Timestamp.toString(txn.commitTs()) + ", but "
                    + what + " has version " + Timestamp.toString(version));
        }
    }
}
