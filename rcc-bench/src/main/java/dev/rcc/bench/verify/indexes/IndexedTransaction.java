package dev.rcc.bench.verify.indexes;

import dev.rcc.core.store.Catalog;
import dev.rcc.core.store.KeyParts;
import dev.rcc.core.store.Table;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Intent;
import dev.rcc.core.txn.Procedure;
import dev.rcc.core.txn.Scan;
import dev.rcc.core.txn.Transaction;
import java.util.SplittableRandom;

/**
 * Changes some records and then finds a group; or finds some records and changes them; or looks for a name and takes it if no record has it.
 *
 * <p>Throws when it finds a state that no transaction can have left behind. An attempt with inconsistent reads may throw, as long as no client
 * sees the exception.
 */
final class IndexedTransaction implements Procedure {
    static final int GROUPS = 3;

    private static final int MAX_CHANGES = 3;

    private final Table base;
    private final Table byGroup;
    private final Table byName;
    private final byte[] prefix = new byte[Long.BYTES];

    private long seed;
    private int keys;
    private boolean givesUp;

    /** A transaction without a plan. */
    IndexedTransaction(Catalog catalog) {
        this.base = catalog.table(IndexedTables.BASE);
        this.byGroup = catalog.table(IndexedTables.BY_GROUP);
        this.byName = catalog.table(IndexedTables.BY_NAME);
    }

    /** Plans the transaction: its operations follow from a seed, and from the records that it finds. */
    void plan(long newSeed, int newKeys, boolean newGivesUp) {
        seed = newSeed;
        keys = newKeys;
        givesUp = newGivesUp;
    }

    @Override
    public void declare(Transaction txn) {}

    @Override
    public void execute(Transaction txn) {
        SplittableRandom random = new SplittableRandom(seed);
        switch (random.nextInt(6)) {
            case 0, 1, 2 -> {
                changeSome(txn, random);
                inGroup(txn, random, Intent.READ);
            }
            case 3 -> {
                Scan found = inGroup(txn, random, Intent.UPDATE);
                for (int i = 0; i < found.size(); i += 2) {
                    IndexedRecord.write(
                            found.access(i), group(random), found.access(i).getLong(IndexedRecord.NAME));
                }
            }
            case 4 -> inGroup(txn, random, random.nextInt(3) == 0 ? Intent.DELETE : Intent.READ);
            default -> takeName(txn, random);
        }
        if (givesUp) {
            txn.abort();
        }
    }

    private static long group(SplittableRandom random) {
        return random.nextInt(GROUPS);
    }

    /** There are one and a half times as many names as keys, so some names are taken. */
    private long name(SplittableRandom random) {
        return random.nextInt(keys + keys / 2);
    }

    private void changeSome(Transaction txn, SplittableRandom random) {
        long first = random.nextInt(keys);
        int changes = 1 + random.nextInt(MAX_CHANGES);
        for (int i = 0; i < changes; i++) {
            change(txn, (first + i) % keys, random);
        }
        if (random.nextInt(3) == 0) {
            exchangeNames(txn, (first + MAX_CHANGES) % keys, (first + MAX_CHANGES + 1) % keys);
        }
    }

    private void change(Transaction txn, long key, SplittableRandom random) {
        long group = group(random);
        long name = name(random);
        switch (random.nextInt(5)) {
            case 0 -> txn.delete(base, key);
            case 1 -> {
                Access access = txn.write(base, key);
                txn.fetch();
                if (access.exists()) {
                    IndexedRecord.write(access, group, name);
                }
            }
            case 2 -> {
                Access access = txn.update(base, key);
                txn.fetch();
                if (access.exists()) {
                    IndexedRecord.write(access, group, access.getLong(IndexedRecord.NAME));
                }
            }
            default -> {
                Access access = txn.insert(base, key);
                txn.fetch();
                if (!access.exists()) {
                    IndexedRecord.write(access, group, name);
                }
            }
        }
    }

    private void exchangeNames(Transaction txn, long one, long other) {
        Access first = txn.update(base, one);
        Access second = txn.update(base, other);
        txn.fetch();
        if (first.exists() && second.exists()) {
            long name = first.getLong(IndexedRecord.NAME);
            IndexedRecord.write(first, first.getLong(IndexedRecord.GROUP), second.getLong(IndexedRecord.NAME));
            IndexedRecord.write(second, second.getLong(IndexedRecord.GROUP), name);
        }
    }

    private void takeName(Transaction txn, SplittableRandom random) {
        long name = name(random);
        long key = random.nextInt(keys);
        KeyParts.putLong(prefix, 0, name);
        Scan found = txn.findPrefix(byName, prefix, 2, Intent.READ);
        if (found.size() > 0) {
            check(found, found.size() == 1 && found.access(0).getLong(IndexedRecord.NAME) == name);
            return;
        }
        Access access = txn.insert(base, key);
        txn.fetch();
        if (!access.exists()) {
            IndexedRecord.write(access, group(random), name);
        }
    }

    private Scan inGroup(Transaction txn, SplittableRandom random, Intent intent) {
        long group = group(random);
        KeyParts.putLong(prefix, 0, group);
        int limit = 1 + random.nextInt(4);
        Scan found = random.nextBoolean()
                ? txn.findPrefix(byGroup, prefix, limit, intent)
                : txn.findPrefixDown(byGroup, prefix, limit, intent);
        for (int i = 0; i < found.size(); i++) {
            Access access = found.access(i);
            boolean ascends = i == 0 || found.key(i - 1) < found.key(i) != found.descends();
            check(found, ascends && access.getLong(IndexedRecord.GROUP) == group && IndexedRecord.isWhole(access));
        }
        return found;
    }

    private static void check(Scan found, boolean isRight) {
        if (!isRight) {
            throw new IllegalStateException("a find by " + found.table()
                    + " found a record that is not in the range, not in order" + " or not whole");
        }
    }
}
