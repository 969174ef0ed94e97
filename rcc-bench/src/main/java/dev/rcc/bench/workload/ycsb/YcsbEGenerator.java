package dev.rcc.bench.workload.ycsb;

import dev.rcc.bench.workload.Generator;
import dev.rcc.bench.workload.KeyChooser;
import dev.rcc.core.store.KeyHash;
import dev.rcc.core.txn.Procedure;
import java.util.SplittableRandom;

/** Draws scans that begin with a loaded record, and inserts of records that no other client inserts. */
final class YcsbEGenerator implements Generator {
    private final YcsbETransaction txn;
    private final KeyChooser chooser;
    private final int step;
    private final int scanLength;
    private final double insertProbability;
    private final SplittableRandom random;
    private long nextNumber;
    private long inserts;
    private long wrongScans;

    /**
     * Creates the generator of a coroutine.
     *
     * @param firstNumber the number of the first record to insert; the following numbers are {@code step} apart
     */
    YcsbEGenerator(
            YcsbETransaction txn,
            KeyChooser chooser,
            long firstNumber,
            int step,
            int scanLength,
            double insertProbability,
            SplittableRandom random) {
        this.txn = txn;
        this.chooser = chooser;
        this.nextNumber = firstNumber;
        this.step = step;
        this.scanLength = scanLength;
        this.insertProbability = insertProbability;
        this.random = random;
    }

    @Override
    public Procedure next() {
        if (random.nextDouble() < insertProbability) {
            txn.insert(KeyHash.mix(nextNumber));
            nextNumber += step;
        } else {
            txn.scan(KeyHash.mix(chooser.next(random)), 1 + random.nextInt(scanLength));
        }
        return txn;
    }

    @Override
    public void committed() {
        inserts += txn.isInsert() ? 1 : 0;
        wrongScans += txn.isWrong() ? 1 : 0;
    }

    /** The committed inserts. */
    @Override
    public long tally() {
        return inserts;
    }

    /** The committed scans that were wrong. */
    @Override
    public long anomalies() {
        return wrongScans;
    }
}
