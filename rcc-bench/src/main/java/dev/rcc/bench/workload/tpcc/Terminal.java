package dev.rcc.bench.workload.tpcc;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/** Draws the input of a terminal's user. Of one client; allocates nothing. */
final class Terminal {
    private static final int MAX_QUANTITY = 10;
    private static final int MIN_AMOUNT_CENTS = 100;
    private static final int MAX_AMOUNT_CENTS = 500_000;
    private static final int MIN_THRESHOLD = 10;
    private static final int MAX_THRESHOLD = 20;
    private static final double PERCENT = 100;
    /** The longest think time, in multiples of the mean. */
    private static final int MAX_THINK = 10;

    private final TpccRules rules;
    private final TpccScale scale;
    private final Nurand nurand;
    private final Mix mix;
    private final int[] homes;
    private final int stockDistrict;
    private final SplittableRandom random;
    private final TpccInput input = new TpccInput();
    private long pauseNanos;

    /**
     * A terminal.
     *
     * @param homes the terminal's warehouses: one, or several of which each input draws one
     * @param stockDistrict the district whose stock the terminal checks (2.8.1.1)
     */
    Terminal(TpccRules rules, int[] homes, int stockDistrict, SplittableRandom random) {
        this.rules = rules;
        this.scale = rules.scale();
        this.nurand = rules.nurand();
        this.mix = rules.mix().get();
        this.homes = homes;
        this.stockDistrict = stockDistrict;
        this.random = random;
    }

    /** Draws the next transaction. Valid until the next call. */
    TpccInput next() {
        if (input.kind == Kind.DELIVERY && input.lastDistrict < scale.districts()) {
            input.firstDistrict++;
            input.lastDistrict++;
            pauseNanos = 0;
            return input;
        }
        Kind before = input.kind;
        input.kind = mix.next(random);
        pauseNanos = rules.waits() ? nanos(think(before) + input.kind.keyingSeconds()) : 0;
        input.warehouse = homes.length == 1 ? homes[0] : homes[random.nextInt(homes.length)];
        input.district = between(1, scale.districts());
        switch (input.kind) {
            case NEW_ORDER -> newOrder();
            case PAYMENT -> payment();
            case ORDER_STATUS -> {
                input.customerWarehouse = input.warehouse;
                input.customerDistrict = input.district;
                customer();
            }
            case DELIVERY -> {
                input.carrier = between(1, Delivery.CARRIERS);
                input.firstDistrict = 1;
                input.lastDistrict = rules.inParts() ? 1 : scale.districts();
            }
            case STOCK_LEVEL -> {
                input.district = stockDistrict;
                input.threshold = between(MIN_THRESHOLD, MAX_THRESHOLD);
            }
        }
        return input;
    }

    /** How long the user waits before this transaction begins: reads the result of the transaction before, and types (5.2.5). */
    long pauseNanos() {
        return pauseNanos;
    }

    /** The think time, in seconds: negative exponential, no more than ten times the mean (5.2.5.4). */
    private double think(Kind before) {
        if (before == null) {
            return 0;
        }
        double mean = before.thinkSeconds();
        return Math.min(-Math.log(1 - random.nextDouble()) * mean, MAX_THINK * mean);
    }

    private static long nanos(double seconds) {
        return (long) (seconds * TimeUnit.SECONDS.toNanos(1));
    }

    private void newOrder() {
        input.customerWarehouse = input.warehouse;
        input.customerDistrict = input.district;
        input.name = TpccInput.NO_NAME;
        input.customer = nurand.nextCustomer(random, scale.customers());
        input.lines = between(TpccScale.MIN_LINES, TpccScale.MAX_LINES);
        for (int i = 0; i < input.lines; i++) {
            input.items[i] = nurand.nextItem(random, scale.items());
            input.suppliers[i] = happens(rules.remoteLines()) ? otherWarehouse() : input.warehouse;
            input.quantities[i] = between(1, MAX_QUANTITY);
        }
        if (happens(rules.rollbacks())) {
            input.items[input.lines - 1] = scale.items() + 1; // no such item exists
        }
    }

    private void payment() {
        boolean isRemote = scale.warehouses() > 1 && happens(rules.remotePayments());
        input.customerWarehouse = isRemote ? otherWarehouse() : input.warehouse;
        input.customerDistrict = isRemote ? between(1, scale.districts()) : input.district;
        customer();
        input.amountCents = between(MIN_AMOUNT_CENTS, MAX_AMOUNT_CENTS);
        input.historyNumber = random.nextLong();
    }

    /** Draws the customer, by last name or by number (2.5.1.2, 2.6.1.2). */
    private void customer() {
        if (happens(rules.byName())) {
            input.name = nurand.nextLastName(random, scale.names());
        } else {
            input.name = TpccInput.NO_NAME;
            input.customer = nurand.nextCustomer(random, scale.customers());
        }
    }

    /** Draws any warehouse except the terminal's, if there is another. */
    private int otherWarehouse() {
        if (scale.warehouses() == 1) {
            return input.warehouse;
        }
        int other = between(1, scale.warehouses() - 1);
        return other < input.warehouse ? other : other + 1;
    }

    private boolean happens(double percent) {
        return percent > 0 && random.nextDouble() * PERCENT < percent;
    }

    private int between(int min, int max) {
        return min + random.nextInt(max - min + 1);
    }
}
