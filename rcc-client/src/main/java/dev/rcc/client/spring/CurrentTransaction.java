package dev.rcc.client.spring;

import dev.rcc.client.Entry;
import dev.rcc.client.HeldLock;
import dev.rcc.client.KeyRange;
import dev.rcc.client.RccException;
import dev.rcc.client.Table;
import dev.rcc.client.Transaction;
import dev.rcc.client.wire.Patch;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import java.util.function.Supplier;

/** The transaction of the calling thread, with Spring's exceptions. */
final class CurrentTransaction implements Transaction {
    private final Supplier<? extends Transaction> current;

    CurrentTransaction(Supplier<? extends Transaction> current) {
        this.current = current;
    }

    @Override
    public <K, V> Optional<V> get(Table<K, V> table, K key) {
        return translated(txn -> txn.get(table, key));
    }

    @Override
    public <K, V> V require(Table<K, V> table, K key) {
        return translated(txn -> txn.require(table, key));
    }

    @Override
    public <K, V> Optional<V> getForUpdate(Table<K, V> table, K key) {
        return translated(txn -> txn.getForUpdate(table, key));
    }

    @Override
    public <K, V> List<Optional<V>> getAll(Table<K, V> table, List<? extends K> keys) {
        return translated(txn -> txn.getAll(table, keys));
    }

    @Override
    public <K, V> List<Optional<V>> getAllForUpdate(Table<K, V> table, List<? extends K> keys) {
        return translated(txn -> txn.getAllForUpdate(table, keys));
    }

    @Override
    public <K, V> CompletableFuture<Optional<V>> getAsync(Table<K, V> table, K key) {
        return translated(txn -> txn.getAsync(table, key)).exceptionallyCompose(failure -> {
            Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
            return CompletableFuture.failedFuture(
                    cause instanceof RccException e ? RccExceptionTranslator.translate(e) : cause);
        });
    }

    @Override
    public <K, V> void put(Table<K, V> table, K key, V value) {
        translated(txn -> {
            txn.put(table, key, value);
            return null;
        });
    }

    @Override
    public <K, V> void insert(Table<K, V> table, K key, V value) {
        translated(txn -> {
            txn.insert(table, key, value);
            return null;
        });
    }

    @Override
    public <K> Patch.Result patch(Table<K, ?> table, K key, Patch patch) {
        return translated(txn -> txn.patch(table, key, patch));
    }

    @Override
    public <K, V> boolean delete(Table<K, V> table, K key) {
        return translated(txn -> txn.delete(table, key));
    }

    @Override
    public <K, V> List<Entry<K, V>> scan(Table<K, V> table, KeyRange<K> range, int limit) {
        return translated(txn -> txn.scan(table, range, limit));
    }

    @Override
    public <K, V> List<Entry<K, V>> scanForUpdate(Table<K, V> table, KeyRange<K> range, int limit) {
        return translated(txn -> txn.scanForUpdate(table, range, limit));
    }

    private <T> T translated(Function<Transaction, T> operation) {
        try {
            return operation.apply(current.get());
        } catch (RccException e) {
            throw RccExceptionTranslator.translate(e);
        }
    }

    @Override
    public void fence(HeldLock lock) {
        translated(txn -> {
            txn.fence(lock);
            return null;
        });
    }

    @Override
    public void fence(String namespace, String name, long token) {
        translated(txn -> {
            txn.fence(namespace, name, token);
            return null;
        });
    }
}
