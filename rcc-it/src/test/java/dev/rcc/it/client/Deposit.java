package dev.rcc.it.client;

import dev.rcc.client.Codec;
import dev.rcc.client.KeyType;
import dev.rcc.client.Table;
import dev.rcc.client.Transaction;
import dev.rcc.client.procedure.ProcedureType;
import dev.rcc.client.procedure.StoredProcedure;

/** Adds money to an account, and returns the new balance. For servers that load it from a jar. */
public final class Deposit implements StoredProcedure<Deposit.Slip, Long> {
    /** The account, and the amount to add. */
    public record Slip(long account, long cents) {}

    /** The procedure's name, and the codecs of its argument and result. */
    public static final ProcedureType<Slip, Long> TYPE =
            ProcedureType.of("deposit", Codec.ofRecord(Slip.class), Codec.ofLong());

    private static final Table<Long, Long> ACCOUNTS = new Table<>("accounts", KeyType.LONG, Codec.ofLong());

    @Override
    public ProcedureType<Slip, Long> type() {
        return TYPE;
    }

    @Override
    public Long run(Transaction txn, Slip slip) {
        long cents = txn.getForUpdate(ACCOUNTS, slip.account()).orElse(0L) + slip.cents();
        txn.put(ACCOUNTS, slip.account(), cents);
        return cents;
    }
}
