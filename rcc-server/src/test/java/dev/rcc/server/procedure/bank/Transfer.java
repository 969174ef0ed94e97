package dev.rcc.server.procedure.bank;

import dev.rcc.client.Codec;
import dev.rcc.client.KeyType;
import dev.rcc.client.Table;
import dev.rcc.client.Transaction;
import dev.rcc.client.procedure.KeySet;
import dev.rcc.client.procedure.ProcedureException;
import dev.rcc.client.procedure.ProcedureType;
import dev.rcc.client.procedure.StoredProcedure;

/** Moves money from one account to another. */
public final class Transfer implements StoredProcedure<Transfer.Order, Transfer.Receipt> {
    /** The two accounts, and the amount to move. */
    public record Order(long from, long to, long cents) {}

    /** The balances of both accounts afterwards. */
    public record Receipt(long fromCents, long toCents) {}

    /** The accounts; a record has only the balance. */
    public static final Table<Long, Long> ACCOUNTS = new Table<>("numbers", KeyType.LONG, Codec.ofLong());

    /** The procedure's name, and the codecs of its argument and result. */
    public static final ProcedureType<Order, Receipt> TYPE =
            ProcedureType.of("transfer", Codec.ofRecord(Order.class), Codec.ofRecord(Receipt.class));

    @Override
    public ProcedureType<Order, Receipt> type() {
        return TYPE;
    }

    @Override
    public void declare(KeySet keys, Order order) {
        keys.update(ACCOUNTS, order.from());
        keys.update(ACCOUNTS, order.to());
    }

    @Override
    public Receipt run(Transaction txn, Order order) {
        if (order.from() == order.to()) {
            throw new ProcedureException("an account does not pay itself");
        }
        long from = txn.require(ACCOUNTS, order.from());
        long to = txn.require(ACCOUNTS, order.to());
        if (from < order.cents()) {
            throw new ProcedureException("account " + order.from() + " has only " + from + " cents");
        }
        txn.put(ACCOUNTS, order.from(), from - order.cents());
        txn.put(ACCOUNTS, order.to(), to + order.cents());
        return new Receipt(from - order.cents(), to + order.cents());
    }
}
