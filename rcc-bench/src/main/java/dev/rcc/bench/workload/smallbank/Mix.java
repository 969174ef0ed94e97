package dev.rcc.bench.workload.smallbank;

import java.util.SplittableRandom;

/** The frequency of each kind of transaction. Immutable, shared by all coroutines; drawing allocates nothing. */
final class Mix {
    private static final SmallBank.Kind[] KINDS = SmallBank.Kind.values();

    private final int[] weights;
    private final int sum;

    /** A mix with these weights, in the order of the kinds. */
    Mix(int... weights) {
        assert weights.length == KINDS.length : weights.length;
        this.weights = weights.clone();
        int total = 0;
        for (int weight : weights) {
            total += weight;
        }
        this.sum = total;
    }

    /** The sum of the weights. */
    int sum() {
        return sum;
    }

    /** Draws a kind. */
    SmallBank.Kind next(SplittableRandom random) {
        int point = random.nextInt(sum);
        int i = 0;
        while (point >= weights[i]) {
            point -= weights[i];
            i++;
        }
        return KINDS[i];
    }
}
