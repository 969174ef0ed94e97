package dev.rcc.bench.workload.tpcc;

import dev.rcc.core.store.KeyHash;
import java.util.SplittableRandom;

/**
 * The constants of the non-uniform random numbers (2.1.6), of a run and of the population. A run's constant for last names may differ from the
 * population's by 65 to 119, except 96 and 112 (2.1.6.1).
 *
 * @param lastName C for C_LAST
 * @param customer C for C_ID
 * @param item C for OL_I_ID
 */
record Nurand(int lastName, int customer, int item) {
    static final int LAST_NAME_A = 255;
    static final int CUSTOMER_A = 1_023;
    static final int ITEM_A = 8_191;

    private static final int MIN_DELTA = 65;
    private static final int MAX_DELTA = 119;
    private static final int FORBIDDEN_DELTA_1 = 96;
    private static final int FORBIDDEN_DELTA_2 = 112;

    /** C of the last names in a seed's population. */
    static int loadedLastName(long populationSeed) {
        return (int) (KeyHash.mix(populationSeed) & LAST_NAME_A);
    }

    /** Draws the constants of a run on a population. */
    static Nurand draw(int loadedLastName, SplittableRandom random) {
        int lastName;
        do {
            lastName = random.nextInt(LAST_NAME_A + 1);
        } while (!isAllowed(Math.abs(lastName - loadedLastName)));
        return new Nurand(lastName, random.nextInt(CUSTOMER_A + 1), random.nextInt(ITEM_A + 1));
    }

    /** Whether C for C_LAST may differ by {@code delta} between population and run. */
    static boolean isAllowed(int delta) {
        return delta >= MIN_DELTA && delta <= MAX_DELTA && delta != FORBIDDEN_DELTA_1 && delta != FORBIDDEN_DELTA_2;
    }

    /**
     * NURand(A, x, y) of two uniform numbers.
     *
     * @param first from 0 to A
     * @param second from x to y
     * @param c the constant
     */
    static int of(int first, int second, int c, int x, int y) {
        return ((first | second) + c) % (y - x + 1) + x;
    }

    /** Draws a number of a last name, 0 to {@code names - 1}. */
    int nextLastName(SplittableRandom random, int names) {
        return of(random.nextInt(LAST_NAME_A + 1), random.nextInt(names), lastName, 0, names - 1);
    }

    /** Draws a customer, 1 to {@code customers}. */
    int nextCustomer(SplittableRandom random, int customers) {
        return of(random.nextInt(CUSTOMER_A + 1), 1 + random.nextInt(customers), customer, 1, customers);
    }

    /** Draws an item, 1 to {@code items}. */
    int nextItem(SplittableRandom random, int items) {
        return of(random.nextInt(ITEM_A + 1), 1 + random.nextInt(items), item, 1, items);
    }
}
