package dev.rcc.core.txn;

import dev.rcc.core.cluster.Placement;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.RemoteAddress;
import dev.rcc.core.store.KeyKind;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TupleLayout;

/**
 * One key that a transaction accesses, and the private image of its tuple in the coroutine's buffer. The accesses that only read are the read set,
 * all other accesses the write set. An access belongs to its transaction, is valid for one attempt, and is reused afterwards.
 *
 * <p>The record is reached through the accessors for users, whose offsets are in bytes from the record's start. The other methods are for protocols.
 */
public final class Access {
    private static final long NOT_KEPT = -1;

    private final Transaction txn;
    private final int index;
    private Table table;
    private TupleLayout layout;
    private Intent intent;
    private Intent declared;
    private long keyHash;
    private int partition;
    private int node;
    private long identityOffset;
    private long imageOffset;
    private boolean fetched;
    private boolean exists;
    private boolean modified;
    private boolean indexed;
    /** Whether the access is a blind write that has become an update, since the record's indexes need the replaced record. */
    private boolean replaces;
    /** Whether the replaced record of such an access has given way to zeros. */
    private boolean replaced;
    /** Where the indexed bytes lie in the buffers, as they were before the first change. */
    private long before;

    private long version;
    private long tupleAddress;
    private long leafVersion;
    private long slotVersion;

    Access(Transaction txn, int index) {
        this.txn = txn;
        this.index = index;
    }

    /**
     * Begins as an access of a key.
     *
     * @param newDeclared the intent that the protocol fetches it for, no weaker than {@code newIntent}
     */
    void reset(Table newTable, Intent newIntent, Intent newDeclared, long newKeyHash, long newIdentityOffset) {
        table = newTable;
        layout = newTable.layout().tuple();
        intent = newIntent;
        declared = newDeclared;
        keyHash = newKeyHash;
        Placement placement = txn.catalog().placement();
        partition = placement.partition(newKeyHash);
        node = placement.primary(partition);
        identityOffset = newIdentityOffset;
        imageOffset = txn.buffer().allocate(layout.tupleBytes());
        fetched = false;
        exists = false;
        modified = false;
        indexed = false;
        replaces = false;
        replaced = false;
        before = NOT_KEPT;
        version = 0;
        tupleAddress = RemoteAddress.NONE;
        leafVersion = 0;
        slotVersion = 0;
    }

    // ---- for users -------------------------------------------------------------------------------------------------

    /**
     * Whether the key has a record: for an insert, whether it had one before. A blind write reveals nothing else about the record.
     *
     * @throws IllegalStateException before the record was fetched
     */
    public boolean exists() {
        if (!fetched) {
            throw new IllegalStateException(describe() + " has not been fetched yet: call fetch()");
        }
        return exists;
    }

    /** Reads a word of the record, at a multiple of 8. */
    public long getLong(int offset) {
        checkReadable(offset, Long.BYTES);
        return memory().getLong(recordOffset() + offset);
    }

    /** Reads bytes of the record. */
    public void getBytes(int offset, byte[] target, int targetOffset, int bytes) {
        checkReadable(offset, bytes);
        memory().getBytes(recordOffset() + offset, target, targetOffset, bytes);
    }

    /** Writes a word of the record, at a multiple of 8. */
    public void putLong(int offset, long value) {
        checkWritable(offset, Long.BYTES);
        memory().putLong(recordOffset() + offset, value);
    }

    /** Writes bytes of the record. */
    public void putBytes(int offset, byte[] source, int sourceOffset, int bytes) {
        checkWritable(offset, bytes);
        memory().putBytes(recordOffset() + offset, source, sourceOffset, bytes);
    }

    /** The transaction's intent for the key. */
    public Intent intent() {
        return intent;
    }

    /** The table. */
    public Table table() {
        return table;
    }

    // ---- for protocols ---------------------------------------------------------------------------------------------

    /** The access's number in its transaction, from 0. */
    public int index() {
        return index;
    }

    /** The hash of the key. */
    public long keyHash() {
        return keyHash;
    }

    /** The key's partition. */
    public int partition() {
        return partition;
    }

    /** The node that holds the partition's primary copy. */
    public int node() {
        return node;
    }

    /** Where the wanted identity (key header and key) lies in the buffers, laid out as in a tuple. */
    public long identityOffset() {
        return identityOffset;
    }

    /** Where the tuple's image lies in the buffers. */
    public long imageOffset() {
        return imageOffset;
    }

    /** Whether the access writes blindly: it is not a read, and its record is not fetched. */
    public boolean isBlind() {
        return intent == Intent.WRITE;
    }

    /** Bytes of the tuple, from its start on, that a fetch copies into the image: all or, for a blind write, the bytes before the record. */
    public int fetchedBytes() {
        return fetchedBytes(layout, intent);
    }

    /** Bytes of a tuple that are copied for an intent, as {@link #fetchedBytes()}. */
    public static int fetchedBytes(TupleLayout layout, Intent intent) {
        return intent == Intent.WRITE ? layout.contentOffset() : layout.tupleBytes();
    }

    /** The layout of the table's tuples. */
    public TupleLayout layout() {
        return layout;
    }

    /** The tuple's address on the primary, or {@link RemoteAddress#NONE} while it is not known. */
    public long tupleAddress() {
        return tupleAddress;
    }

    /** Remembers the tuple's address on the primary. */
    public void tupleAddress(long address) {
        tupleAddress = address;
    }

    /** The version of the key's leaf as it was read; 0 if it was not read. */
    public long leafVersion() {
        return leafVersion;
    }

    /** Remembers the version of the key's leaf. */
    public void leafVersion(long version) {
        leafVersion = version;
    }

    /**
     * The version that a write replaces: the record's or, for an insert, the slot's. The slot's version is 0 if the slot was never used, otherwise
     * the version of a delete.
     */
    public long replacedVersion() {
        return exists && !isBlind() ? version() : slotVersion;
    }

    /** Remembers the version of the empty slot that an insert has reserved, or of the record that a blind write has found or locked. */
    public void slotVersion(long version) {
        slotVersion = version;
    }

    /** Whether the tuple's image holds the wanted key. */
    public boolean imageHasIdentity() {
        return memory().equalWords(
                        imageOffset + layout.identityOffset(), memory(), identityOffset, layout.identityBytes());
    }

    /**
     * The version of the record that was read; 0 if there was none, and for a blind write, which reads none. It does not change when a protocol puts
     * the new version into the image.
     */
    public long version() {
        return version;
    }

    /** Whether the image has been fetched. */
    public boolean isFetched() {
        return fetched;
    }

    /**
     * The image has been fetched: it holds the key's tuple or, for a blind write, the part of it before the record. The record of a blind write
     * starts zeroed.
     */
    public void foundTuple() {
        fetched = true;
        exists = true;
        long found = memory().getLong(imageOffset + layout.versionOffset());
        if (isBlind()) {
            slotVersion = found;
            memory().zero(recordOffset(), layout.recordBytes());
        } else {
            version = found;
            checkDeclared();
        }
    }

    /** The key has been looked up and has no tuple; an insert starts from a zeroed record. */
    public void foundNothing() {
        fetched = true;
        exists = false;
        version = 0;
        if (intent == Intent.INSERT) {
            memory().zero(recordOffset(), layout.recordBytes());
        }
        checkDeclared();
    }

    /** Whether committing changes the record: it was fetched, and was modified, is inserted, is deleted, or is written blindly. */
    public boolean isWrite() {
        return switch (intent) {
            case READ -> false;
            case UPDATE -> modified;
            case INSERT -> fetched && !exists;
            case DELETE, WRITE -> exists;
        };
    }

    /** Whether the procedure has changed the image of the record, so that it is no longer what was fetched. */
    public boolean isModified() {
        return modified;
    }

    /** The 64-bit key; only for tables with 64-bit keys. */
    public long longKey() {
        assert table.schema().keyKind() == KeyKind.LONG : describe();
        return memory().getLong(identityOffset + Memory.WORD_BYTES);
    }

    /** The key; only for tables with byte-string keys. Allocates the array. */
    public byte[] byteKey() {
        byte[] key = new byte[keyBytes()];
        getKey(key, 0);
        return key;
    }

    /** The key's length in bytes, 8 for a 64-bit key. */
    public int keyBytes() {
        return TupleLayout.keyLength(memory().getLong(identityOffset));
    }

    /** Copies the key's {@link #keyBytes} bytes, a 64-bit key little-endian. */
    public void getKey(byte[] target, int targetOffset) {
        memory().getBytes(identityOffset + Memory.WORD_BYTES, target, targetOffset, keyBytes());
    }

    /** Where the key's slot for the table's ordered index lies in the buffers. */
    long keySlot() {
        return identityOffset + table.indexNodeLayout().keys().identityOffset();
    }

    /** Where the record lies in the buffers, to be read. */
    long readableRecord() {
        checkReadable(0, 0);
        return recordOffset();
    }

    /** Where the record lies in the buffers, to be written; the record counts as modified. */
    long writableRecord() {
        checkWritable(0, 0);
        return recordOffset();
    }

    /** Writes the record that another access writes, of the same key in another partition and with the same intent. Both have been fetched. */
    void writeAs(Access other) {
        assert intent == other.intent && exists == other.exists && other.isWrite() : describe();
        if (intent != Intent.DELETE) {
            memory().copy(other.readableRecord(), memory(), writableRecord(), layout.recordBytes());
        }
    }

    /** Marks an insert or delete for the ordered index, or unmarks one that has no effect. Returns whether it was marked before. */
    boolean markIndexed(boolean newIndexed) {
        boolean before = indexed;
        indexed = newIndexed;
        return before;
    }

    /** The intent that the protocol fetches the key for, no weaker than {@link #intent}. The protocol locks or reads the key by this intent. */
    public Intent declaredIntent() {
        return declared;
    }

    /**
     * The procedure declares this intent for a key that it has declared before. For a fetched record, an intent without effect (to update or delete a
     * missing record, to insert an existing one) changes nothing.
     *
     * @throws IllegalStateException if the intents exclude each other: another intent for a key that the transaction has written blindly, deleted or
     *     inserted, or a blind write of a key that it reads
     */
    void upgrade(Intent wanted) {
        Intent current = isReplacing() ? Intent.WRITE : intent;
        if (current == wanted || (wanted == Intent.READ && current == Intent.UPDATE)) {
            return;
        }
        if (!isUpgradable(current, wanted)) {
            throw new IllegalStateException(
                    describe() + " is declared for " + current + " and cannot be declared for " + wanted + ", too");
        }
        if (!fetched) {
            intent = wanted;
            declared = declaration(wanted, declared);
        } else if (isEffective(wanted)) {
            txn.upgrade(this, wanted);
            intent = wanted;
            if (wanted == Intent.INSERT) {
                memory().zero(recordOffset(), layout.recordBytes());
            }
        }
    }

    private boolean isUpgradable(Intent current, Intent wanted) {
        return switch (current) {
            case READ -> wanted != Intent.WRITE;
            case UPDATE -> wanted == Intent.DELETE || (wanted == Intent.INSERT && fetched);
            case INSERT -> wanted != Intent.WRITE && fetched && exists;
            case DELETE, WRITE -> false;
        };
    }

    /**
     * The intent that a key is to be declared for.
     *
     * @param wanted the procedure's intent
     * @param foreseen the intent that it will probably have later, or null
     */
    static Intent declaration(Intent wanted, Intent foreseen) {
        boolean mayBecomeAnother = wanted != Intent.DELETE && wanted != Intent.WRITE;
        return mayBecomeAnother && foreseen != null && foreseen != Intent.READ ? foreseen : wanted;
    }

    /** Whether this intent has an effect on what was fetched: not for a missing record to update or delete, nor for an existing record to insert. */
    private boolean isEffective(Intent wanted) {
        return exists ? wanted == Intent.UPDATE || wanted == Intent.DELETE : wanted == Intent.INSERT;
    }

    /** A record that was foreseen to be inserted may exist after all, or one that was foreseen to be updated may not. */
    private void checkDeclared() {
        if (isEffective(intent)) {
            txn.upgrade(this, intent);
        }
    }

    /** Whether it was fetched for this intent or a stronger one. */
    boolean covers(Intent wanted) {
        return declared == wanted || (declared == Intent.DELETE && wanted == Intent.UPDATE);
    }

    /** The protocol has made the fetched tuple valid for this intent, too. */
    void extend(Intent wanted) {
        declared = wanted;
    }

    /** Turns an update that was declared as a delete into a delete. */
    void remove() {
        assert intent == Intent.UPDATE && fetched && covers(Intent.DELETE) : describe();
        intent = Intent.DELETE;
    }

    /** Makes an update that has just been declared a blind write as procedures see it: its record begins with zeros, and it takes no other intent. */
    void replace() {
        assert intent == Intent.UPDATE && !fetched : describe();
        replaces = true;
        before = txn.buffer().allocate(table.indexedBytes());
    }

    /**
     * Zeroes the record that an update in the place of a blind write replaces. Called when the procedure first reads or writes it, as protocols may
     * need the record before.
     */
    void giveWay() {
        if (replaces && !replaced && fetched && exists) {
            replaced = true;
            keepBefore();
            memory().zero(recordOffset(), layout.recordBytes());
            modified = true;
        }
    }

    /** Whether it replaces the record as a whole: a blind write, or an update in its place. */
    boolean isReplacing() {
        return replaces || isBlind();
    }

    /** Keeps the indexed bytes, before their first change. */
    private void keepBefore() {
        int bytes = table.indexedBytes();
        if (bytes > 0) {
            before = before == NOT_KEPT ? txn.buffer().allocate(bytes) : before;
            memory().copy(recordOffset() + table.indexedFrom(), memory(), before, bytes);
        }
    }

    /** Where the record lies in the buffers as the index entries have it; only its indexed bytes are valid. */
    long indexedRecord() {
        return before == NOT_KEPT ? recordOffset() : before - table.indexedFrom();
    }

    /** Where the record lies in the buffers, as the transaction sees it. */
    long recordOffset() {
        return imageOffset + layout.recordOffset();
    }

    private Memory memory() {
        return txn.buffer().memory();
    }

    private void checkReadable(int offset, int bytes) {
        giveWay();
        if (!fetched || (!exists && !isWrite())) {
            throw new IllegalStateException(describe() + (fetched ? " does not exist" : " has not been fetched yet"));
        }
        checkBounds(offset, bytes);
    }

    private void checkWritable(int offset, int bytes) {
        giveWay();
        boolean writable = intent == Intent.INSERT ? !exists : exists && (intent == Intent.UPDATE || isBlind());
        if (!fetched || !writable) {
            throw new IllegalStateException(describe() + " cannot be written: declared for " + intent
                    + (fetched ? exists ? ", exists" : ", does not exist" : ", has not been fetched yet"));
        }
        checkBounds(offset, bytes);
        if (!modified && intent == Intent.UPDATE && table.isIndexed()) {
            keepBefore();
        }
        modified = true;
    }

    private void checkBounds(int offset, int bytes) {
        int limit = table.schema().recordBytes();
        if (offset < 0 || bytes < 0 || offset > limit - bytes) {
            throw new IndexOutOfBoundsException(describe() + ": no " + bytes + " bytes at offset " + offset
                    + " in a record of " + limit + " bytes");
        }
    }

    private String describe() {
        return "access " + index + " (table " + table + ")";
    }
}
