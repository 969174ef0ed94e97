package dev.rcc.bench.workload.listappend;

import dev.rcc.bench.workload.Generator;
import dev.rcc.core.txn.Procedure;
import java.util.SplittableRandom;

/** Draws the lists of a transaction, all different, and appends elements that are unique among all generators. */
final class ListAppendGenerator implements Generator {
    private static final int CLIENT_SHIFT = 40;

    private final ListAppendTransaction txn;
    private final int maxOperations;
    private final long keys;
    private final double appendProbability;
    private final SplittableRandom random;
    private long nextElement;
    private long appends;

    /**
     * A generator.
     *
     * @param client a number that no other generator has
     */
    ListAppendGenerator(
            ListAppendTransaction txn,
            int client,
            int maxOperations,
            long keys,
            double appendProbability,
            SplittableRandom random) {
        this.txn = txn;
        this.maxOperations = maxOperations;
        this.keys = keys;
        this.appendProbability = appendProbability;
        this.random = random;
        this.nextElement = ((long) client << CLIENT_SHIFT) + 1;
    }

    @Override
    public Procedure next() {
        txn.clear();
        int operations = 1 + random.nextInt(maxOperations);
        for (int i = 0; i < operations; i++) {
            long key = random.nextLong(keys);
            if (!txn.hasKey(key)) {
                txn.add(key, random.nextDouble() < appendProbability ? nextElement++ : 0);
            }
        }
        return txn;
    }

    @Override
    public void committed() {
        appends += txn.appends();
    }

    /** The elements that committed transactions appended. */
    @Override
    public long tally() {
        return appends;
    }
}
