package dev.rcc.bench.workload;

import java.util.SplittableRandom;

/**
 * Draws with some probability a key of the hot area, which is the first keys; otherwise any key. With a probability of 0 the draw is
 * uniform.
 */
public final class HotArea implements KeyChooser {
    private final long keys;
    private final long hotKeys;
    private final double hotProbability;

    /**
     * Creates the distribution.
     *
     * @param keys number of keys, at least 1
     * @param hotKeys number of hot keys, 1 to {@code keys}
     * @param hotProbability 0 to 1
     */
    public HotArea(long keys, long hotKeys, double hotProbability) {
        if (keys < 1 || hotKeys < 1 || hotKeys > keys || !(hotProbability >= 0 && hotProbability <= 1)) {
            throw new IllegalArgumentException(
                    "no hot area of " + hotKeys + " in " + keys + " keys with probability " + hotProbability);
        }
        this.keys = keys;
        this.hotKeys = hotKeys;
        this.hotProbability = hotProbability;
    }

    @Override
    public long next(SplittableRandom random) {
        boolean isHot = hotProbability > 0 && random.nextDouble() < hotProbability;
        return Math.unsignedMultiplyHigh(random.nextLong(), isHot ? hotKeys : keys);
    }
}
