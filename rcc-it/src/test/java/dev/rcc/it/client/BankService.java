package dev.rcc.it.client;

import dev.rcc.client.Entry;
import dev.rcc.client.KeyType;
import dev.rcc.client.MaxBytes;
import dev.rcc.client.RccClient;
import dev.rcc.client.Table;
import java.util.List;

/** The accounts of a bank; a transfer loses no cent. */
public final class BankService {
    /** The record of an account. */
    public record Account(@MaxBytes(40) String owner, long cents) {}

    private static final Table<Long, Account> ACCOUNTS = Table.of("accounts", KeyType.LONG, Account.class);

    private final RccClient client;

    public BankService(RccClient client) {
        this.client = client;
    }

    public void open(long number, String owner, long cents) {
        client.execute(txn -> txn.insert(ACCOUNTS, number, new Account(owner, cents)));
    }

    public boolean transfer(long from, long to, long cents) {
        return client.transact(txn -> {
            Account payer = txn.require(ACCOUNTS, from);
            Account payee = txn.require(ACCOUNTS, to);
            if (payer.cents() < cents) {
                return false;
            }
            txn.put(ACCOUNTS, from, new Account(payer.owner(), payer.cents() - cents));
            txn.put(ACCOUNTS, to, new Account(payee.owner(), payee.cents() + cents));
            return true;
        });
    }

    public long total() {
        List<Entry<Long, Account>> all = client.read(txn -> txn.scan(ACCOUNTS, 0L, Long.MAX_VALUE, 10_000));
        return all.stream().mapToLong(account -> account.value().cents()).sum();
    }
}
