package dev.rcc.bench.workload.ycsb;

import dev.rcc.bench.workload.Generator;
import dev.rcc.core.txn.Procedure;
import java.util.SplittableRandom;

/** Draws the records of a transaction, all different, and which of them it writes. */
final class YcsbGenerator implements Generator {
    private final YcsbTransaction txn;
    private final RecordSet own;
    private final RecordSet[] others;
    private final double remoteProbability;
    private final double writeProbability;
    private final SplittableRandom random;
    private long homeKey;
    private long updates;
    private long tornReads;

    /**
     * A generator.
     *
     * @param own the records that local operations draw from
     * @param others the sets of the other nodes: an operation draws from one of them with {@code remoteProbability}, each with equal probability
     */
    YcsbGenerator(
            YcsbTransaction txn,
            RecordSet own,
            RecordSet[] others,
            double remoteProbability,
            double writeProbability,
            SplittableRandom random) {
        this.txn = txn;
        this.own = own;
        this.others = others.clone();
        this.remoteProbability = others.length == 0 ? 0 : remoteProbability;
        this.writeProbability = writeProbability;
        this.random = random;
    }

    @Override
    public Procedure next() {
        boolean isAtHome = false;
        for (int i = 0; i < txn.operations(); i++) {
            RecordSet records = isRemote() ? others[random.nextInt(others.length)] : own;
            long rank = records.draw(random);
            // A record that the transaction has already is replaced by the next one. So the draw
            // ends even in a tiny hot area.
            while (isTaken(records.key(rank), i)) {
                rank = records.next(rank);
            }
            txn.operation(i, records.key(rank), random.nextDouble() < writeProbability);
            if (records == own && !isAtHome) {
                isAtHome = true;
                homeKey = records.key(rank);
            }
        }
        if (!isAtHome) {
            homeKey = own.key(0);
        }
        txn.blindValue(random.nextLong());
        return txn;
    }

    /**
     * The key of a record that local operations draw from: of the first one that the drawn transaction accesses or, if all its operations are remote,
     * of another.
     */
    long homeKey() {
        return homeKey;
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

    /** The torn records that committed transactions read. */
    @Override
    public long anomalies() {
        return tornReads;
    }

    private boolean isRemote() {
        return remoteProbability > 0 && random.nextDouble() < remoteProbability;
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
