package dev.rcc.server.gateway;

import dev.rcc.client.ErrorCode;
import dev.rcc.client.wire.Bound;
import dev.rcc.client.wire.Bytes;
import dev.rcc.client.wire.Key;
import dev.rcc.client.wire.Message;
import dev.rcc.client.wire.Patch;
import dev.rcc.core.store.Catalog;
import dev.rcc.core.store.KeyKind;
import dev.rcc.core.store.Table;
import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Intent;
import dev.rcc.core.txn.Rollback;
import dev.rcc.core.txn.Scan;
import dev.rcc.core.txn.Transaction;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The records of a client's transaction: the states that the client has observed, and the states that the client wants. It outlives the attempts of
 * the transaction, and is used on the transaction's coroutine.
 *
 * <p>Writes are kept here until the commit, and laid over reads. An attempt cannot write a key that it has fetched to be read. If the commit finds
 * such a key, it makes another attempt, which declares each key with the intent that it turned out to need.
 */
final class RecordBuffer {
    /** Overhead of an answer to a scan, in bytes: for the frame, and below for each record. */
    private static final int REPLY_BYTES = 64;

    private static final int RECORD_REPLY_BYTES = 16;

    private record Name(int table, Key key) {}

    private final Catalog catalog;
    private final OutcomeStore outcomes;
    private final Permissions permissions;
    private final Message.Limits limits;
    private final PutForecast forecast;
    private final boolean readOnly;
    private final Map<Name, BufferedRecord> records = new LinkedHashMap<>();
    private final List<ScannedRange> ranges = new ArrayList<>();
    /** The records of operations that are open and not fetched yet. */
    private final List<BufferedRecord> opened = new ArrayList<>();

    private long writtenBytes;

    /**
     * No records yet.
     *
     * @param readOnly whether the transaction writes nothing
     */
    RecordBuffer(
            Catalog catalog,
            OutcomeStore outcomes,
            Permissions permissions,
            Message.Limits limits,
            PutForecast forecast,
            boolean readOnly) {
        this.catalog = catalog;
        this.outcomes = outcomes;
        this.permissions = permissions;
        this.limits = limits;
        this.forecast = forecast;
        this.readOnly = readOnly;
    }

    // ---- attempts --------------------------------------------------------------------------------------------------

    /** Begins a new attempt, which has no accesses yet. */
    void forgetAccesses() {
        records.values().forEach(BufferedRecord::forgetAccess);
        opened.clear();
    }

    /** Declares the records that the client has observed or wants to write, with the intents that they need. */
    void declare(Transaction txn) {
        ranges.forEach(this::wantForUpdate);
        for (BufferedRecord each : records.values()) {
            if (each.isObserved() || each.isWritten()) {
                each.declare(txn, each.need());
            }
        }
    }

    /** Reads again the records and ranges that the client has observed. False if one of them has changed. */
    boolean readAgain(Transaction txn) {
        if (records.isEmpty() && ranges.isEmpty()) {
            return true;
        }
        declare(txn);
        txn.fetch();
        boolean same = true;
        for (BufferedRecord each : records.values()) {
            same &= each.access() == null || each.observeAgain();
        }
        for (int i = 0; same && i < ranges.size(); i++) {
            same = isAsObserved(txn, ranges.get(i));
        }
        return same;
    }

    /**
     * A range that was scanned for update is scanned for update again. A key in the range that the client has since looked for in vain may then
     * appear in the index, though it was fetched as absent. An optimistic attempt detects that only if it also declares the key for update.
     */
    private void wantForUpdate(ScannedRange range) {
        for (BufferedRecord each : records.values()) {
            if (range.intent() == Intent.UPDATE && isWithin(each, range.range())) {
                each.wantForUpdate();
            }
        }
    }

    private boolean isAsObserved(Transaction txn, ScannedRange range) {
        for (BufferedRecord each : records.values()) {
            if (isWithin(each, range.range())
                    && each.access() != null
                    && each.access().intent() == Intent.INSERT
                    && each.access().exists()) {
                return false; // a key that had no record when the range was scanned
            }
        }
        int limit = range.keys().size() + records.size() + 1; // more than that many cannot be the same
        Scan scan = range.range().scan(txn, limit, range.intent());
        return range.keys().equals(keysOfOthers(scan, range.range()));
    }

    /** The keys of a range that have a record, whatever this transaction has done: all that it scanned, without its own. */
    private List<Key> keysOfOthers(Scan scan, Range range) {
        SortedSet<Key> keys = new TreeSet<>(Range.ORDER);
        for (int i = 0; i < scan.size(); i++) {
            if (!isOwnInsert(scan.access(i))) {
                keys.add(Range.key(scan, i));
            }
        }
        for (BufferedRecord each : records.values()) { // its deleted records are in no index any more
            if (isWithin(each, range)
                    && each.access() != null
                    && each.access().intent() == Intent.DELETE
                    && each.access().exists()) {
                keys.add(each.key());
            }
        }
        return List.copyOf(keys);
    }

    private static boolean isOwnInsert(Access access) {
        return access.intent() == Intent.INSERT && !access.exists();
    }

    private static boolean isWithin(BufferedRecord record, Range range) {
        return record.table() == range.table() && range.contains(record.key());
    }

    /** Ends this attempt, which cannot serve the transaction; the next attempt will declare the intents that it needs. */
    static void tryAgain(Transaction txn) {
        txn.abort(AbortReason.INTENT_CHANGED);
        throw Rollback.INSTANCE;
    }

    // ---- for work that itself is done again -------------------------------------------------------------------------

    /**
     * Forgets the reads and writes of the previous attempt, except the intent that it needed for each key.
     *
     * @param wasRun whether the work was done to its end; then a key that it has not used is not needed
     */
    void startOver(boolean wasRun) {
        records.values().removeIf(each -> !each.startOver(wasRun));
        ranges.clear();
        opened.clear();
        writtenBytes = 0;
    }

    /** The work will need this key. */
    void want(int table, Key key, Intent intent) {
        record(catalog.table(table), key).want(intent);
    }

    /** Declares the keys that the work will need, as far as is known. */
    void declareWanted(Transaction txn) {
        records.values().forEach(each -> each.declareWanted(txn));
    }

    // ---- the end of an attempt -------------------------------------------------------------------------------------

    /** Whether all fetched records can be written as the client wants; if not, the next attempt declares the intents that this needs. */
    boolean isServed() {
        boolean served = true;
        for (BufferedRecord each : records.values()) {
            if (each.access() != null && each.access().isFetched()) {
                each.guess();
                served &= each.isServed();
                if (each.isPutBlindly()) {
                    forecast.found(each.table(), each.access().exists());
                }
            }
        }
        return served;
    }

    /** Whether the client writes something. */
    boolean isWriting() {
        return records.values().stream().anyMatch(BufferedRecord::isWritten);
    }

    /** Writes the client's changes to the records. */
    void apply() {
        records.values().forEach(BufferedRecord::apply);
    }

    // ---- operations on single keys ---------------------------------------------------------------------------------

    /** Fetches the open records. If the client needs one of them for update that was fetched to be read, makes another attempt. */
    void fetch(Transaction txn) {
        txn.fetch();
        boolean all = true;
        for (BufferedRecord each : opened) {
            all &= !isWantedForUpdate(each);
        }
        opened.clear();
        if (!all) {
            tryAgain(txn);
        }
    }

    /** Whether the client reads a record to write it, and the attempt has fetched it only to read. */
    private static boolean isWantedForUpdate(BufferedRecord each) {
        return each.access() != null
                && each.access().isFetched()
                && !each.isWritten()
                && !each.isServed()
                && each.access().intent() == Intent.READ;
    }

    /** Declares the key of an operation that is not refused, if it is to be fetched. */
    void open(Transaction txn, Operation.OnKey operation) {
        BufferedRecord record = record(operation);
        if (record.isWritten()) {
            return;
        }
        opened.add(record);
        switch (operation) {
            case Operation.Get get when !get.forUpdate() -> record.declare(txn, Intent.READ);
            case Operation.Get get -> openForUpdate(txn, record);
            case Operation.PatchRecord patched -> openForUpdate(txn, record);
            case Operation.Fence fence -> openForUpdate(txn, record);
            case Operation.Insert insert -> {
                if (record.access() == null) {
                    record.declare(txn, Intent.INSERT);
                }
            }
            case Operation.Delete delete -> {
                if (record.access() == null) {
                    record.declare(txn, Intent.DELETE);
                }
            }
            case Operation.Put put -> {}
        }
    }

    private static void openForUpdate(Transaction txn, BufferedRecord record) {
        record.wantForUpdate();
        record.declare(txn, Intent.UPDATE);
    }

    /** Carries out an operation that is open and fetched. */
    Message.OperationReply serve(Operation.OnKey operation) {
        BufferedRecord record = record(operation);
        if (!record.isWritten() && record.access() != null) {
            if (operation instanceof Operation.Insert) {
                record.observe();
            } else {
                record.look();
            }
        }
        return switch (operation) {
            case Operation.Get get -> new Message.Value(record.show());
            case Operation.Put put -> write(record, put.value());
            case Operation.PatchRecord patched -> new Message.Patched(patch(record, patched.patch()));
            case Operation.Fence fence -> fence(record, fence.token());
            case Operation.Insert insert ->
                record.isVisible()
                        ? Failure.refusal(
                                ErrorCode.ALREADY_EXISTS,
                                "table " + record.table()
                                        + " has a record under the key already: use put to replace it")
                        : write(record, insert.value());
            case Operation.Delete delete -> {
                boolean existed = record.isVisible();
                if (existed) {
                    record.delete();
                }
                yield new Message.Deleted(existed);
            }
        };
    }

    /** Keeps a token that is not too small; a token that is kept already need not be written again. */
    private Message.OperationReply fence(BufferedRecord record, long token) {
        Bytes kept = record.value();
        return kept != null && Fences.token(kept) == token ? new Message.Done() : write(record, Fences.record(token));
    }

    private Patch.Result patch(BufferedRecord record, Patch patch) {
        if (!record.isVisible()) {
            return Patch.Result.NO_RECORD;
        }
        if (!record.patch(patch)) {
            return Patch.Result.NOT_AS_EXPECTED;
        }
        countWritten(record);
        return Patch.Result.WRITTEN;
    }

    private Message.OperationReply write(BufferedRecord record, Bytes value) {
        record.put(value);
        countWritten(record);
        return new Message.Done();
    }

    private void countWritten(BufferedRecord record) {
        writtenBytes += bytes(record.key(), record.newValue().length());
    }

    private static int bytes(Key key, int recordBytes) {
        return recordBytes + (key instanceof Key.OfBytes k ? k.value().length() : Long.BYTES);
    }

    private BufferedRecord record(Operation.OnKey operation) {
        return record(catalog.table(operation.table()), operation.key());
    }

    private BufferedRecord record(Table table, Key key) {
        return records.computeIfAbsent(
                new Name(table.id(), key), name -> new BufferedRecord(table, key, forecast.isProbablyThere(table)));
    }

    // ---- scans -----------------------------------------------------------------------------------------------------

    /** Carries out a scan that is not refused. */
    Message.OperationReply scan(Transaction txn, Operation.Scan request) {
        Table table = catalog.table(request.table());
        Range range = new Range(table, request.descending(), request.from(), request.to());
        Intent intent = request.forUpdate() ? Intent.UPDATE : Intent.READ;
        if (request.forUpdate()) {
            upgrade(txn, range);
        }
        int most = (limits.frameLength() - REPLY_BYTES)
                / (RECORD_REPLY_BYTES
                        + table.schema().keyBytes()
                        + table.schema().recordBytes());
        int limit = Math.min(request.limit(), Math.min(limits.scanRecords(), most));
        int own = (int)
                records.values().stream().filter(BufferedRecord::mayBeInScan).count(); // not in the answer
        Scan scan = range.scan(txn, limit + own, intent);
        boolean isComplete = scan.size() < limit + own;
        Range seen = isComplete ? range : range.upTo(Range.key(scan, scan.size() - 1));
        ranges.add(new ScannedRange(seen, intent, keysOfOthers(scan, seen)));
        return laidOver(scan, seen, limit, isComplete);
    }

    /** Makes another attempt if this one has fetched records in the range for less than an update: they cannot be scanned for update. */
    private void upgrade(Transaction txn, Range range) {
        boolean all = true;
        for (BufferedRecord each : records.values()) {
            if (isWithin(each, range) && each.access() != null) {
                each.wantForUpdate();
                boolean scans = each.access().intent() == Intent.UPDATE
                        || each.access().intent() == Intent.DELETE
                        || each.access().isBlind()
                        || isOwnInsert(each.access());
                all &= scans;
            }
        }
        if (!all) {
            tryAgain(txn);
        }
    }

    /** The scanned records, with the transaction's own changes. */
    private Message.OperationReply laidOver(Scan scan, Range seen, int limit, boolean isComplete) {
        List<Message.KeyValue> found = new ArrayList<>();
        for (int i = 0; i < scan.size(); i++) {
            Access access = scan.access(i);
            BufferedRecord record = record(scan.table(), Range.key(scan, i));
            if (record.access() == null) {
                record.access(access);
            }
            if (scan.intent() == Intent.UPDATE) {
                record.wantForUpdate();
            }
            if (!isOwnInsert(access) && !access.isBlind()) {
                record.observe();
                if (!record.isWritten()) {
                    found.add(new Message.KeyValue(record.key(), record.show()));
                }
            }
        }
        for (BufferedRecord each : records.values()) {
            if (!isWithin(each, seen)) {
                continue;
            }
            if (each.isWritten() && each.newValue() != null) {
                found.add(new Message.KeyValue(each.key(), each.show()));
            } else if (each.isYetToBeDeleted()) { // declared beforehand, so no scan shows it
                each.observe();
                found.add(new Message.KeyValue(each.key(), each.show()));
            }
        }
        found.sort(Comparator.comparing(Message.KeyValue::key, seen.order()));
        boolean more = !isComplete || found.size() > limit;
        return new Message.Records(more, found.subList(0, Math.min(limit, found.size())));
    }

    // ---- refusals -------------------------------------------------------------------------------------------------

    /**
     * Why an operation is not carried out, or null. A refusal ends the transaction: the client may have sent its commit along, without having
     * waited for the answers to its writes.
     */
    Failure refusal(Operation operation) {
        if (operation instanceof Operation.Fence fence) {
            return refusal(fence);
        }
        if (operation.table() >= catalog.userTables()
                || outcomes.isHidden(operation.table())
                || Fences.isHidden(catalog, operation.table())) {
            return new Failure(
                    ErrorCode.NO_SUCH_TABLE,
                    "there is no table number " + operation.table() + ": the catalogue has " + catalog.userTables());
        }
        Table table = catalog.table(operation.table());
        Failure denied = permissions.refusal(operation, table);
        if (denied != null) {
            return denied;
        }
        String wrong = table.isIndex() && isWriting(operation) ? table.refusalToWrite() : wrong(table, operation);
        if (wrong != null) {
            return new Failure(ErrorCode.BAD_REQUEST, wrong);
        }
        int bytes = switch (operation) {
            case Operation.Put put -> bytes(put.key(), put.value().length());
            case Operation.Insert insert -> bytes(insert.key(), insert.value().length());
            case Operation.PatchRecord patched ->
                bytes(patched.key(), table.schema().recordBytes());
            default -> 0;
        };
        if (bytes > 0 && writtenBytes + bytes > limits.transactionBytes()) {
            return tooMuchWritten(limits);
        }
        return null;
    }

    /** The failure of a transaction that would write more than a transaction may. */
    static Failure tooMuchWritten(Message.Limits limits) {
        return new Failure(
                ErrorCode.LIMIT_EXCEEDED,
                "a transaction writes at most " + limits.transactionBytes() + " bytes: split it");
    }

    private Failure refusal(Operation.Fence fence) {
        if (fence.wrong() == null && readOnly) {
            return new Failure(ErrorCode.BAD_REQUEST, writesNothing());
        }
        return fence.wrong();
    }

    /** Why a fence that is open and fetched ends the transaction, or null. It does if a later holder of the lock has fenced a transaction. */
    Failure tooLate(Operation.OnKey operation) {
        if (!(operation instanceof Operation.Fence fence)) {
            return null;
        }
        BufferedRecord record = record(fence);
        if (!record.isWritten()) {
            record.observe();
        }
        Bytes kept = record.show();
        return kept == null || Fences.token(kept) <= fence.token()
                ? null
                : new Failure(
                        ErrorCode.LOCK_LOST,
                        "the lock is not held any more: a later holder, with token " + Fences.token(kept)
                                + ", has fenced a transaction, and this one has " + fence.token());
    }

    private String wrong(Table table, Operation operation) {
        return switch (operation) {
            case Operation.Get get -> wrong(table, get.key());
            case Operation.Put put -> wrong(table, put.key(), put.value());
            case Operation.Insert insert -> wrong(table, insert.key(), insert.value());
            case Operation.PatchRecord patched -> wrong(table, patched);
            case Operation.Delete delete -> readOnly ? writesNothing() : wrong(table, delete.key());
            case Operation.Fence fence -> null;
            case Operation.Scan scan ->
                !table.isOrdered()
                        ? "table " + table + " is not ordered, so it cannot be scanned:"
                                + " get single records, or create it ordered"
                        : wrong(table, scan.from()) == null ? wrong(table, scan.to()) : wrong(table, scan.from());
        };
    }

    /** Whether it writes, or keeps other transactions from writing. */
    private static boolean isWriting(Operation operation) {
        return switch (operation) {
            case Operation.Get get -> get.forUpdate();
            case Operation.Scan scan -> scan.forUpdate();
            case Operation.Put put -> true;
            case Operation.Insert insert -> true;
            case Operation.PatchRecord patched -> true;
            case Operation.Delete delete -> true;
            case Operation.Fence fence -> true;
        };
    }

    private String wrong(Table table, Key key, Bytes value) {
        if (readOnly) {
            return writesNothing();
        }
        int recordBytes = table.schema().recordBytes();
        return value.length() == recordBytes
                ? wrong(table, key)
                : "table " + table + " has records of " + recordBytes + " bytes, got " + value.length();
    }

    private String wrong(Table table, Operation.PatchRecord patched) {
        if (readOnly) {
            return writesNothing();
        }
        int recordBytes = table.schema().recordBytes();
        return patched.patch().end() <= recordBytes
                ? wrong(table, patched.key())
                : "table " + table + " has records of " + recordBytes + " bytes, the patch ends at "
                        + patched.patch().end();
    }

    private static String writesNothing() {
        return "the transaction was begun to read only: begin one that may write";
    }

    /** A byte string that is longer than the table's keys is a bound like any other. */
    private static String wrong(Table table, Bound bound) {
        boolean isOfKind = bound.key() == null
                || bound.key() instanceof Key.OfLong == (table.schema().keyKind() == KeyKind.LONG);
        return isOfKind ? null : wrong(table, bound.key());
    }

    private static String wrong(Table table, Key key) {
        boolean hasLongKeys = table.schema().keyKind() == KeyKind.LONG;
        return switch (key) {
            case Key.OfLong k -> hasLongKeys ? null : "table " + table + " has byte-string keys, got the number " + k;
            case Key.OfBytes k ->
                hasLongKeys
                        ? "table " + table + " has 64-bit keys, got a byte string"
                        : k.value().length() <= table.schema().keyBytes()
                                ? null
                                : "table " + table + " has keys of 1 to "
                                        + table.schema().keyBytes() + " bytes, got "
                                        + k.value().length();
        };
    }
}
