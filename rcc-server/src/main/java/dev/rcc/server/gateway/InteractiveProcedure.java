package dev.rcc.server.gateway;

import dev.rcc.client.ErrorCode;
import dev.rcc.client.wire.Bound;
import dev.rcc.client.wire.Bytes;
import dev.rcc.client.wire.CommitId;
import dev.rcc.client.wire.Frame;
import dev.rcc.client.wire.Key;
import dev.rcc.client.wire.Message;
import dev.rcc.core.store.Catalog;
import dev.rcc.core.store.KeyKind;
import dev.rcc.core.store.Table;
import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Intent;
import dev.rcc.core.txn.Procedure;
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
 * A client's transaction as a procedure: it reads what the client asks for when the client asks, and writes when the client commits.
 *
 * <p>A procedure runs again for every attempt, a client does not. So what the client was told outlives the attempt: the next one
 * reads all of it again, and goes on only if it is the same; then nobody can tell that there was another attempt. If it is not,
 * the transaction has ended, and only the client can begin it again. This carries every protocol: one that takes locks holds
 * them between the requests, an optimistic one validates in the end, and CALVIN, which must know all keys before it
 * locks any, runs up to the commit as a reconnaissance and then once more with all keys declared.
 *
 * <p>Writes are kept here until the commit, and laid over what is read. A key cannot be fetched to be read and then be
 * written by the same attempt; if the commit finds such a key, it makes another attempt, which declares everything for what
 * it turned out to be needed for.
 */
final class InteractiveProcedure implements Procedure {
    /** Where the client's requests come from. */
    interface Requests {
        /** The first request without an answer; waits for it. Null when the transaction is to end without effect. */
        Frame head();

        /** The requests without an answer that have come, in their order. */
        Iterable<Frame> queued();

        /** Whether the transaction is to end without effect. */
        boolean isEnding();

        /** Answers the first request; waits while the client does not read. */
        void answer(Message.Reply reply);

        /** The first request cannot be carried out: the transaction is to end without effect. */
        void reject(Ending why);

        /** From here on the transaction can no longer be told to end. */
        void committing();

        /** It can again. */
        void notCommitting();
    }

    /** Bytes of an answer to a scan that are no values: for the frame, and for each record. */
    private static final int REPLY_BYTES = 64;

    private static final int RECORD_REPLY_BYTES = 16;

    private record Name(int table, Key key) {}

    private final Requests requests;
    private final Catalog catalog;
    private final OutcomeRecords records;
    private final Permissions permissions;
    private final Message.Limits limits;
    private final boolean readOnly;
    private final long minCommitTs;
    private final Map<Name, Touched> touched = new LinkedHashMap<>();
    private final List<ScannedRange> ranges = new ArrayList<>();
    private long writtenBytes;
    private boolean readsHeld = true;
    private CommitRecord commitRecord;
    private CommitRecord.State verdict;

    /**
     * A transaction that has just begun.
     *
     * @param records where the outcomes of commits are kept, or null if the cluster does not
     */
    InteractiveProcedure(
            Requests requests,
            Catalog catalog,
            OutcomeRecords records,
            Permissions permissions,
            Message.Limits limits,
            boolean readOnly,
            long minCommitTs) {
        this.requests = requests;
        this.catalog = catalog;
        this.records = records;
        this.permissions = permissions;
        this.limits = limits;
        this.readOnly = readOnly;
        this.minCommitTs = minCommitTs;
    }

    /** Of a transaction that its client has given up: whether what the client was told was true at one moment. */
    boolean readsHeld() {
        return readsHeld;
    }

    /** What the commit was found to be, if that was decided before it came; otherwise null. */
    CommitRecord.State verdict() {
        return verdict;
    }

    // ---- an attempt ------------------------------------------------------------------------------------------------

    /** Declares what is known, if the client wants to commit: locks are not held for a client without need. */
    @Override
    public void declare(Transaction txn) {
        requests.notCommitting();
        touched.values().forEach(Touched::forgetAccess);
        if (requests.isEnding()) {
            return;
        }
        txn.minCommitTs(minCommitTs);
        if (requests.head().message() instanceof Message.Commit commit) {
            declareTouched(txn);
            if (commitRecord != null) {
                commitRecord.forgetAccess();
            }
            declareOutcome(txn, commit);
        }
    }

    @Override
    public void execute(Transaction txn) {
        if (requests.isEnding()) {
            txn.abort();
            return;
        }
        if (!readAgain(txn)) {
            return;
        }
        while (true) {
            Frame head = requests.head();
            if (head == null || head.message() instanceof Message.Abort) {
                txn.abort();
                return;
            }
            switch (head.message()) {
                case Message.Commit commit -> {
                    prepareCommit(txn, commit, null);
                    return;
                }
                case Message.Scan scan -> scan(txn, scan);
                default -> operate(txn);
            }
        }
    }

    private void declareTouched(Transaction txn) {
        for (Touched each : touched.values()) {
            if (each.isTold() || each.isWritten()) {
                each.declare(txn, each.need());
            }
        }
    }

    /** Reads again what the client was told. False if that has changed and the client does not care any more. */
    private boolean readAgain(Transaction txn) {
        if (touched.isEmpty() && ranges.isEmpty()) {
            return true;
        }
        declareTouched(txn);
        txn.fetch();
        boolean same = touched.values().stream().allMatch(each -> each.access() == null || each.isAsTold());
        for (int i = 0; same && i < ranges.size(); i++) {
            same = isAsTold(txn, ranges.get(i));
        }
        Frame head = requests.head();
        if (head != null && head.message() instanceof Message.Abort) {
            readsHeld = same;
            txn.abort();
            return false;
        }
        if (!same) {
            txn.abort(AbortReason.READS_CHANGED);
            throw Rollback.INSTANCE;
        }
        return true;
    }

    private boolean isAsTold(Transaction txn, ScannedRange range) {
        for (Touched each : touched.values()) {
            if (isWithin(each, range.range())
                    && each.access() != null
                    && each.access().intent() == Intent.INSERT
                    && each.access().exists()) {
                return false; // a key that had no record when the range was scanned
            }
        }
        int limit = range.keys().size() + touched.size() + 1; // more than that many cannot be the same
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
        for (Touched each : touched.values()) { // what it deletes is in no index any more
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

    private static boolean isWithin(Touched record, Range range) {
        return record.table() == range.table() && range.contains(record.key());
    }

    /** This attempt cannot give what the transaction wants; the next one will declare it so. */
    private static void tryAgain(Transaction txn) {
        txn.abort(AbortReason.INTENT_CHANGED);
        throw Rollback.INSTANCE;
    }

    /** A commit that has a name leaves a record of it, if the cluster keeps them. */
    private void declareOutcome(Transaction txn, Message.Commit commit) {
        if (records != null && !commit.id().equals(CommitId.NONE)) {
            if (commitRecord == null) {
                commitRecord = new CommitRecord(records, commit.id());
            }
            commitRecord.declare(txn);
        }
    }

    // ---- for a stored procedure, which itself runs again
    // ---------------------------------------------------------------

    /** Forgets what the attempt before has read and written, but for what it has needed each key. */
    void startOver() {
        requests.notCommitting();
        touched.values().removeIf(each -> !each.startOver());
        ranges.clear();
        writtenBytes = 0;
        if (commitRecord != null) {
            commitRecord.forgetAccess();
        }
    }

    /** The procedure will need this key. */
    void want(int table, Key key, Intent intent) {
        record(catalog.table(table), key).want(intent);
    }

    /** Declares what the procedure will need, as far as is known. */
    void declareWanted(Transaction txn, Message.Commit commit) {
        txn.minCommitTs(minCommitTs);
        touched.values().forEach(each -> each.declareWanted(txn));
        declareOutcome(txn, commit);
    }

    /** Carries out the first request, an operation, and answers it; or does not, if the transaction is to end. */
    void serve(Transaction txn, Message.Operation operation) {
        if (operation instanceof Message.Scan scan) {
            if (!requests.isEnding()) {
                scan(txn, scan);
            }
        } else {
            operate(txn);
        }
    }

    // ---- the end of an attempt
    // -----------------------------------------------------------------------------------------

    /**
     * Makes the records what the client wants them to be, or has another attempt declare what is needed for that.
     *
     * @param result what is kept with the commit's outcome, or null
     */
    void prepareCommit(Transaction txn, Message.Commit commit, Bytes result) {
        declareTouched(txn);
        declareOutcome(txn, commit);
        txn.fetch();
        boolean served = commitRecord == null || commitRecord.isServed();
        for (Touched each : touched.values()) {
            if (each.access() != null && each.access().isFetched()) {
                each.guess();
                served &= each.isServed();
            }
        }
        if (!served) {
            tryAgain(txn);
        }
        if (commitRecord != null) {
            long now = System.currentTimeMillis();
            CommitRecord.State state = commitRecord.state(now);
            if (state != CommitRecord.State.FREE) {
                verdict = state;
                txn.abort();
                return;
            }
            commitRecord.write(OutcomeRecords.COMMITTED, result, now);
        }
        touched.values().forEach(Touched::apply);
        requests.committing();
    }

    /**
     * Looks whether the commit, which is given up, was decided before it came, and then takes that for the verdict: it is not the same commit's
     * first time, and what has become of that counts.
     */
    void giveUpCommit(Transaction txn, Message.Commit commit) {
        declareOutcome(txn, commit);
        if (commitRecord == null) {
            return;
        }
        txn.fetch();
        if (!commitRecord.isServed()) {
            tryAgain(txn);
        }
        CommitRecord.State state = commitRecord.state(System.currentTimeMillis());
        if (state == CommitRecord.State.COMMITTED) {
            verdict = state;
        }
    }

    // ---- operations on single keys ---------------------------------------------------------------------------------

    /** Serves all operations on single keys that have come, with one fetch. */
    private void operate(Transaction txn) {
        int count = 0;
        for (Frame request : requests.queued()) {
            if (!(request.message() instanceof Message.Operation operation) || operation instanceof Message.Scan) {
                break;
            }
            count++;
            if (refusal(operation) != null) {
                break;
            }
            open(txn, operation);
        }
        txn.fetch();
        if (touched.values().stream().anyMatch(InteractiveProcedure::isWantedForUpdate)) {
            tryAgain(txn);
        }
        for (; count > 0; count--) {
            if (requests.isEnding()) {
                return;
            }
            Message.Operation operation = (Message.Operation) requests.head().message();
            Ending refusal = refusal(operation);
            if (refusal != null) {
                requests.reject(refusal);
                return;
            }
            requests.answer(serve(operation));
        }
    }

    /** Whether the client reads a record to write it, and the attempt has fetched it only to read. */
    private static boolean isWantedForUpdate(Touched each) {
        return each.access() != null
                && each.access().isFetched()
                && !each.isWritten()
                && !each.isServed()
                && each.access().intent() == Intent.READ;
    }

    private void open(Transaction txn, Message.Operation operation) {
        Touched record = record(operation);
        if (record.isWritten()) {
            return;
        }
        switch (operation) {
            case Message.Get get -> {
                if (get.forUpdate()) {
                    record.wantForUpdate();
                }
                record.declare(txn, get.forUpdate() ? Intent.UPDATE : Intent.READ);
            }
            case Message.Insert insert -> {
                if (record.access() == null) {
                    record.declare(txn, Intent.INSERT);
                }
            }
            case Message.Delete delete -> {
                if (record.access() == null) {
                    record.declare(txn, Intent.DELETE);
                }
            }
            case Message.Put put -> {}
            case Message.Scan scan -> throw new AssertionError(scan);
        }
    }

    private Message.Reply serve(Message.Operation operation) {
        Touched record = record(operation);
        if (!record.isWritten() && record.access() != null) {
            record.tell();
        }
        return switch (operation) {
            case Message.Get get -> new Message.Value(record.value());
            case Message.Put put -> write(record, put.value());
            case Message.Insert insert ->
                record.isVisible()
                        ? Ending.refusal(
                                ErrorCode.ALREADY_EXISTS,
                                "table " + record.table()
                                        + " has a record under the key already: use put to replace it")
                        : write(record, insert.value());
            case Message.Delete delete -> {
                boolean existed = record.isVisible();
                if (existed) {
                    record.delete();
                }
                yield new Message.Deleted(existed);
            }
            case Message.Scan scan -> throw new AssertionError(scan);
        };
    }

    private Message.Reply write(Touched record, Bytes value) {
        writtenBytes += bytes(record.key(), value);
        record.put(value);
        return new Message.Done();
    }

    private static int bytes(Key key, Bytes value) {
        return value.length() + (key instanceof Key.OfBytes k ? k.value().length() : Long.BYTES);
    }

    private Touched record(Message.Operation operation) {
        return record(catalog.table(operation.table()), keyOf(operation));
    }

    private Touched record(Table table, Key key) {
        return touched.computeIfAbsent(new Name(table.id(), key), name -> new Touched(table, key));
    }

    private static Key keyOf(Message.Operation operation) {
        return switch (operation) {
            case Message.Get get -> get.key();
            case Message.Put put -> put.key();
            case Message.Insert insert -> insert.key();
            case Message.Delete delete -> delete.key();
            case Message.Scan scan -> throw new AssertionError(scan);
        };
    }

    // ---- scans -----------------------------------------------------------------------------------------------------

    private void scan(Transaction txn, Message.Scan request) {
        Ending refusal = refusal(request);
        if (refusal != null) {
            requests.reject(refusal);
            return;
        }
        Table table = catalog.table(request.table());
        Range range = new Range(table, request.from(), request.to());
        Intent intent = request.forUpdate() ? Intent.UPDATE : Intent.READ;
        if (request.forUpdate()) {
            upgrade(txn, range);
        }
        int most = (limits.frameLength() - REPLY_BYTES)
                / (RECORD_REPLY_BYTES
                        + table.schema().keyBytes()
                        + table.schema().recordBytes());
        int limit = Math.min(request.limit(), Math.min(limits.scanRecords(), most));
        int own =
                (int) touched.values().stream().filter(Touched::mayBeInScan).count(); // and not among what is answered
        Scan scan = range.scan(txn, limit + own, intent);
        boolean isComplete = scan.size() < limit + own;
        Range seen = isComplete ? range : range.upTo(Range.key(scan, scan.size() - 1));
        ranges.add(new ScannedRange(seen, intent, keysOfOthers(scan, seen)));
        requests.answer(records(scan, seen, limit, isComplete));
    }

    /** Records that this attempt has fetched for less cannot be scanned to be updated. */
    private void upgrade(Transaction txn, Range range) {
        boolean all = true;
        for (Touched each : touched.values()) {
            if (isWithin(each, range) && each.access() != null) {
                each.wantForUpdate();
                boolean scans = each.access().intent() == Intent.UPDATE
                        || each.access().intent() == Intent.DELETE
                        || isOwnInsert(each.access());
                all &= scans;
            }
        }
        if (!all) {
            tryAgain(txn);
        }
    }

    /** What was scanned, with what the transaction itself has changed. */
    private Message.Reply records(Scan scan, Range seen, int limit, boolean isComplete) {
        List<Message.KeyValue> records = new ArrayList<>();
        for (int i = 0; i < scan.size(); i++) {
            Access access = scan.access(i);
            Touched record = record(scan.table(), Range.key(scan, i));
            if (record.access() == null) {
                record.access(access);
            }
            if (scan.intent() == Intent.UPDATE) {
                record.wantForUpdate();
            }
            if (!isOwnInsert(access)) {
                record.tell();
                if (!record.isWritten()) {
                    records.add(new Message.KeyValue(record.key(), record.value()));
                }
            }
        }
        for (Touched each : touched.values()) {
            if (!isWithin(each, seen)) {
                continue;
            }
            if (each.isWritten() && each.newValue() != null) {
                records.add(new Message.KeyValue(each.key(), each.newValue()));
            } else if (each.isYetToBeDeleted()) { // declared beforehand, so no scan shows it
                each.tell();
                records.add(new Message.KeyValue(each.key(), each.value()));
            }
        }
        records.sort(Comparator.comparing(Message.KeyValue::key, Range.ORDER));
        boolean more = !isComplete || records.size() > limit;
        return new Message.Records(more, records.subList(0, Math.min(limit, records.size())));
    }

    // ---- what is not served ----------------------------------------------------------------------------------------

    /**
     * Why an operation is not carried out, or null. It ends the transaction: the client may have sent its commit along, without having
     * waited for the answers to its writes.
     */
    private Ending refusal(Message.Operation operation) {
        if (operation.table() >= catalog.userTables()
                || (records != null && operation.table() == records.table().id())) {
            return new Ending(
                    ErrorCode.NO_SUCH_TABLE,
                    "there is no table number " + operation.table() + ": the catalogue has " + catalog.userTables());
        }
        Table table = catalog.table(operation.table());
        Ending denied = permissions.refusal(operation, table);
        if (denied != null) {
            return denied;
        }
        String wrong = switch (operation) {
            case Message.Get get -> wrong(table, get.key());
            case Message.Put put -> wrong(table, put.key(), put.value());
            case Message.Insert insert -> wrong(table, insert.key(), insert.value());
            case Message.Delete delete -> readOnly ? writesNothing() : wrong(table, delete.key());
            case Message.Scan scan ->
                !table.isOrdered()
                        ? "table " + table + " is not ordered, so it cannot be scanned:"
                                + " get single records, or create it ordered"
                        : wrong(table, scan.from()) == null ? wrong(table, scan.to()) : wrong(table, scan.from());
        };
        if (wrong != null) {
            return new Ending(ErrorCode.BAD_REQUEST, wrong);
        }
        int bytes = switch (operation) {
            case Message.Put put -> bytes(put.key(), put.value());
            case Message.Insert insert -> bytes(insert.key(), insert.value());
            default -> 0;
        };
        if (bytes > 0 && writtenBytes + bytes > limits.transactionBytes()) {
            return new Ending(
                    ErrorCode.LIMIT_EXCEEDED,
                    "a transaction writes at most " + limits.transactionBytes() + " bytes: split it");
        }
        return null;
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
