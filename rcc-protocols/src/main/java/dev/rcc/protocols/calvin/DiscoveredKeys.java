package dev.rcc.protocols.calvin;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.store.Table;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Intent;
import dev.rcc.core.txn.Transaction;
import java.lang.foreign.Arena;
import java.util.Arrays;

/**
 * The keys that a reconnaissance has found, with what the transaction wants with them; they outlive its attempts. Only
 * transactions that discover keys have any. Used on one coroutine.
 */
final class DiscoveredKeys {
    private Table[] tables = {};
    private Intent[] intents = {};
    private long[] keyHashes = {};
    private int[] identityOffsets = {};
    private int size;
    private Memory identities;
    private int identityBytes;

    void clear() {
        size = 0;
        identityBytes = 0;
    }

    /** Remembers all that the transaction accesses, instead of what was remembered before. */
    void remember(Transaction txn) {
        clear();
        for (int i = 0; i < txn.size(); i++) {
            add(txn.access(i), txn.buffer().memory());
        }
    }

    int size() {
        return size;
    }

    Table table(int i) {
        return tables[i];
    }

    Intent intent(int i) {
        return intents[i];
    }

    long keyHash(int i) {
        return keyHashes[i];
    }

    /** Whether a key is that of an access, whose identity is in {@code buffers}. */
    boolean isKeyOf(int i, Access access, Memory buffers) {
        return keyHashes[i] == access.keyHash()
                && tables[i] == access.table()
                && identities.equalWords(
                        identityOffsets[i],
                        buffers,
                        access.identityOffset(),
                        access.layout().identityBytes());
    }

    void copyIdentity(int i, Memory target, long offset) {
        identities.copy(
                identityOffsets[i], target, offset, tables[i].layout().tuple().identityBytes());
    }

    private void add(Access access, Memory buffers) {
        int bytes = access.layout().identityBytes();
        if (size == tables.length) {
            int longer = Math.max(16, 2 * size);
            tables = Arrays.copyOf(tables, longer);
            intents = Arrays.copyOf(intents, longer);
            keyHashes = Arrays.copyOf(keyHashes, longer);
            identityOffsets = Arrays.copyOf(identityOffsets, longer);
        }
        if (identities == null || identityBytes + bytes > identities.size()) {
            Memory larger = Memory.allocate(Arena.ofAuto(), 2L * (identityBytes + bytes));
            if (identities != null) {
                identities.copy(0, larger, 0, identityBytes);
            }
            identities = larger;
        }
        buffers.copy(access.identityOffset(), identities, identityBytes, bytes);
        tables[size] = access.table();
        intents[size] = access.declaredIntent();
        keyHashes[size] = access.keyHash();
        identityOffsets[size] = identityBytes;
        identityBytes += bytes;
        size++;
    }
}
