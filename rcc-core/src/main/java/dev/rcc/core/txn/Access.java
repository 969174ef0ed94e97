package dev.rcc.core.txn;

import dev.rcc.core.cluster.Placement;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.RemoteAddress;
import dev.rcc.core.store.KeyKind;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TupleLayout;

/**
 * One key that a transaction accesses, and the private image of its tuple in the coroutine's buffer. The accesses that
 * only read are the read set, the others the write set. An access belongs to its transaction, is good for one attempt,
 * and is reused afterwards.
 *
 * <p>The record is reached through the accessors for users, whose offsets are in bytes from the record's start. The rest
 * is for protocols.
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
    /** Whether it is a blind write that has become an update, since the record's indexes need to know what it replaces. */
    private boolean replaces;
    /** Whether what such a one replaces has given way. */
    private boolean replaced;
    /** Where in the buffers the bytes are that indexes are of, as they were before the first change. */
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
     * @param newDeclared what the protocol fetches it for: no less than {@code newIntent}
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
     * Whether the key has a record: for an insert, whether it had one before. A blind write learns no more than that about what is there.
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

    /** What the transaction wants with the key. */
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

    /** Whether the access writes blindly: it is good for no reading, and its record is not fetched. */
    public boolean isBlind() {
        return intent == Intent.WRITE;
    }

    /** Bytes of the tuple, from its start on, that a fetch copies into the image: all or, for a blind write, what is before the record. */
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

    /** The version of the key's leaf that was read, 0 when it was not. */
    public long leafVersion() {
        return leafVersion;
    }

    /** Remembers the version of the key's leaf. */
    public void leafVersion(long version) {
        leafVersion = version;
    }

    /**
     * The version of what a write replaces: of the record or, for an insert, of what was in the slot before, be it 0, a
     * slot that was never used, or the version of a delete.
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
     * The version of the record that was read, 0 when there was none, and for a blind write, which reads none. It stays what it was when a
     * protocol puts the new version into the image.
     */
    public long version() {
        return version;
    }

    /** Whether the image has been fetched. */
    public boolean isFetched() {
        return fetched;
    }

    /**
     * The image has been fetched: it holds the key's tuple or, for a blind write, what of it is before the record. The record of a blind
     * write starts zeroed.
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

    /** The key has been looked for and has no tuple; an insert starts from a zeroed record. */
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

    /** The 64-bit key; only of tables that have such. */
    public long longKey() {
        assert table.schema().keyKind() == KeyKind.LONG : describe();
        return memory().getLong(identityOffset + Memory.WORD_BYTES);
    }

    /** The key; only of tables that have byte strings. Allocates the array. */
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

    /** Where the record lies in the buffers; it is there to be read. */
    long readableRecord() {
        checkReadable(0, 0);
        return recordOffset();
    }

    /** Where the record lies in the buffers; it is going to be written. */
    long writableRecord() {
        checkWritable(0, 0);
        return recordOffset();
    }

    /** Writes the record that another access writes, of the same key in another partition and for the same. Both have been fetched. */
    void writeAs(Access other) {
        assert intent == other.intent && exists == other.exists && other.isWrite() : describe();
        if (intent != Intent.DELETE) {
            memory().copy(other.readableRecord(), memory(), writableRecord(), layout.recordBytes());
        }
    }

    /** Marks an insert or delete for the ordered index, or one that came to nothing as none. Returns whether it was marked before. */
    boolean markIndexed(boolean newIndexed) {
        boolean before = indexed;
        indexed = newIndexed;
        return before;
    }

    /** What the protocol fetches it for: no less than what the transaction does with it. The protocol locks or reads it as such. */
    public Intent declaredIntent() {
        return declared;
    }

    /**
     * The procedure wants this with a key that it has declared before. Of a record that has been fetched, an intent that comes to nothing
     * (to update or delete what does not exist, to insert what does) changes nothing.
     *
     * @throws IllegalStateException for what makes no sense: more of a key that was written blindly, deleted or inserted by the transaction, or a
     *     blind write of one that it reads
     */
    void upgrade(Intent wanted) {
        Intent current = isReplacing() ? Intent.WRITE : intent;
        if (current == wanted || (wanted == Intent.READ && current == Intent.UPDATE)) {
            return;
        }
        if (!isUpgradable(current, wanted)) {
            throw new IllegalStateException(
                    describe() + " is declared for " + current + " already, cannot be for " + wanted);
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
     * What a key is to be declared for.
     *
     * @param wanted what the procedure wants
     * @param foreseen what it will probably want later, or null
     */
    static Intent declaration(Intent wanted, Intent foreseen) {
        boolean mayBecomeAnother = wanted != Intent.DELETE && wanted != Intent.WRITE;
        return mayBecomeAnother && foreseen != null && foreseen != Intent.READ ? foreseen : wanted;
    }

    /** Whether it changes something to want this with what was fetched. */
    private boolean isEffective(Intent wanted) {
        return exists ? wanted == Intent.UPDATE || wanted == Intent.DELETE : wanted == Intent.INSERT;
    }

    /** What was foreseen to be inserted may exist after all, or what was foreseen to be updated may not. */
    private void checkDeclared() {
        if (isEffective(intent)) {
            txn.upgrade(this, intent);
        }
    }

    /** Whether it was fetched for no less than this. */
    boolean covers(Intent wanted) {
        return declared == wanted || (declared == Intent.DELETE && wanted == Intent.UPDATE);
    }

    /** The protocol has seen to it that what it has fetched is good for this, too. */
    void extend(Intent wanted) {
        declared = wanted;
    }

    /** Turns an update that was declared as a delete into one. */
    void remove() {
        assert intent == Intent.UPDATE && fetched && covers(Intent.DELETE) : describe();
        intent = Intent.DELETE;
    }

    /** Makes an update that has just been declared a blind write as procedures see it: it begins with zeros, and is good for nothing else. */
    void replace() {
        assert intent == Intent.UPDATE && !fetched : describe();
        replaces = true;
        before = txn.buffer().allocate(table.indexedBytes());
    }

    /** What an update in the place of a blind write replaces gives way to zeros: when the procedure first looks, as protocols may need it before. */
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

    /** Keeps what indexes are of, before it is changed first. */
    private void keepBefore() {
        int bytes = table.indexedBytes();
        if (bytes > 0) {
            before = before == NOT_KEPT ? txn.buffer().allocate(bytes) : before;
            memory().copy(recordOffset() + table.indexedFrom(), memory(), before, bytes);
        }
    }

    /** Where the record lies in the buffers as the index entries have it, as far as they are of it. */
    long indexedRecord() {
        return before == NOT_KEPT ? recordOffset() : before - table.indexedFrom();
    }

    /** Where the record lies in the buffers, as the transaction has it. */
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
