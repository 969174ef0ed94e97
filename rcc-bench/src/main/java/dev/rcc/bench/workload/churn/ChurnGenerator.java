package dev.rcc.bench.workload.churn;

import dev.rcc.bench.workload.Generator;
import dev.rcc.core.txn.Intent;
import dev.rcc.core.txn.Procedure;
import java.util.SplittableRandom;

/** Draws transactions on all keys with equal probability. */
final class ChurnGenerator implements Generator {
    /** Scans that delete take more than one key, so they are rarer than other scans. */
    private static final Intent[] SCANS = {Intent.READ, Intent.READ, Intent.READ, Intent.UPDATE, Intent.DELETE};

    private static final double SCAN = 0.35;
    private static final double ORDERED = 0.5;
    private static final double LATE = 0.3;
    private static final double GIVE_UP = 0.04;

    private final ChurnTransaction txn;
    private final int keys;
    private final int scanLength;
    private final int blindPercent;
    private final SplittableRandom random;
    private final SplittableRandom blindness;
    private int readFirstPercent;
    private SplittableRandom patience;
    private int replicatedPercent;
    private SplittableRandom replication;
    private long added;

    ChurnGenerator(
            ChurnTransaction txn,
            int keys,
            int scanLength,
            int blindPercent,
            SplittableRandom random,
            SplittableRandom blindness) {
        this.txn = txn;
        this.keys = keys;
        this.scanLength = scanLength;
        this.blindPercent = blindPercent;
        this.random = random;
        this.blindness = blindness;
    }

    /** Makes this percentage of the operations read first, drawn from these random numbers. */
    void readsFirst(int percent, SplittableRandom random) {
        readFirstPercent = percent;
        patience = random;
    }

    private boolean readsFirst() {
        return readFirstPercent > 0 && patience.nextInt(100) < readFirstPercent;
    }

    /** Makes this percentage of the transactions use the replicated table, too, drawn from these random numbers. */
    void useReplicated(int percent, SplittableRandom newReplication) {
        replicatedPercent = percent;
        replication = newReplication;
    }

    @Override
    public Procedure next() {
        txn.clear();
        Intent scan = random.nextDouble() < SCAN ? SCANS[random.nextInt(SCANS.length)] : null;
        boolean mayBeOrdered = scan == null || scan == Intent.READ;
        int operations = random.nextInt(scan == null ? 1 : 0, ChurnTransaction.MAX_OPERATIONS + 1);
        boolean isLate = false;
        for (int i = 0; i < operations; i++) {
            isLate |= random.nextDouble() < LATE;
            txn.add(
                    random.nextInt(ChurnTransaction.CHOICES),
                    mayBeOrdered && random.nextDouble() < ORDERED,
                    random.nextInt(keys),
                    isLate,
                    blindness.nextInt(100) < blindPercent,
                    readsFirst());
        }
        if (replicatedPercent > 0 && replication.nextInt(100) < replicatedPercent) {
            txn.addReplicated(
                    replication.nextInt(ChurnTransaction.CHOICES),
                    replication.nextInt(keys),
                    isLate || replication.nextDouble() < LATE,
                    replication.nextInt(100) < blindPercent,
                    readsFirst());
        }
        if (scan != null) {
            long from = random.nextInt(keys);
            txn.scan(scan, from, from + 1 + random.nextInt(keys), 1 + random.nextInt(scanLength), readsFirst());
        }
        if (random.nextDouble() < GIVE_UP) {
            txn.giveUp();
        }
        return txn;
    }

    @Override
    public void committed() {
        added += txn.added();
    }

    /** Records that committed transactions added, less the records that they removed. */
    @Override
    public long tally() {
        return added;
    }
}
