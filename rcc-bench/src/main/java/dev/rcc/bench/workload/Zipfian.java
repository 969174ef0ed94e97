package dev.rcc.bench.workload;

import java.util.SplittableRandom;

/**
 * Keys by Zipf's law: key {@code i} is drawn with a probability proportional to {@code 1 / (i + 1)^theta}. The method is
 * that of Gray et al., "Quickly generating billion-record synthetic databases", SIGMOD 1994: exact for the first two
 * keys, close for the others.
 */
public final class Zipfian implements KeyChooser {
    private final long keys;
    private final double alpha;
    private final double eta;
    private final double zeta;
    private final double zeta2;

    /**
     * Creates the distribution; takes time proportional to {@code keys}.
     *
     * @param keys number of keys, at least 1
     * @param theta the skew, from 0 (uniform) to less than 1
     */
    public Zipfian(long keys, double theta) {
        if (keys < 1 || !(theta >= 0 && theta < 1)) {
            throw new IllegalArgumentException("no zipfian distribution of " + keys + " keys with theta " + theta);
        }
        this.keys = keys;
        this.alpha = 1 / (1 - theta);
        this.zeta = zeta(keys, theta);
        this.zeta2 = zeta(2, theta);
        this.eta = (1 - Math.pow(2.0 / keys, 1 - theta)) / (1 - zeta2 / zeta);
    }

    @Override
    public long next(SplittableRandom random) {
        double u = random.nextDouble();
        double scaled = u * zeta;
        if (scaled < 1) {
            return 0;
        }
        if (scaled < zeta2) {
            return 1;
        }
        return Math.min(keys - 1, (long) (keys * Math.pow(eta * u - eta + 1, alpha)));
    }

    private static double zeta(long n, double theta) {
        double sum = 0;
        for (long i = 1; i <= n; i++) {
            sum += 1 / Math.pow((double) i, theta);
        }
        return sum;
    }
}
