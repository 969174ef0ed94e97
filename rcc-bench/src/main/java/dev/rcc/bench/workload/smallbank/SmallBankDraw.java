package dev.rcc.bench.workload.smallbank;

import dev.rcc.bench.workload.KeyChooser;
import java.util.SplittableRandom;

/** Draws the kind of a transaction by its weight, its customers and its amount. The amounts are H-Store's. Allocates nothing. */
final class SmallBankDraw {
    static final long DEPOSIT_CENTS = 130;
    static final long PAYMENT_CENTS = 500;
    static final long SAVINGS_CENTS = 2_020;
    static final long CHECK_CENTS = 500;

    private final KeyChooser customers;
    private final Mix mix;
    private final SplittableRandom random;
    private SmallBank.Kind kind;
    private long customer;
    private long other;
    private long cents;

    SmallBankDraw(KeyChooser customers, Mix mix, SplittableRandom random) {
        this.customers = customers;
        this.mix = mix;
        this.random = random;
    }

    /** Draws the next transaction. */
    void next() {
        customer = customers.next(random);
        kind = mix.next(random);
        switch (kind) {
            case AMALGAMATE -> other = otherThan(customer);
            case BALANCE -> {}
            case DEPOSIT_CHECKING -> cents = DEPOSIT_CENTS;
            case SEND_PAYMENT -> {
                other = otherThan(customer);
                cents = PAYMENT_CENTS;
            }
            case TRANSACT_SAVINGS -> cents = random.nextLong() < 0 ? -SAVINGS_CENTS : SAVINGS_CENTS;
            case WRITE_CHECK -> cents = CHECK_CENTS;
        }
    }

    SmallBank.Kind kind() {
        return kind;
    }

    long customer() {
        return customer;
    }

    /** The other customer, for a kind that has two. */
    long other() {
        return other;
    }

    /** The amount, for a kind that has one. */
    long cents() {
        return cents;
    }

    private long otherThan(long first) {
        long second = customers.next(random);
        while (second == first) {
            second = customers.next(random);
        }
        return second;
    }
}
