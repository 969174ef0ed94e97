package dev.rcc.client;

import dev.rcc.client.wire.Bound;
import dev.rcc.client.wire.Bytes;
import dev.rcc.client.wire.Key;
import dev.rcc.client.wire.Message;
import dev.rcc.client.wire.Patch;
import dev.rcc.client.wire.Wire;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * Translates a program's operations on tables into messages, and their answers into the program's keys and records. The subclass
 * obtains the answer to a message.
 */
abstract class TableOperations implements Transaction {
    private final int number;
    private final boolean readOnly;

    /**
     * Creates the operations of a transaction.
     *
     * @param number the transaction's number in its messages
     * @param readOnly whether writes are refused
     */
    TableOperations(int number, boolean readOnly) {
        this.number = number;
        this.readOnly = readOnly;
    }

    /** The version of the wire protocol of the gateway that carries out the operations. */
    abstract int version();

    /** The table with this name, or null. */
    abstract Message.TableInfo find(String table);

    /**
     * Sends a request.
     *
     * @param name the request's name in the telemetry
     * @param type the type of the answer
     * @param read converts the answer for the program
     * @param flush whether to send the request now rather than with the next request
     */
    abstract <R extends Message.Reply, T> CompletableFuture<T> call(
            String name,
            Table<?, ?> table,
            Message.Operation request,
            Class<R> type,
            Function<R, T> read,
            boolean flush);

    /**
     * Reads several records.
     *
     * @param requests the reads, in turn
     * @param read converts an answer for the program
     */
    abstract <T> List<T> getAll(Table<?, ?> table, List<Message.Get> requests, Function<Message.Value, T> read);

    abstract <T> T await(CompletableFuture<T> answer);

    /** Throws if the transaction cannot go on. */
    void checkOpen() {}

    /** The program is about to write. */
    void willWrite() {}

    final int number() {
        return number;
    }

    final boolean isReadOnly() {
        return readOnly;
    }

    @Override
    public <K, V> Optional<V> get(Table<K, V> table, K key) {
        return await(get(table, table.keys().encode(key), false, true));
    }

    @Override
    public <K, V> V require(Table<K, V> table, K key) {
        return get(table, key)
                .orElseThrow(() -> RccException.of(
                        ErrorCode.NOT_FOUND,
                        "table " + table.name() + " has no record " + key + ": use get if that may be",
                        null));
    }

    @Override
    public <K, V> Optional<V> getForUpdate(Table<K, V> table, K key) {
        return await(get(table, table.keys().encode(key), true, true));
    }

    /**
     * Reads a record.
     *
     * @param key the key, as the table has it
     */
    final <V> CompletableFuture<Optional<V>> get(Table<?, V> table, Key key, boolean forUpdate, boolean flush) {
        return get(table, new Message.Get(number, info(table).id(), forUpdate, key), table::record, flush);
    }

    /** Sends a request for a record. */
    final <T> CompletableFuture<T> get(
            Table<?, ?> table, Message.Get request, Function<Message.Value, T> read, boolean flush) {
        return call("get", table, request, Message.Value.class, read, flush);
    }

    @Override
    public <K, V> List<Optional<V>> getAll(Table<K, V> table, List<? extends K> keys) {
        return getAll(table, keys, false);
    }

    @Override
    public <K, V> List<Optional<V>> getAllForUpdate(Table<K, V> table, List<? extends K> keys) {
        return getAll(table, keys, true);
    }

    private <K, V> List<Optional<V>> getAll(Table<K, V> table, List<? extends K> keys, boolean forUpdate) {
        Message.TableInfo info = info(table);
        List<Message.Get> requests = keys.stream()
                .map(key -> new Message.Get(
                        number, info.id(), forUpdate, table.keys().encode(key)))
                .toList();
        return getAll(table, requests, table::record);
    }

    @Override
    public <K, V> void put(Table<K, V> table, K key, V value) {
        write(table, table.keys().encode(key), value);
    }

    /**
     * Writes a record, as {@link #put}.
     *
     * @param key the key, as the table has it
     */
    @SuppressWarnings("FutureReturnValueIgnored") // if it fails, so does the commit
    final <V> void write(Table<?, V> table, Key key, V value) {
        Message.TableInfo info = infoToWrite(table);
        call(
                "put",
                table,
                new Message.Put(number, info.id(), key, table.encode(value, info.recordBytes())),
                Message.Done.class,
                done -> done,
                false);
    }

    @Override
    public <K, V> void insert(Table<K, V> table, K key, V value) {
        await(insert(table, table.keys().encode(key), value, true));
    }

    /**
     * Adds a record.
     *
     * @param key the key, as the table has it
     */
    final <V> CompletableFuture<Message.Done> insert(Table<?, V> table, Key key, V value, boolean flush) {
        Message.TableInfo info = infoToWrite(table);
        return call(
                "insert",
                table,
                new Message.Insert(number, info.id(), key, table.encode(value, info.recordBytes())),
                Message.Done.class,
                done -> done,
                flush);
    }

    @Override
    public <K> Patch.Result patch(Table<K, ?> table, K key, Patch patch) {
        Key wireKey = table.keys().encode(key);
        return understandsPatches() ? await(patch(table, wireKey, patch, true)) : readAndWrite(table, wireKey, patch);
    }

    /**
     * Writes a part of a record, through a gateway that understands patches.
     *
     * @param key the key, as the table has it
     */
    final CompletableFuture<Patch.Result> patch(Table<?, ?> table, Key key, Patch patch, boolean flush) {
        Message.TableInfo info = infoToPatch(table, patch);
        return call(
                "patch",
                table,
                new Message.PatchRecord(number, info.id(), key, patch),
                Message.Patched.class,
                Message.Patched::result,
                flush);
    }

    /** Whether the gateway that carries out the operations understands {@link Message.PatchRecord}. */
    final boolean understandsPatches() {
        return version() >= Wire.PATCH_VERSION;
    }

    /** Applies a patch by a read and a write, for a gateway of an earlier version. */
    @SuppressWarnings("FutureReturnValueIgnored") // if the write fails, so does the commit
    private Patch.Result readAndWrite(Table<?, ?> table, Key key, Patch patch) {
        Message.TableInfo info = infoToPatch(table, patch);
        Message.Get get = new Message.Get(number, info.id(), true, key);
        Message.Value found = await(call("get", table, get, Message.Value.class, value -> value, true));
        if (found.value() == null) {
            return Patch.Result.NO_RECORD;
        }
        byte[] record = found.value().toArray();
        if (!patch.applyTo(record)) {
            return Patch.Result.NOT_AS_EXPECTED;
        }
        Message.Put put = new Message.Put(number, info.id(), key, Bytes.wrap(record));
        call("put", table, put, Message.Done.class, done -> done, false);
        return Patch.Result.WRITTEN;
    }

    private Message.TableInfo infoToPatch(Table<?, ?> table, Patch patch) {
        Message.TableInfo info = infoToWrite(table);
        if (patch.end() > info.recordBytes()) {
            throw RccException.of(
                    ErrorCode.BAD_REQUEST,
                    "table " + table.name() + " has records of " + info.recordBytes() + " bytes, the patch ends at "
                            + patch.end() + ": patch what they have",
                    null);
        }
        return info;
    }

    @Override
    public <K, V> boolean delete(Table<K, V> table, K key) {
        return await(delete(table, table.keys().encode(key), true));
    }

    /**
     * Removes a record.
     *
     * @param key the key, as the table has it
     */
    final CompletableFuture<Boolean> delete(Table<?, ?> table, Key key, boolean flush) {
        Message.TableInfo info = infoToWrite(table);
        return call(
                "delete",
                table,
                new Message.Delete(number, info.id(), key),
                Message.Deleted.class,
                Message.Deleted::existed,
                flush);
    }

    @Override
    public <K, V> List<Entry<K, V>> scan(Table<K, V> table, KeyRange<K> range, int limit) {
        return scan(table, range, limit, false);
    }

    @Override
    public <K, V> List<Entry<K, V>> scanForUpdate(Table<K, V> table, KeyRange<K> range, int limit) {
        return scan(table, range, limit, true);
    }

    private <K, V> List<Entry<K, V>> scan(Table<K, V> table, KeyRange<K> range, int limit, boolean forUpdate) {
        List<Entry<K, V>> entries = new ArrayList<>();
        boolean descending = range.isDescending();
        Bound lower = range.lower(table.keys());
        Bound upper = range.upper(table.keys());
        while (true) { // the gateway answers with as much as fits a frame
            int left = limit - entries.size();
            Message.Records records = await(scan(table, descending, lower, upper, left, forUpdate, true));
            entries.addAll(entries(table, records));
            if (!records.more() || entries.size() >= limit || records.records().isEmpty()) {
                return entries;
            }
            Bound rest = Bound.without(
                    records.records().get(records.records().size() - 1).key());
            if (descending) {
                upper = rest;
            } else {
                lower = rest;
            }
        }
    }

    /** Reads the first records of a range, as many as the gateway sends in one answer. */
    final CompletableFuture<Message.Records> scan(
            Table<?, ?> table, boolean descending, Bound from, Bound to, int limit, boolean forUpdate, boolean flush) {
        Message.TableInfo info = info(table);
        if (descending) {
            Link.checkVersion(version(), "scans in descending order take", Wire.DESCENDING_VERSION);
        }
        return call(
                "scan",
                table,
                new Message.Scan(number, info.id(), forUpdate, descending, from, to, limit),
                Message.Records.class,
                reply -> reply,
                flush);
    }

    /** The program's records from an answer to a scan. */
    static <K, V> List<Entry<K, V>> entries(Table<K, V> table, Message.Records records) {
        List<Entry<K, V>> entries = new ArrayList<>(records.records().size());
        for (Message.KeyValue each : records.records()) {
            entries.add(new Entry<>(table.keys().decode(each.key()), table.decode(each.value())));
        }
        return entries;
    }

    private <K> Message.TableInfo infoToWrite(Table<K, ?> table) {
        if (readOnly) {
            throw RccException.of(ErrorCode.BAD_REQUEST, "the transaction only reads: use transact to write", null);
        }
        willWrite();
        return info(table);
    }

    final Message.TableInfo info(Table<?, ?> table) {
        checkOpen();
        Message.TableInfo info = find(table.name());
        if (info == null) {
            throw RccException.of(
                    ErrorCode.NO_SUCH_TABLE, "the cluster has no table '" + table.name() + "': check its name", null);
        }
        if (info.hasLongKeys() != table.keys().isLong()) {
            throw RccException.of(
                    ErrorCode.BAD_REQUEST,
                    "table " + table.name() + " has " + (info.hasLongKeys() ? "64-bit" : "byte-string")
                            + " keys, but the key type is " + table.keys() + ": use another key type",
                    null);
        }
        if (table.codec().bytes() > info.recordBytes()) {
            throw RccException.of(
                    ErrorCode.BAD_REQUEST,
                    "table " + table.name() + " has records of " + info.recordBytes() + " bytes, the codec writes "
                            + table.codec().bytes() + ": make the table's records longer, or the codec's shorter",
                    null);
        }
        return info;
    }
}
