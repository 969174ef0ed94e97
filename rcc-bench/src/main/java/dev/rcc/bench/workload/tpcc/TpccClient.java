package dev.rcc.bench.workload.tpcc;

import dev.rcc.bench.workload.ClientGenerator;
import dev.rcc.client.CallOptions;
import dev.rcc.client.RccClient;
import dev.rcc.client.Transaction;
import java.util.Map;

/** A terminal that is a client of the client library. */
final class TpccClient implements ClientGenerator {
    private final Terminal terminal;
    private final TpccTally tally = new TpccTally();
    private final Look look;
    private TpccInput input;
    private long lastResult;

    TpccClient(TpccScale scale, Terminal terminal) {
        this.terminal = terminal;
        this.look = new Look(scale);
    }

    @Override
    public void next() {
        input = terminal.next();
        input.dateMillis = System.currentTimeMillis();
    }

    @Override
    public long pauseNanos() {
        return terminal.pauseNanos();
    }

    @Override
    public int kind() {
        return input.kind.number();
    }

    @Override
    public boolean isReadOnly() {
        return input.isReadOnly();
    }

    @Override
    public CallOptions near(CallOptions options) {
        return options.near(TpccClientTables.WAREHOUSE, TpccKeys.warehouse(input.warehouse));
    }

    @Override
    public void perform(Transaction txn) {
        lastResult = TpccCall.perform(txn, input);
    }

    @Override
    public void call(RccClient client, CallOptions options) {
        lastResult = client.call(options, TpccCall.type(input), input);
    }

    @Override
    public void committed() {
        tally.committed(input);
        if (input.kind == Kind.DELIVERY) {
            tally.delivered((int) lastResult, input);
        }
    }

    @Override
    public boolean looks() {
        return true;
    }

    @Override
    public void look(Transaction txn) {
        look.run(new ClientRows(txn));
    }

    @Override
    public void looked() {
        tally.looked(look);
        look.next();
    }

    /** Fails unless the transaction is a NewOrder: its item may not exist. */
    @Override
    public void gaveUp(RuntimeException why) {
        if (input.kind != Kind.NEW_ORDER) {
            throw new IllegalStateException(input.kind + " cannot be refused", why);
        }
    }

    /** The committed NewOrders. */
    @Override
    public long tally() {
        return tally.newOrders();
    }

    @Override
    public Map<String, Long> counts() {
        return tally.counts();
    }
}
