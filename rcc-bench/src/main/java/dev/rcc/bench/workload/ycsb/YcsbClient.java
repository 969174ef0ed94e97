package dev.rcc.bench.workload.ycsb;

import dev.rcc.bench.workload.ClientGenerator;
import dev.rcc.client.CallOptions;
import dev.rcc.client.RccClient;
import dev.rcc.client.Transaction;

/** A client of YCSB's table, which begins at its own node or, if it accesses all nodes alike, at the node of the first record drawn. */
final class YcsbClient implements ClientGenerator {
    private final YcsbGenerator generator;
    private final YcsbTransaction drawn;
    private final YcsbProcedure writer;
    private final YcsbProcedure reader;
    private YcsbProcedure.Operations operations;
    private long lastTornReads;
    private long updates;
    private long tornReads;

    /**
     * A client.
     *
     * @param generator draws the transactions
     * @param drawn the transaction that the generator draws
     */
    YcsbClient(YcsbGenerator generator, YcsbTransaction drawn, YcsbProcedure writer, YcsbProcedure reader) {
        this.generator = generator;
        this.drawn = drawn;
        this.writer = writer;
        this.reader = reader;
    }

    @Override
    public void next() {
        generator.next();
        operations = drawn.drawn();
    }

    /** The operations of the drawn transaction. */
    YcsbProcedure.Operations drawn() {
        return operations;
    }

    @Override
    public boolean isReadOnly() {
        return drawn.writeCount() == 0;
    }

    @Override
    public CallOptions near(CallOptions options) {
        return options.near(writer.table(), generator.homeKey());
    }

    @Override
    public void perform(Transaction txn) {
        lastTornReads = writer.run(txn, operations);
    }

    @Override
    public void call(RccClient client, CallOptions options) {
        lastTornReads = client.call(options, (isReadOnly() ? reader : writer).type(), operations);
    }

    @Override
    public void committed() {
        updates += drawn.writeCount();
        tornReads += lastTornReads;
    }

    @Override
    public void gaveUp(RuntimeException why) {
        throw new IllegalStateException("nothing of YCSB can be refused", why);
    }

    /** The updates of committed transactions. */
    @Override
    public long tally() {
        return updates;
    }

    /** The torn records that committed transactions read. */
    @Override
    public long anomalies() {
        return tornReads;
    }
}
