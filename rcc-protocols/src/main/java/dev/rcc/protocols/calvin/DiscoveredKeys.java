package dev.rcc.protocols.calvin;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.store.Table;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Intent;
import dev.rcc.core.txn.Transaction;

/**
 * The keys that a reconnaissance has found, with the transaction's intents; they outlive its attempts. Only
 * transactions that discover keys have any. Used on one coroutine.
 */
final class DiscoveredKeys {
    private final KeyList keys = new KeyList();

    void clear() {
        keys.clear();
    }

    /** Remembers all keys that the transaction accesses, instead of the keys remembered before. */
    void remember(Transaction txn) {
        clear();
        for (int i = 0; i < txn.size(); i++) {
            add(txn.access(i), txn.buffer().memory());
        }
    }

    int size() {
        return keys.size();
    }

    Table table(int i) {
        return keys.get(i).table;
    }

    Intent intent(int i) {
        return keys.get(i).intent;
    }

    long keyHash(int i) {
        return keys.get(i).keyHash;
    }

    /** Whether a key is that of an access, whose identity is in {@code buffers}. */
    boolean isKeyOf(int i, Access access, Memory buffers) {
        KeyList.Item key = keys.get(i);
        return key.keyHash == access.keyHash()
                && key.table == access.table()
                && keys.identities()
                        .equalWords(
                                key.identityOffset,
                                buffers,
                                access.identityOffset(),
                                access.layout().identityBytes());
    }

    void copyIdentity(int i, Memory target, long offset) {
        KeyList.Item key = keys.get(i);
        int bytes = key.table.layout().tuple().identityBytes();
        keys.identities().copy(key.identityOffset, target, offset, bytes);
    }

    private void add(Access access, Memory buffers) {
        KeyList.Item key = keys.add(access.table(), access.declaredIntent(), access.keyHash());
        keys.keepIdentity(key, buffers, access.identityOffset());
    }
}
