package dev.rcc.core.txn;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.store.Catalog;
import dev.rcc.core.store.KeyKind;
import dev.rcc.core.store.KeyParts;
import dev.rcc.core.store.KeySlot;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TupleLayout;
import dev.rcc.core.time.Timestamp;
import dev.rcc.core.time.TimestampClock;
import dev.rcc.core.worker.Completion;
import dev.rcc.core.worker.Coroutine;
import java.util.Arrays;
import java.util.Objects;

/**
 * A coroutine's transaction: its identity, and the keys that it accesses with their records. One object serves all
 * transactions of its coroutine, one attempt after the other, and allocates nothing once it has met the largest. Used on
 * its coroutine only.
 *
 * <p>Each attempt has an id, the unique timestamp at which it began, so that everything with that id belongs to exactly one attempt. A transaction's
 * age, the id of its first attempt, survives retries.
 */
public final class Transaction {
    /** Up to this many accesses, a linear search is faster than a lookup. */
    private static final int FEW = 8;

    private final Coroutine coroutine;
    private final Completion completion;
    private final Catalog catalog;
    private final BufferSlice buffer;
    private final TimestampClock clock;
    private Fetcher fetcher = () -> {
        throw new IllegalStateException("no coordinator runs this transaction");
    };
    private final Foresight foresight = new Foresight();
    private final OrderedIndex index;
    private final SecondaryIndexes secondary;
    private final ReplicatedWrites replicated = new ReplicatedWrites(this);
    private Runnable logListener = () -> {};
    private Runnable failedLogListener = () -> {};
    private Runnable endListener = () -> {};
    private final AccessPlaces places = new AccessPlaces();
    private Access[] accesses = {};
    private int size;
    private long id;
    private long age;
    private int attempt;
    private long commitTs;
    private long minCommitTs;
    private AbortReason abortReason;
    private Table duplicateIn;
    /** The exception that has left an operation of the attempt half done; or null. */
    private Throwable halfDone;

    private boolean logged;
    /** The node whose copies of replicated records are read. */
    private int home;

    private boolean executedByParticipants;
    /** Null unless the messages between zones are counted. */
    private AttemptCrossings crossings;

    /** Creates the transaction object of a coroutine that shares no hints about ordered indexes with other coroutines. */
    public Transaction(Coroutine coroutine, Catalog catalog, BufferSlice buffer, TimestampClock clock) {
        this(coroutine, catalog, buffer, clock, new IndexHints(catalog));
    }

    /**
     * Creates the transaction object of a coroutine.
     *
     * @param hints the worker's hints
     */
    public Transaction(
            Coroutine coroutine, Catalog catalog, BufferSlice buffer, TimestampClock clock, IndexHints hints) {
        this.coroutine = coroutine;
        this.completion = new Completion(coroutine);
        this.catalog = catalog;
        this.buffer = buffer;
        this.clock = clock;
        this.index = new OrderedIndex(this, hints);
        this.secondary = new SecondaryIndexes(this, index);
    }

    /** Fetches the records that have been declared and not fetched; a coordinator serves {@link #fetch} with it. */
    @FunctionalInterface
    public interface Fetcher {
        /** Fetches, or throws {@link Rollback} when the attempt is to be aborted. */
        void fetch();

        /**
         * Makes a fetched access valid for a stronger intent than it was declared for ({@link Access#declaredIntent}): to update or delete the
         * record, or to insert a missing one. Waits for nothing. The image is still as it was fetched, unless the access was declared for an update.
         *
         * @return false if the protocol cannot do that in this attempt: then the attempt ends, and the next one declares the key for that intent
         */
        default boolean upgrade(Access access) {
            return false;
        }
    }

    // ---- for procedures --------------------------------------------------------------------------------------------

    /**
     * Declares that a record is read. Once it is fetched, {@link #update}, {@link #delete} or, if the key has none, {@link #insert} of the same key
     * gives this access that intent. Where the protocol cannot do that in the same attempt, the transaction is tried again at once
     * ({@link AbortReason#UPGRADED}), and declares the key for that intent as soon as it reads it. A procedure that knows the intent beforehand
     * declares it first.
     */
    public Access read(Table table, long key) {
        return numbered(table, Intent.READ, key);
    }

    /** Declares that a record is read, as {@link #read(Table, long)}. */
    public Access read(Table table, byte[] key) {
        return access(table, Intent.READ, key);
    }

    /** Declares that a record is read and perhaps written. */
    public Access update(Table table, long key) {
        return numbered(table, Intent.UPDATE, key);
    }

    /** Declares that a record is read and perhaps written. */
    public Access update(Table table, byte[] key) {
        return access(table, Intent.UPDATE, key);
    }

    /**
     * Declares that a record is replaced as a whole, without being read: a blind write. That costs no copy of the record, and does not conflict with
     * transactions that replace it meanwhile. Bytes that the procedure does not put are zeros; reading the access returns these zeros and the bytes
     * that were put. As for an update, {@link Access#exists} returns whether the key has a record. If it has none, nothing can be put and the write
     * has no effect. A record with a secondary index has to be fetched all the same, and conflicts as for an update.
     *
     * @throws IllegalStateException when the transaction accesses the key with another intent; any other operation on the key throws afterwards, too:
     *     to read a record and write it is an update. A scan finds the bytes that were put
     */
    public Access write(Table table, long key) {
        return numbered(table, Intent.WRITE, key);
    }

    /** Declares that a record is replaced without being read, as {@link #write(Table, long)}. */
    public Access write(Table table, byte[] key) {
        return access(table, Intent.WRITE, key);
    }

    /**
     * Declares that a record is added. If the key has one already, {@link Access#exists} returns true and the insert has no effect; the procedure
     * decides whether to abort, or to {@link #update} the record.
     */
    public Access insert(Table table, long key) {
        return index.changing(numbered(table, Intent.INSERT, key));
    }

    /** Declares that a record is added, as {@link #insert(Table, long)}. */
    public Access insert(Table table, byte[] key) {
        return index.changing(access(table, Intent.INSERT, key));
    }

    /** Declares that a record is removed. If the key has none, the delete has no effect. */
    public Access delete(Table table, long key) {
        return index.changing(numbered(table, Intent.DELETE, key));
    }

    /** Declares that a record is removed, as {@link #delete(Table, long)}. */
    public Access delete(Table table, byte[] key) {
        return index.changing(access(table, Intent.DELETE, key));
    }

    /**
     * Reads the records whose keys are in a range of an ordered table, as they are for this transaction, its own inserts
     * and deletes included. Keys that other transactions insert into the range or delete from it conflict as records do. For
     * {@link Procedure#execute}; fetches the declared records, and may wait, as {@link #fetch} does.
     *
     * @param from the first key of the range; keys order as signed numbers
     * @param to the key after the last one of the range
     * @param limit most records to be read, the ones with the smallest keys
     * @throws IllegalArgumentException when the table is not ordered, or ordered by byte strings
     */
    public Scan scan(Table table, long from, long to, int limit) {
        return scan(table, from, to, limit, Intent.READ);
    }

    /**
     * Reads the records of a range, as {@link #scan(Table, long, long, int)}, to update or to delete them.
     *
     * @param intent the purpose: {@link Intent#READ}, {@link Intent#UPDATE} or {@link Intent#DELETE}
     */
    public Scan scan(Table table, long from, long to, int limit, Intent intent) {
        return to == Long.MIN_VALUE
                ? index.scan(table, from, to, 0, intent)
                : index.scan(table, from, to - 1, limit, intent);
    }

    /** Reads the records from a key to the table's end, as {@link #scan(Table, long, long, int, Intent)}. */
    public Scan scanFrom(Table table, long from, int limit, Intent intent) {
        return index.scan(table, from, Long.MAX_VALUE, limit, intent);
    }

    /**
     * Reads the records whose keys are in a range of a table that is ordered by byte strings, as {@link #scan(Table, long,
     * long, int, Intent)}. Byte strings order by their bytes, unsigned; a shorter byte string comes before the longer ones that begin with it. So
     * with a zero appended ({@link dev.rcc.core.store.ByteKeySlot#after}), the lower bound becomes an exclusive one, and the upper bound an inclusive
     * one.
     *
     * @param from the first byte string of the range, of any length; empty for the table's start
     * @param to the first byte string after the range, of any length
     * @throws IllegalArgumentException when the table is not ordered, or ordered by numbers
     */
    public Scan scan(Table table, byte[] from, byte[] to, int limit, Intent intent) {
        return index.scan(table, from, Objects.requireNonNull(to, "to"), limit, intent);
    }

    /** Reads the records from a byte string to the table's end, as {@link #scan(Table, byte[], byte[], int, Intent)}. */
    public Scan scanFrom(Table table, byte[] from, int limit, Intent intent) {
        return index.scan(table, from, null, limit, intent);
    }

    /**
     * Reads the last records of a range, the one with the greatest key first, as {@link #scan(Table, long, long, int, Intent)} reads the first ones.
     *
     * @param limit most records to be read, the ones with the greatest keys
     */
    public Scan scanDown(Table table, long from, long to, int limit, Intent intent) {
        return to == Long.MIN_VALUE
                ? index.scanDown(table, from, to, 0, intent)
                : index.scanDown(table, from, to - 1, limit, intent);
    }

    /** Reads the records from the table's end down to a key, as {@link #scanDown(Table, long, long, int, Intent)}. */
    public Scan scanDownFrom(Table table, long from, int limit, Intent intent) {
        return index.scanDown(table, from, Long.MAX_VALUE, limit, intent);
    }

    /**
     * Reads the last records of a range of byte strings, the one with the greatest key first, as {@link #scan(Table, byte[], byte[], int, Intent)}
     * reads the first ones.
     *
     * @param limit most records to be read, the ones with the greatest keys
     */
    public Scan scanDown(Table table, byte[] from, byte[] to, int limit, Intent intent) {
        return index.scanDown(table, from, Objects.requireNonNull(to, "to"), limit, intent);
    }

    /** Reads the records from the table's end down to a byte string, as {@link #scanDown(Table, byte[], byte[], int, Intent)}. */
    public Scan scanDownFrom(Table table, byte[] from, int limit, Intent intent) {
        return index.scanDown(table, from, null, limit, intent);
    }

    /**
     * Reads the first records of a table ordered by byte strings whose keys begin with these bytes, as {@link #scan(Table, byte[], byte[], int,
     * Intent)}. A procedure that keeps the array allocates nothing.
     *
     * @param prefix any bytes
     */
    public Scan scanPrefix(Table table, byte[] prefix, int limit, Intent intent) {
        return index.scanPrefix(table, prefix, limit, intent, false);
    }

    /** Reads the last records whose keys begin with these bytes, the one with the greatest key first, as {@link #scanPrefix}. */
    public Scan scanPrefixDown(Table table, byte[] prefix, int limit, Intent intent) {
        return index.scanPrefix(table, prefix, limit, intent, true);
    }

    /**
     * Finds records by a secondary index of their table: the records whose entries are in a range, in the order of the index. The scan has accesses
     * of the records, not of the entries. It includes the transaction's own changes of the records. Records that other transactions bring into the
     * range or take out of it conflict, as for {@link #scan(Table, byte[], byte[], int, Intent)}. For {@link Procedure#execute}; may wait.
     *
     * @param index the index
     * @param from the first key of an entry of the range, as {@link KeyParts} writes it of the parts, or of the first of them
     * @param to the first key after the range
     * @param limit most records, those with the smallest entries
     * @param intent the purpose: {@link Intent#READ}, {@link Intent#UPDATE} or {@link Intent#DELETE}
     * @throws IllegalArgumentException when the table is no index
     */
    public Scan find(Table index, byte[] from, byte[] to, int limit, Intent intent) {
        return this.index.find(index, from, Objects.requireNonNull(to, "to"), limit, intent, false);
    }

    /** Finds records from an entry to the end of the index, as {@link #find}. */
    public Scan findFrom(Table index, byte[] from, int limit, Intent intent) {
        return this.index.find(index, from, null, limit, intent, false);
    }

    /** Finds the last records of a range, the one with the greatest entry first, as {@link #find}. */
    public Scan findDown(Table index, byte[] from, byte[] to, int limit, Intent intent) {
        return this.index.find(index, from, Objects.requireNonNull(to, "to"), limit, intent, true);
    }

    /** Finds records from the end of the index down to an entry, as {@link #find}. */
    public Scan findDownFrom(Table index, byte[] from, int limit, Intent intent) {
        return this.index.find(index, from, null, limit, intent, true);
    }

    /** Finds the first records whose entries begin with these bytes, as {@link #find}. A procedure that keeps the array allocates nothing. */
    public Scan findPrefix(Table index, byte[] prefix, int limit, Intent intent) {
        return this.index.findPrefix(index, prefix, limit, intent, false);
    }

    /** Finds the last records whose entries begin with these bytes, the one with the greatest entry first, as {@link #findPrefix}. */
    public Scan findPrefixDown(Table index, byte[] prefix, int limit, Intent intent) {
        return this.index.findPrefix(index, prefix, limit, intent, true);
    }

    /**
     * Fetches the records that were declared since the last fetch; for keys that {@link Procedure#execute} discovers.
     * Records that the procedure declares and does not fetch are fetched when it is done: a delete takes place, an
     * insert or blind write is of zeros. May wait. When this does not return, the attempt has met a conflict and ends,
     * or the exception says why it ends. It does not commit, even if the procedure catches what is thrown.
     */
    public void fetch() {
        if (abortReason == AbortReason.UPGRADED) {
            throw Rollback.INSTANCE;
        }
        checkNothingIsHalfDone();
        try {
            fetcher.fetch();
        } catch (RuntimeException | Error e) {
            leaveHalfDone(e);
            throw e;
        }
    }

    /**
     * Asks for a commit timestamp of at least {@code timestamp}, and so to come after the transaction that committed at it, which the client has
     * observed (Sundial, 3.6). To be called in each attempt, in {@link Procedure#declare}; of several timestamps the largest counts.
     * {@link #commitTs} returns the timestamp after the commit. Protocols with logical time obey it; other protocols ignore it.
     *
     * @throws IllegalArgumentException when it is negative
     */
    public void minCommitTs(long timestamp) {
        if (timestamp < 0) {
            throw new IllegalArgumentException("a commit timestamp is not negative, got " + timestamp);
        }
        minCommitTs = Math.max(minCommitTs, timestamp);
    }

    /** Gives the transaction up: it ends without effect as {@link AbortReason#USER_ABORT} and is not tried again. */
    public void abort() {
        abort(AbortReason.USER_ABORT);
    }

    // ---- for the framework and for protocols -----------------------------------------------------------------------

    /** Starts an attempt: draws its id, and forgets the accesses of the previous attempt. */
    public void begin(boolean firstAttempt) {
        home = coroutine.worker().node();
        executedByParticipants = false;
        if (crossings != null) {
            crossings.begin();
        }
        restart();
        logged = false;
        id = clock.next();
        if (firstAttempt) {
            age = id;
            attempt = 0;
            foresight.clear();
            index.begin();
        } else {
            attempt++;
        }
    }

    /**
     * Starts to run a transaction that another node coordinates, with its {@link #id} and {@link #age}: draws no timestamp, and remembers nothing of
     * earlier attempts.
     *
     * @param coordinator the coordinator's node, where replicated records are read
     */
    public void beginExecution(long attemptId, long firstId, int coordinator) {
        restart();
        id = attemptId;
        age = firstId;
        home = coordinator;
        foresight.clear();
        index.begin();
    }

    /**
     * Whether earlier attempts came to have stronger intents for keys than they had fetched them for; the present attempt fetches the keys for these.
     */
    public boolean hasForesight() {
        return !foresight.isEmpty() || index.isThorough();
    }

    /** Sets whether all nodes that hold records that the attempt writes have executed it, rather than its coordinator for them. */
    public void executedByParticipants(boolean executed) {
        executedByParticipants = executed;
    }

    /** Whether all nodes that hold records that the attempt has written have executed it. */
    boolean isExecutedByParticipants() {
        return executedByParticipants;
    }

    /**
     * Forgets the attempt's accesses and their results, so that the procedure can run again in the same attempt. None of their requests may be
     * outstanding.
     */
    public void restart() {
        buffer.reset();
        size = 0;
        commitTs = Timestamp.NONE;
        minCommitTs = Timestamp.NONE;
        abortReason = null;
        duplicateIn = null;
        halfDone = null;
        secondary.restart();
        index.restart();
        replicated.restart();
    }

    /** Sets the fetcher that serves {@link #fetch}. */
    public void fetcher(Fetcher newFetcher) {
        fetcher = newFetcher;
    }

    /** Sets the listener of {@link #logBegins} and {@link #logFailed}. */
    void onLog(Runnable begins, Runnable fails) {
        logListener = begins;
        failedLogListener = fails;
    }

    /** Sets a listener that is called on the coroutine when an attempt has ended, with either outcome, and nothing of it is in flight any more. */
    public void onEnd(Runnable ends) {
        endListener = ends;
    }

    /** The attempt has ended. */
    void ended() {
        endListener.run();
    }

    /** The attempt's writes are about to be logged, or installed where no backup is left. Called by the log stage before any node can have them. */
    public void logBegins() {
        logged = true;
        logListener.run();
    }

    /** Whether some backup may have the attempt's writes, or may have had them. */
    public boolean hasLogged() {
        return logged;
    }

    /**
     * The attempt is to be aborted though its commit timestamp was drawn, and perhaps some backup has logged it. Called by the log stage while the
     * accesses are still unchanged: later steps may reuse the buffer.
     */
    public void logFailed() {
        failedLogListener.run();
    }

    /** Marks the attempt as aborted. The first reason stays. */
    public void abort(AbortReason reason) {
        if (abortReason == null) {
            abortReason = reason;
        }
    }

    /**
     * Marks the attempt as aborted for this reason, in place of an earlier one: the earlier reason came from a procedure that ran on invalid reads,
     * so it means nothing.
     */
    public void preAbort(AbortReason reason) {
        abortReason = reason;
    }

    /** Why the attempt is to be or was aborted, or null. */
    public AbortReason abortReason() {
        return abortReason;
    }

    /** Marks the attempt as aborted, as a unique index has another record with the key of one that it writes. */
    void abortAsDuplicate(Table index) {
        abort(AbortReason.DUPLICATE_KEY);
        duplicateIn = index;
    }

    /** The unique index of the abort reason {@link AbortReason#DUPLICATE_KEY}, or null. */
    public Table duplicateIn() {
        return duplicateIn;
    }

    /** The attempt's id: the unique timestamp at which it began. */
    public long id() {
        return id;
    }

    /** The id of the transaction's first attempt. */
    public long age() {
        return age;
    }

    /** The attempt's number, from 0. */
    public int attempt() {
        return attempt;
    }

    /**
     * The version that committed writes get, or {@link Timestamp#NONE} before it was drawn. Protocols with logical time set
     * it for transactions that only read, too.
     */
    public long commitTs() {
        return commitTs;
    }

    /** The least timestamp that the client wants the transaction to commit at. */
    public long minCommitTs() {
        return minCommitTs;
    }

    /** Sets the version that committed writes get. */
    public void commitTs(long timestamp) {
        commitTs = timestamp;
    }

    /** Number of accesses. */
    public int size() {
        return size;
    }

    /** The access with this number. */
    public Access access(int i) {
        assert i < size : i;
        return accesses[i];
    }

    /** Number of scans. */
    public int scans() {
        return index.scans();
    }

    /** The scan with this number; the records and the leaves that it read are among the accesses. */
    public Scan scan(int i) {
        return index.scan(i);
    }

    /** An exception has left an operation half done. The attempt no longer commits, even if the procedure catches it. */
    void leaveHalfDone(Throwable cause) {
        halfDone = cause;
    }

    /** Throws the exception that has left an operation half done, if there is one. */
    void checkNothingIsHalfDone() {
        if (halfDone instanceof Error e) {
            throw e;
        }
        if (halfDone instanceof RuntimeException e) {
            throw e;
        }
    }

    /** Carries the transaction's changes into the indexes, at its end. */
    void completeIndexes() {
        secondary.complete();
        index.complete();
    }

    /** The secondary indexes. */
    SecondaryIndexes secondary() {
        return secondary;
    }

    /** Declares an access of the key of an identity that was allocated last; if the key has an access, gives the identity back. */
    Access accessIdentity(Table table, Intent intent, long identity) {
        return access(table, intent, table.keyHashOfIdentity(buffer.memory(), identity), identity);
    }

    /** The access of the key of an identity, or null if there is none. */
    Access findIdentity(Table table, long identity) {
        return known(table, table.keyHashOfIdentity(buffer.memory(), identity), identity);
    }

    /** The transaction's writes to replicated tables. */
    ReplicatedWrites replicated() {
        return replicated;
    }

    /** Declares the tuple of an access's key in another partition of a replicated table, with the access's intent. */
    Access copyOf(Access access, int partition) {
        Table table = access.table();
        long identity = access.identityOffset();
        long keyHash = table.keyHashOfIdentity(partition, buffer.memory(), identity);
        Access known = known(table, keyHash, identity);
        if (known == null) {
            return add(table, access.intent(), keyHash, identity);
        }
        known.upgrade(access.intent());
        return known;
    }

    /** The access of a 64-bit key, or null if there is none; for tables whose hashes determine the key, such as index nodes. */
    Access find(Table table, long key) {
        assert table.hasReversibleHashes() : table;
        return known(table, table.keyHash(key), 0);
    }

    /** Declares an access of the key in a slot of an ordered table. If the key has an access, that one is upgraded. */
    Access accessSlot(Table table, Intent intent, long keySlot) {
        KeySlot keys = table.indexNodeLayout().keys();
        long identity = buffer.allocate(table.layout().tuple().identityBytes());
        keys.putIdentity(buffer.memory(), keySlot, buffer.memory(), identity);
        return access(table, intent, keys.hash(table, buffer.memory(), keySlot), identity);
    }

    /** The access of the key in a slot of an ordered table, or null if there is none. */
    Access findSlot(Table table, long keySlot) {
        KeySlot keys = table.indexNodeLayout().keys();
        return known(table, keys.hash(table, buffer.memory(), keySlot), keySlot - keys.identityOffset());
    }

    /** Adds an access of a node of an ordered index. */
    Access node(Table nodes, Intent intent, long id) {
        return longAccess(nodes, intent, id);
    }

    /**
     * Gives a fetched access a stronger intent. If the protocol cannot do that, the attempt will abort when it fetches next or is done. Until then it
     * goes on, and upgrades further accesses: many keys then cost one attempt.
     */
    void upgrade(Access access, Intent wanted) {
        if (access.covers(wanted)) {
            return;
        }
        foresight.remember(access, wanted, buffer.memory());
        if (!upgradeInPlace(access, wanted)) {
            abort(AbortReason.UPGRADED);
        }
    }

    /** Has the protocol make a fetched access valid for a stronger intent. False if it cannot. */
    boolean upgradeInPlace(Access access, Intent wanted) {
        if (access.covers(wanted)) {
            return true;
        }
        boolean upgraded = fetcher.upgrade(access);
        if (upgraded) {
            access.extend(wanted);
        }
        return upgraded;
    }

    /** The coroutine. */
    public Coroutine coroutine() {
        return coroutine;
    }

    /** From now on, the messages between zones are counted. Called before there is a coordinator. */
    public void countCrossings() {
        crossings = new AttemptCrossings(completion);
    }

    /** The messages between zones of the attempt; null where they are not counted. */
    public AttemptCrossings crossings() {
        return crossings;
    }

    /** The coroutine's completion. */
    public Completion completion() {
        return completion;
    }

    /** The coroutine's clock. */
    public TimestampClock clock() {
        return clock;
    }

    /** The coroutine's buffer. */
    public BufferSlice buffer() {
        return buffer;
    }

    /** The tables and their placement. */
    public Catalog catalog() {
        return catalog;
    }

    private Access numbered(Table table, Intent intent, long key) {
        if (table.isSystem()) {
            throw new IllegalArgumentException("table " + table + " belongs to an ordered index");
        }
        return replicated.declared(longAccess(table, intent, key));
    }

    private Access longAccess(Table table, Intent intent, long key) {
        table.checkKey(key);
        TupleLayout layout = table.layout().tuple();
        long identity = buffer.allocate(layout.identityBytes());
        buffer.memory().putLong(identity, TupleLayout.liveHeader(Long.BYTES));
        buffer.memory().putLong(identity + Memory.WORD_BYTES, key);
        long keyHash = table.isReplicated() ? keyHashHere(table, identity) : table.keyHash(key);
        return access(table, intent, keyHash, identity);
    }

    private Access access(Table table, Intent intent, byte[] key) {
        table.checkKey(key);
        if (table.isIndex() && intent != Intent.READ) {
            throw new IllegalArgumentException(table.refusalToWrite());
        }
        TupleLayout layout = table.layout().tuple();
        long identity = buffer.allocate(layout.identityBytes());
        layout.putIdentity(buffer.memory(), identity, key);
        long keyHash = table.isReplicated()
                ? keyHashHere(table, identity)
                : table.keyHash(buffer.memory(), identity + Memory.WORD_BYTES, key.length);
        return replicated.declared(access(table, intent, keyHash, identity));
    }

    /** The hash of a key of a replicated table in the partition of the node that coordinates. */
    private long keyHashHere(Table table, long identity) {
        int partition = catalog.placement().partitionAt(home);
        return table.keyHashOfIdentity(partition, buffer.memory(), identity);
    }

    private Access access(Table table, Intent wanted, long keyHash, long identity) {
        Access known = known(table, keyHash, identity);
        if (known != null) {
            buffer.giveBack(identity);
            known.upgrade(wanted);
            return known;
        }
        boolean replaces = wanted == Intent.WRITE && table.indexedBytes() > 0; // the replaced record has an entry
        Access access = add(table, replaces ? Intent.UPDATE : wanted, keyHash, identity);
        if (replaces) {
            access.replace();
        }
        return access;
    }

    private Access add(Table table, Intent intent, long keyHash, long identity) {
        if (size == accesses.length) {
            grow();
        }
        Access access = accesses[size];
        Intent foreseen = foresight.isEmpty() ? null : foresight.of(table, keyHash, buffer.memory(), identity);
        access.reset(table, intent, Access.declaration(intent, foreseen), keyHash, identity);
        if (table.isIndexed()) {
            secondary.concerns();
        }
        size++;
        remember(access);
        return access;
    }

    /** The access of a key, or null if there is none. */
    private Access known(Table table, long keyHash, long identity) {
        if (size <= FEW) {
            for (int i = 0; i < size; i++) {
                if (isOf(accesses[i], table, keyHash, identity)) {
                    return accesses[i];
                }
            }
            return null;
        }
        int place = places.first(table.id(), keyHash);
        for (int number = places.at(place); number >= 0; number = places.at(place)) {
            if (isOf(accesses[number], table, keyHash, identity)) {
                return accesses[number];
            }
            place = places.next(place);
        }
        return null;
    }

    private boolean isOf(Access access, Table table, long keyHash, long identity) {
        return access.keyHash() == keyHash
                && access.table() == table
                && (table.hasReversibleHashes() || hasKey(access, table, identity));
    }

    /**
     * Whether an access has the key of an identity; an identity of a 64-bit key consists of the key alone if it comes from a slot of an ordered
     * index.
     */
    private boolean hasKey(Access access, Table table, long identity) {
        return table.schema().keyKind() == KeyKind.LONG
                ? buffer.memory().getLong(identity + Memory.WORD_BYTES) == access.longKey()
                : buffer.memory()
                        .equalWords(
                                identity,
                                buffer.memory(),
                                access.identityOffset(),
                                table.layout().tuple().identityBytes());
    }

    /** Makes an access findable by its hash, once there are more than {@link #FEW}. */
    private void remember(Access last) {
        if (size == FEW + 1 || (size > FEW && places.isFull(size))) {
            places.clear(size);
            for (int i = 0; i < size; i++) {
                places.put(accesses[i].table().id(), accesses[i].keyHash(), i);
            }
        } else if (size > FEW) {
            places.put(last.table().id(), last.keyHash(), size - 1);
        }
    }

    private void grow() {
        accesses = Arrays.copyOf(accesses, Math.max(16, size * 2));
        for (int i = size; i < accesses.length; i++) {
            accesses[i] = new Access(this, i);
        }
    }
}
