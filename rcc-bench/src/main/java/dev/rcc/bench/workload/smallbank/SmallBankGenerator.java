package dev.rcc.bench.workload.smallbank;

import dev.rcc.bench.workload.Generator;
import dev.rcc.core.store.Table;
import dev.rcc.core.txn.Procedure;

/** Makes procedures of the drawn transactions. */
final class SmallBankGenerator implements Generator {
    private final Amalgamate amalgamate;
    private final Balance balance;
    private final DepositChecking depositChecking;
    private final SendPayment sendPayment;
    private final TransactSavings transactSavings;
    private final WriteCheck writeCheck;
    private final SmallBankDraw draw;
    private SmallBankProcedure last;
    private long netCents;

    SmallBankGenerator(Table checking, Table savings, long lowestBalance, SmallBankDraw draw) {
        this.amalgamate = new Amalgamate(checking, savings);
        this.balance = new Balance(checking, savings);
        this.depositChecking = new DepositChecking(checking, savings);
        this.sendPayment = new SendPayment(checking, savings, lowestBalance);
        this.transactSavings = new TransactSavings(checking, savings, lowestBalance);
        this.writeCheck = new WriteCheck(checking, savings);
        this.draw = draw;
    }

    @Override
    public Procedure next() {
        draw.next();
        long customer = draw.customer();
        last = switch (draw.kind()) {
            case AMALGAMATE -> amalgamate.with(customer, draw.other());
            case BALANCE -> balance.with(customer);
            case DEPOSIT_CHECKING -> depositChecking.with(customer, draw.cents());
            case SEND_PAYMENT -> sendPayment.with(customer, draw.other(), draw.cents());
            case TRANSACT_SAVINGS -> transactSavings.with(customer, draw.cents());
            case WRITE_CHECK -> writeCheck.with(customer, draw.cents());
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
}
