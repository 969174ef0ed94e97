package dev.rcc.bench.workload.smallbank;

import dev.rcc.bench.workload.ClientGenerator;
import dev.rcc.client.CallOptions;
import dev.rcc.client.RccClient;
import dev.rcc.client.Transaction;

/** A client of the bank. */
final class SmallBankClient implements ClientGenerator {
    private final SmallBankDraw draw;
    private final long lowestBalance;
    private SmallBankCall call;
    private long lastNetCents;
    private long netCents;

    SmallBankClient(SmallBankDraw draw, long lowestBalance) {
        this.draw = draw;
        this.lowestBalance = lowestBalance;
    }

    @Override
    public void next() {
        draw.next();
        call = new SmallBankCall(draw.kind(), draw.customer(), draw.other(), draw.cents(), lowestBalance);
    }

    @Override
    public boolean isReadOnly() {
        return call.isReadOnly();
    }

    @Override
    public CallOptions near(CallOptions options) {
        return options.near(call.table(), call.customer());
    }

    @Override
    public void perform(Transaction txn) {
        lastNetCents = call.perform(txn);
    }

    @Override
    public void call(RccClient client, CallOptions options) {
        lastNetCents = client.call(options, call.type(), call);
    }

    @Override
    public void committed() {
        netCents += lastNetCents;
    }

    /** Fails unless the kind is one that gives up when an account does not cover the amount. */
    @Override
    public void gaveUp(RuntimeException why) {
        boolean mayGiveUp =
                call.kind() == SmallBank.Kind.SEND_PAYMENT || call.kind() == SmallBank.Kind.TRANSACT_SAVINGS;
        if (!mayGiveUp) {
            throw new IllegalStateException(call + " cannot be refused", why);
        }
    }

    /** The money that committed transactions brought into the bank, in cents. */
    @Override
    public long tally() {
        return netCents;
    }
}
