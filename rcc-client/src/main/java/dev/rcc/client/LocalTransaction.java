package dev.rcc.client;

import dev.rcc.client.procedure.KeySet;
import dev.rcc.client.wire.Key;
import dev.rcc.client.wire.Message;
import dev.rcc.client.wire.Wire;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * A transaction whose operations a local server object carries out at once, instead of a remote gateway. Servers run stored procedures with it;
 * programs do not need it. For one thread.
 */
public final class LocalTransaction extends TableOperations {
    /** The access for which a procedure names a key. */
    public enum Use {
        /** The record is read. */
        READ,
        /** The record is written, and perhaps read before. */
        UPDATE,
        /** The record is added. */
        INSERT,
        /** The record is removed. */
        DELETE
    }

    /** Receives the keys that a procedure names. */
    @FunctionalInterface
    public interface KeyListener {
        /**
         * The procedure names a key.
         *
         * @param table the table's number in the catalogue
         * @param key the key, as the table has it
         * @param use the access for which it is named
         */
        void named(int table, Key key, Use use);
    }

    /** Carries out the operations of transaction 0. Its exceptions pass through the procedure's code. */
    public interface Server {
        /**
         * Carries out an operation.
         *
         * @param operation the procedure's operation
         * @return the answer
         */
        Message.Reply perform(Message.InTransaction operation);

        /**
         * Reads several records together.
         *
         * @param requests the reads
         * @return the answers in turn, up to the first refusal
         */
        List<Message.Reply> performAll(List<Message.Get> requests);
    }

    private final Message.Tables tables;
    private final Server server;

    /**
     * Creates a transaction.
     *
     * @param tables the catalogue
     * @param readOnly whether writes are refused
     * @param server carries out the operations
     */
    public LocalTransaction(Message.Tables tables, boolean readOnly, Server server) {
        super(0, readOnly);
        this.tables = tables;
        this.server = server;
    }

    /**
     * {@return a key set that passes the keys that a procedure names to a listener, as the tables have them}
     *
     * @param listener receives each key, on the thread that names it
     */
    public KeySet keys(KeyListener listener) {
        return new KeySet() {
            @Override
            public <K> void read(Table<K, ?> table, K key) {
                named(table, key, Use.READ);
            }

            @Override
            public <K> void update(Table<K, ?> table, K key) {
                named(table, key, Use.UPDATE);
            }

            @Override
            public <K> void insert(Table<K, ?> table, K key) {
                named(table, key, Use.INSERT);
            }

            @Override
            public <K> void delete(Table<K, ?> table, K key) {
                named(table, key, Use.DELETE);
            }

            private <K> void named(Table<K, ?> table, K key, Use use) {
                listener.named(info(table).id(), table.keys().encode(key), use);
            }
        };
    }

    /** Reads as {@link #get}: the future is complete at once. */
    @Override
    public <K, V> CompletableFuture<Optional<V>> getAsync(Table<K, V> table, K key) {
        return get(table, table.keys().encode(key), false, true);
    }

    /** Fences by the lock's token. A procedure runs at the node and holds no lock: its caller passes the token in the argument. */
    @Override
    public void fence(HeldLock lock) {
        fence(lock.namespace(), lock.name(), lock.token());
    }

    @Override
    public void fence(String namespace, String name, long token) {
        Locks.checkText(name);
        checked(server.perform(new Message.Fence(number(), namespace, name, token)));
    }

    @Override
    int version() {
        return Wire.VERSION;
    }

    @Override
    Message.TableInfo find(String table) {
        return Link.find(tables, table);
    }

    @Override
    <R extends Message.Reply, T> CompletableFuture<T> call(
            String name,
            Table<?, ?> table,
            Message.Operation request,
            Class<R> type,
            Function<R, T> read,
            boolean flush) {
        Message.Reply reply = checked(server.perform(request));
        return CompletableFuture.completedFuture(read.apply(type.cast(reply)));
    }

    @Override
    <T> List<T> getAll(Table<?, ?> table, List<Message.Get> requests, Function<Message.Value, T> read) {
        return server.performAll(requests).stream()
                .map(reply -> read.apply((Message.Value) checked(reply)))
                .toList();
    }

    private static Message.Reply checked(Message.Reply reply) {
        if (reply instanceof Message.Failed failed) {
            throw RccException.of(failed);
        }
        return reply;
    }

    @Override
    <T> T await(CompletableFuture<T> answer) {
        return answer.resultNow();
    }
}
