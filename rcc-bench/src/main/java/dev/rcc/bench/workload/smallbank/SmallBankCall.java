package dev.rcc.bench.workload.smallbank;

import dev.rcc.bench.workload.Reads;
import dev.rcc.client.Codec;
import dev.rcc.client.KeyType;
import dev.rcc.client.Table;
import dev.rcc.client.Transaction;
import dev.rcc.client.procedure.KeySet;
import dev.rcc.client.procedure.ProcedureException;
import dev.rcc.client.procedure.ProcedureType;
import dev.rcc.client.procedure.StoredProcedure;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A transaction of SmallBank through the client library: interactively, or as the argument of a stored procedure. It has the effect of
 * the {@link SmallBankProcedure} of its kind.
 *
 * @param kind one of the six kinds
 * @param customer the customer whose accounts it accesses
 * @param other the other customer, for a kind that has two
 * @param cents the amount, for a kind that has one
 * @param lowestBalance the balance below which payments and withdrawals give up
 */
record SmallBankCall(SmallBank.Kind kind, long customer, long other, long cents, long lowestBalance) {
    /** The kinds by their numbers in messages. */
    private static final List<SmallBank.Kind> KINDS = List.of(SmallBank.Kind.values());

    /** A balance as the nodes store it: a word. */
    private static final Codec<Long> BALANCE = new Codec<>() {
        @Override
        public int bytes() {
            return Long.BYTES;
        }

        @Override
        public void encode(Long cents, ByteBuffer target) {
            target.putLong(Long.reverseBytes(cents));
        }

        @Override
        public Long decode(ByteBuffer source) {
            return Long.reverseBytes(source.getLong());
        }
    };

    private static final Codec<SmallBankCall> ARGUMENT = new Codec<>() {
        @Override
        public int bytes() {
            return 1 + 4 * Long.BYTES;
        }

        @Override
        public void encode(SmallBankCall call, ByteBuffer target) {
            target.put((byte) KINDS.indexOf(call.kind))
                    .putLong(call.customer)
                    .putLong(call.other)
                    .putLong(call.cents)
                    .putLong(call.lowestBalance);
        }

        @Override
        public SmallBankCall decode(ByteBuffer source) {
            return new SmallBankCall(
                    KINDS.get(source.get()), source.getLong(), source.getLong(), source.getLong(), source.getLong());
        }
    };

    static final Table<Long, Long> CHECKING = new Table<>(SmallBank.CHECKING, KeyType.LONG, BALANCE);
    static final Table<Long, Long> SAVINGS = new Table<>(SmallBank.SAVINGS, KeyType.LONG, BALANCE);

    /** The procedure of the kinds that write; it returns the money brought into the bank. */
    static final ProcedureType<SmallBankCall, Long> WRITER = ProcedureType.of("smallbank", ARGUMENT, Codec.ofLong());
    /** The procedure of the kind that only reads. */
    static final ProcedureType<SmallBankCall, Long> READER =
            ProcedureType.ofReader("smallbank-balance", ARGUMENT, Codec.ofLong());

    /** The procedure that is stored at the nodes. */
    record Stored(ProcedureType<SmallBankCall, Long> type) implements StoredProcedure<SmallBankCall, Long> {
        @Override
        public Long run(Transaction txn, SmallBankCall call) {
            return call.perform(txn);
        }

        @Override
        public void declare(KeySet keys, SmallBankCall call) {
            call.declare(keys);
        }
    }

    /** The type of the stored procedure that takes this call. */
    ProcedureType<SmallBankCall, Long> type() {
        return isReadOnly() ? READER : WRITER;
    }

    boolean isReadOnly() {
        return kind == SmallBank.Kind.BALANCE;
    }

    /** The table with the record near which the transaction begins best. */
    Table<Long, Long> table() {
        return kind == SmallBank.Kind.TRANSACT_SAVINGS ? SAVINGS : CHECKING;
    }

    /** Runs the transaction. Returns the money that it brought into the bank, in cents. */
    long perform(Transaction txn) {
        return switch (kind) {
            case AMALGAMATE -> amalgamate(txn);
            case BALANCE -> {
                balances(txn);
                yield 0;
            }
            case DEPOSIT_CHECKING -> {
                txn.put(CHECKING, customer, toUpdate(txn, CHECKING, customer) + cents);
                yield cents;
            }
            case SEND_PAYMENT -> sendPayment(txn);
            case TRANSACT_SAVINGS -> transactSavings(txn);
            case WRITE_CHECK -> writeCheck(txn);
        };
    }

    private long amalgamate(Transaction txn) {
        long all = toUpdate(txn, SAVINGS, customer) + toUpdate(txn, CHECKING, customer);
        long to = toUpdate(txn, CHECKING, other);
        txn.put(SAVINGS, customer, 0L);
        txn.put(CHECKING, customer, 0L);
        txn.put(CHECKING, other, to + all);
        return 0;
    }

    private void balances(Transaction txn) {
        CompletableFuture<Optional<Long>> savings = txn.getAsync(SAVINGS, customer);
        txn.require(CHECKING, customer);
        if (Reads.await(savings).isEmpty()) {
            throw new IllegalStateException("customer " + customer + " has no savings account");
        }
    }

    private long sendPayment(Transaction txn) {
        long left = toUpdate(txn, CHECKING, customer) - cents;
        if (left < lowestBalance) {
            throw new ProcedureException("the payer's account does not cover it");
        }
        long to = toUpdate(txn, CHECKING, other);
        txn.put(CHECKING, customer, left);
        txn.put(CHECKING, other, to + cents);
        return 0;
    }

    private long transactSavings(Transaction txn) {
        long after = toUpdate(txn, SAVINGS, customer) + cents;
        if (cents < 0 && after < lowestBalance) {
            throw new ProcedureException("the savings account does not cover it");
        }
        txn.put(SAVINGS, customer, after);
        return cents;
    }

    private long writeCheck(Transaction txn) {
        CompletableFuture<Optional<Long>> savings = txn.getAsync(SAVINGS, customer);
        long before = toUpdate(txn, CHECKING, customer);
        boolean isCovered = Reads.await(savings).orElseThrow() + before >= cents;
        long taken = isCovered ? cents : cents + WriteCheck.FEE_CENTS;
        txn.put(CHECKING, customer, before - taken);
        return -taken;
    }

    private static long toUpdate(Transaction txn, Table<Long, Long> table, long key) {
        return txn.getForUpdate(table, key).orElseThrow();
    }

    private void declare(KeySet keys) {
        switch (kind) {
            case AMALGAMATE -> {
                keys.update(SAVINGS, customer);
                keys.update(CHECKING, customer);
                keys.update(CHECKING, other);
            }
            case BALANCE -> {
                keys.read(SAVINGS, customer);
                keys.read(CHECKING, customer);
            }
            case DEPOSIT_CHECKING -> keys.update(CHECKING, customer);
            case SEND_PAYMENT -> {
                keys.update(CHECKING, customer);
                keys.update(CHECKING, other);
            }
            case TRANSACT_SAVINGS -> keys.update(SAVINGS, customer);
            case WRITE_CHECK -> {
                keys.read(SAVINGS, customer);
                keys.update(CHECKING, customer);
            }
        }
    }
}
