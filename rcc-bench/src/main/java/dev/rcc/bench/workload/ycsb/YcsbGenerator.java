package dev.rcc.bench.workload.ycsb;

import dev.rcc.bench.workload.Generator;
import dev.rcc.bench.workload.KeyChooser;
import dev.rcc.core.txn.Procedure;
import java.util.SplittableRandom;

/** Draws the records of a transaction, all different, and which of them it writes. */
final class YcsbGenerator implements Generator {
    private final YcsbTransaction txn;
    private final KeyChooser chooser;
    private final long records;
    private final double writeProbability;
    private final SplittableRandom random;
    private long updates;
    private long tornReads;

    YcsbGenerator(
            YcsbTransaction txn, KeyChooser chooser, long records, double writeProbability, SplittableRandom random) {
        this.txn = txn;
        this.chooser = chooser;
        this.records = records;
        this.writeProbability = writeProbability;
        this.random = random;
    }

    @Override
    public Procedure next() {
        for (int i = 0; i < txn.operations(); i++) {
            long key = chooser.next(random);
            // A record that the transaction has already: the next one instead, so that this ends even in a tiny hot
            // area.
            while (isTaken(key, i)) {
                key = key + 1 == records ? 0 : key + 1;
            }
            txn.operation(i, key, random.nextDouble() < writeProbability);
        }
        txn.blindValue(random.nextLong());
        return txn;
    }

    @Override
    public void committed() {
        updates += txn.writeCount();
        tornReads += txn.tornReads();
    }

    /** The updates of committed transactions. */
    @Override
    public long tally() {
        return updates;
    }

    /** The records that committed transactions read and that were not whole. */
    @Override
    public long anomalies() {
        return tornReads;
    }

    private boolean isTaken(long key, int operations) {
        for (int i = 0; i < operations; i++) {
            if (txn.key(i) == key) {
                return true;
            }
        }
        return false;
    }
}
