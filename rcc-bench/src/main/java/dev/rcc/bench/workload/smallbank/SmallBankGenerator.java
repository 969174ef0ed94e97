package dev.rcc.bench.workload.smallbank;

import dev.rcc.bench.workload.Generator;
import dev.rcc.bench.workload.KeyChooser;
import dev.rcc.core.store.Table;
import dev.rcc.core.txn.Procedure;
import java.util.SplittableRandom;

/** Draws the kind of a transaction by its weight, and its customers. The amounts are H-Store's. */
final class SmallBankGenerator implements Generator {
    static final long DEPOSIT_CENTS = 130;
    static final long PAYMENT_CENTS = 500;
    static final long SAVINGS_CENTS = 2_020;
    static final long CHECK_CENTS = 500;

    private final Amalgamate amalgamate;
    private final Balance balance;
    private final DepositChecking depositChecking;
    private final SendPayment sendPayment;
    private final TransactSavings transactSavings;
    private final WriteCheck writeCheck;
    private final KeyChooser customers;
    private final Mix mix;
    private final SplittableRandom random;
    private SmallBankProcedure last;
    private long netCents;

    SmallBankGenerator(
            Table checking, Table savings, long lowestBalance, KeyChooser customers, Mix mix, SplittableRandom random) {
        this.amalgamate = new Amalgamate(checking, savings);
        this.balance = new Balance(checking, savings);
        this.depositChecking = new DepositChecking(checking, savings);
        this.sendPayment = new SendPayment(checking, savings, lowestBalance);
        this.transactSavings = new TransactSavings(checking, savings, lowestBalance);
        this.writeCheck = new WriteCheck(checking, savings);
        this.customers = customers;
        this.mix = mix;
        this.random = random;
    }

    @Override
    public Procedure next() {
        long customer = customers.next(random);
        last = switch (mix.next(random)) {
            case AMALGAMATE -> amalgamate.with(customer, otherThan(customer));
            case BALANCE -> balance.with(customer);
            case DEPOSIT_CHECKING -> depositChecking.with(customer, DEPOSIT_CENTS);
            case SEND_PAYMENT -> sendPayment.with(customer, otherThan(customer), PAYMENT_CENTS);
            case TRANSACT_SAVINGS ->
                transactSavings.with(customer, random.nextLong() < 0 ? -SAVINGS_CENTS : SAVINGS_CENTS);
            case WRITE_CHECK -> writeCheck.with(customer, CHECK_CENTS);
        };
        return last;
    }

    @Override
    public void committed() {
        netCents += last.netCents();
    }

    /** The money that committed transactions brought into the bank, in cents. */
    @Override
    public long tally() {
        return netCents;
    }

    private long otherThan(long customer) {
        long other = customers.next(random);
        while (other == customer) {
            other = customers.next(random);
        }
        return other;
    }
}
