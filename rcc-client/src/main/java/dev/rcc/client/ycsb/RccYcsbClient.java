package dev.rcc.client.ycsb;

import dev.rcc.client.Entry;
import dev.rcc.client.ErrorCode;
import dev.rcc.client.KeyRange;
import dev.rcc.client.KeyType;
import dev.rcc.client.RccClient;
import dev.rcc.client.RccException;
import dev.rcc.client.RecordExistsException;
import dev.rcc.client.Table;
import dev.rcc.client.TableDescription;
import dev.rcc.client.Transaction;
import dev.rcc.client.wire.Patch;
import dev.rcc.client.wire.Utf8;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.Vector;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.DBException;
import site.ycsb.Status;
import site.ycsb.measurements.Measurements;

/**
 * RCC as a database for YCSB: {@code site.ycsb.Client -db dev.rcc.client.ycsb.RccYcsbClient -p rcc.hosts=...}. YCSB makes an object for each of
 * its threads. The objects share a client, which the last of them closes.
 *
 * <p>A transaction, which is serializable, has as many operations as {@code rcc.transaction.ops} sets; the default is 1. An update changes the
 * fields in place, if they are at the places of the last record that was read and written. Otherwise it reads the record and writes it again. An
 * insert adds a record, and fails if the key has one, unless {@code rcc.upsert} is set. Tables have byte-string keys, and must be ordered for scans.
 */
public final class RccYcsbClient extends DB {
    private static final Logger LOG = LoggerFactory.getLogger(RccYcsbClient.class);
    private static final String TRANSACTION = "TRANSACTION";
    private static final String FAILED = "-FAILED";

    /** The codes that were reported. Each is reported once, because a benchmark repeats an error as often as it can. */
    private static final Set<String> REPORTED = ConcurrentHashMap.newKeySet();

    private final Map<String, Table<byte[], Map<String, byte[]>>> tables = new HashMap<>();
    /** By table, the places of the fields in the last record that was read and written. */
    private final Map<String, FieldPlaces> places = new HashMap<>();

    private YcsbOptions options;
    private SharedClient shared;
    private Batch batch;

    /** Creates a database that is not connected; YCSB calls it. */
    public RccYcsbClient() {}

    /**
     * Connects as a database with these properties does.
     *
     * @param properties YCSB's properties, of which those that begin with {@code rcc.} count; {@code rcc.hosts} has the gateways' addresses
     * @return the client, which the caller closes
     * @throws IllegalArgumentException when a property is unknown or not allowed; the message has its name and the allowed values
     * @throws RccException when the client cannot connect
     */
    public static RccClient connect(Properties properties) {
        YcsbOptions options = YcsbOptions.of(properties);
        return RccClient.connect(options.hosts(), options.client());
    }

    @Override
    public void init() throws DBException {
        try {
            options = YcsbOptions.of(getProperties());
            shared = SharedClient.acquire(options);
        } catch (IllegalArgumentException | RccException e) {
            // YCSB prints this and goes on without the thread; the status alone shows only in the results.
            Measurements.getMeasurements().reportStatus("INIT", status(e));
            throw new DBException(e.getMessage(), e);
        }
        if (options.transactionOps() > 1) {
            batch = new Batch(shared.client(), options.transactionOps(), this::measure);
        }
    }

    @Override
    public void cleanup() throws DBException {
        if (shared == null) {
            return;
        }
        try {
            if (batch != null) {
                batch.finish();
            }
        } catch (RccException e) {
            throw new DBException(e.getMessage(), e);
        } finally {
            shared.release();
            shared = null;
        }
    }

    // ---- operations ------------------------------------------------------------------------------------------------

    @Override
    public Status read(String table, String key, Set<String> fields, Map<String, ByteIterator> result) {
        return single(
                () -> taken(shared.client().get(open(table), key(key)), fields, result),
                txn -> taken(txn.get(open(table), key(key)), fields, result));
    }

    @Override
    @SuppressWarnings("NonApiType") // YCSB's signature
    public Status scan(
            String table,
            String startkey,
            int recordcount,
            Set<String> fields,
            Vector<HashMap<String, ByteIterator>> result) {
        KeyRange<byte[]> range = KeyRange.from(key(startkey));
        return single(
                () -> taken(shared.client().scan(open(table), range, recordcount), fields, result),
                txn -> taken(txn.scan(open(table), range, recordcount), fields, result));
    }

    @Override
    public Status update(String table, String key, Map<String, ByteIterator> values) {
        Map<String, byte[]> changed = bytes(values);
        return single(
                () -> {
                    RccClient client = shared.client();
                    Optional<Status> patched =
                            patch(table, changed, patch -> client.patch(open(table), key(key), patch));
                    return patched.orElseGet(() -> client.transact(
                            client.options().call().near(open(table), key(key)),
                            txn -> readAndWrite(txn, table, key, changed)));
                },
                txn -> patch(table, changed, patch -> txn.patch(open(table), key(key), patch))
                        .orElseGet(() -> readAndWrite(txn, table, key, changed)));
    }

    /** Changes fields at the places of the last record that was read and written; empty if they are elsewhere or unknown. */
    private Optional<Status> patch(
            String table, Map<String, byte[]> changed, Function<Patch, Patch.Result> carriedOut) {
        FieldPlaces known = places.get(table);
        Optional<Patch> patch = known == null ? Optional.empty() : known.patch(changed);
        return patch.flatMap(each -> switch (carriedOut.apply(each)) {
            case WRITTEN -> Optional.of(Status.OK);
            case NO_RECORD -> Optional.of(Status.NOT_FOUND);
            case NOT_AS_EXPECTED -> Optional.empty();
        });
    }

    private Status readAndWrite(Transaction txn, String table, String key, Map<String, byte[]> changed) {
        Table<byte[], Map<String, byte[]>> opened = open(table);
        Optional<Map<String, byte[]>> record = txn.getForUpdate(opened, key(key));
        if (record.isEmpty()) {
            return Status.NOT_FOUND;
        }
        Map<String, byte[]> merged = new LinkedHashMap<>(record.get());
        merged.putAll(changed);
        txn.put(opened, key(key), merged);
        places.put(table, new FieldPlaces(merged));
        return Status.OK;
    }

    @Override
    public Status insert(String table, String key, Map<String, ByteIterator> values) {
        Map<String, byte[]> record = bytes(values);
        if (options.upsert()) {
            return single(
                    () -> {
                        shared.client().put(open(table), key(key), record);
                        return Status.OK;
                    },
                    txn -> {
                        txn.put(open(table), key(key), record);
                        return Status.OK;
                    });
        }
        return single(
                () -> inserted(() -> shared.client().insert(open(table), key(key), record)),
                txn -> inserted(() -> txn.insert(open(table), key(key), record)));
    }

    @Override
    public Status delete(String table, String key) {
        return single(
                () -> found(shared.client().delete(open(table), key(key))),
                txn -> found(txn.delete(open(table), key(key))));
    }

    private static Status found(boolean found) {
        return found ? Status.OK : Status.NOT_FOUND;
    }

    private static Status taken(
            Optional<Map<String, byte[]>> record, Set<String> fields, Map<String, ByteIterator> result) {
        result.clear(); // from an earlier attempt
        record.ifPresent(found -> put(found, fields, result));
        return found(record.isPresent());
    }

    @SuppressWarnings("NonApiType") // YCSB's
    private static Status taken(
            List<Entry<byte[], Map<String, byte[]>>> records,
            Set<String> fields,
            Vector<HashMap<String, ByteIterator>> result) {
        result.clear(); // from an earlier attempt
        for (Entry<byte[], Map<String, byte[]>> record : records) {
            HashMap<String, ByteIterator> found = new HashMap<>();
            put(record.value(), fields, found);
            result.add(found);
        }
        return Status.OK;
    }

    private static Status inserted(Runnable insert) {
        try {
            insert.run();
            return Status.OK;
        } catch (RecordExistsException e) { // the transaction goes on
            return status(e);
        }
    }

    /** Runs an operation as a transaction of its own, or as part of a batch. */
    private Status single(Supplier<Status> alone, Function<Transaction, Status> inBatch) {
        try {
            return batch == null ? alone.get() : batch.perform(inBatch);
        } catch (RccException | IllegalArgumentException e) {
            return status(e);
        }
    }

    private void measure(Batch.Ended ended) {
        Status status = ended.failure() == null ? Status.OK : status(ended.failure());
        int micros = (int) Math.min(Integer.MAX_VALUE, TimeUnit.NANOSECONDS.toMicros(ended.nanos()));
        Measurements.getMeasurements().measure(status.isOk() ? TRANSACTION : TRANSACTION + FAILED, micros);
        Measurements.getMeasurements().reportStatus(TRANSACTION, status);
    }

    // ---- tables, keys and fields -----------------------------------------------------------------------------------

    private Table<byte[], Map<String, byte[]>> open(String name) {
        return tables.computeIfAbsent(name, this::describe);
    }

    private Table<byte[], Map<String, byte[]>> describe(String name) {
        TableDescription table = shared.client().tables().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("the cluster has no table '" + name
                        + "': declare it when the servers are started, for instance with --tables " + name
                        + ":bytes32:1100:100000:ordered"));
        if (table.hasLongKeys()) {
            throw new IllegalArgumentException("table " + name
                    + " has 64-bit keys, YCSB's are texts: declare it with byte-string keys, as in " + name
                    + ":bytes32:1100:100000:ordered");
        }
        return new Table<>(name, KeyType.BYTES, new FieldsCodec(table.recordBytes()));
    }

    private static byte[] key(String key) {
        return Utf8.bytes("a key", key);
    }

    private static Map<String, byte[]> bytes(Map<String, ByteIterator> values) {
        Map<String, byte[]> bytes = new LinkedHashMap<>();
        values.forEach((field, value) -> bytes.put(field, value.toArray()));
        return bytes;
    }

    private static void put(Map<String, byte[]> record, Set<String> fields, Map<String, ByteIterator> result) {
        record.forEach((field, value) -> {
            if (fields == null || fields.contains(field)) {
                result.put(field, new ByteArrayByteIterator(value));
            }
        });
    }

    // ---- errors ---------------------------------------------------------------------------------------------------

    private static Status status(RuntimeException e) {
        String code = e instanceof RccException failure ? failure.code().name() : ErrorCode.BAD_REQUEST.name();
        if (REPORTED.add(code)) {
            LOG.warn("event=operation_failed code={}: the first of this kind: {}", code, e.getMessage());
        }
        return switch (code) {
            case "BAD_REQUEST" -> Status.BAD_REQUEST;
            case "PERMISSION_DENIED" -> Status.FORBIDDEN;
            case "UNAVAILABLE" -> Status.SERVICE_UNAVAILABLE;
            default -> new Status(code, "see the client library's ErrorCode");
        };
    }
}
