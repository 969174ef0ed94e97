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
    private final Transaction txn;
    private final int index;
    private Table table;
    private TupleLayout layout;
    private Intent intent;
    private long keyHash;
    private int partition;
    private int node;
    private long identityOffset;
    private long imageOffset;
    private boolean fetched;
    private boolean exists;
    private boolean modified;
    private boolean removable;
    private boolean indexed;
    private long version;
    private long tupleAddress;
    private long leafVersion;
    private long slotVersion;

    Access(Transaction txn, int index) {
        this.txn = txn;
        this.index = index;
    }

    void reset(Table newTable, Intent newIntent, long newKeyHash, long newIdentityOffset) {
        table = newTable;
        layout = newTable.layout().tuple();
        intent = newIntent;
        keyHash = newKeyHash;
        Placement placement = txn.catalog().placement();
        partition = placement.partition(newKeyHash);
        node = placement.primary(partition);
        identityOffset = newIdentityOffset;
        imageOffset = txn.buffer().allocate(layout.tupleBytes());
        fetched = false;
        exists = false;
        modified = false;
        removable = false;
        indexed = false;
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
    }

    /** Whether committing changes the record: it was fetched, and was modified, is inserted, is deleted, or is written blindly. */
    public boolean isWrite() {
        return switch (intent) {
            case READ -> false;
            case UPDATE -> modified;
            case INSERT -> fetched && !exists;
            case DELETE -> exists && (!removable || modified);
            case WRITE -> exists;
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

    /** Marks an insert or delete for the ordered index. Returns whether it was marked before. */
    boolean markIndexed() {
        boolean before = indexed;
        indexed = true;
        return before;
    }

    /**
     * Makes a delete that has just been declared one that takes what a delete needs, but removes nothing: it is good for
     * reading and, once fetched, for {@link #keep} and {@link #remove}.
     */
    void removeLater() {
        assert intent == Intent.DELETE && !fetched : describe();
        removable = true;
        modified = false;
    }

    /** What it was declared for, whatever has become of it: a protocol locks or validates it as such. */
    public Intent declaredIntent() {
        return removable ? Intent.DELETE : intent;
    }

    /** Whether {@link #remove} is possible, or has taken place. */
    boolean isRemovable() {
        return removable;
    }

    /** Turns a delete of {@link #removeLater} into an update. The protocol has it locked or validated as a delete, which is more. */
    void keep() {
        assert removable && fetched && intent == Intent.DELETE : describe();
        intent = Intent.UPDATE;
    }

    /** Turns an update of {@link #keep} into a delete after all. */
    void remove() {
        assert removable && fetched && intent == Intent.UPDATE : describe();
        intent = Intent.DELETE;
        modified = true;
    }

    /** Turns a read into an update or delete; only while it has not been fetched. Who writes blindly does nothing else with the key. */
    void upgrade(Intent wanted) {
        if (intent == wanted || (wanted == Intent.READ && intent == Intent.UPDATE)) {
            return;
        }
        if (fetched || intent != Intent.READ || wanted == Intent.INSERT || wanted == Intent.WRITE) {
            throw new IllegalStateException(
                    describe() + " is declared for " + intent + " already, cannot be for " + wanted);
        }
        intent = wanted;
    }

    private long recordOffset() {
        return imageOffset + layout.recordOffset();
    }

    private Memory memory() {
        return txn.buffer().memory();
    }

    private void checkReadable(int offset, int bytes) {
        if (!fetched || (!exists && !isWrite())) {
            throw new IllegalStateException(describe() + (fetched ? " does not exist" : " has not been fetched yet"));
        }
        checkBounds(offset, bytes);
    }

    private void checkWritable(int offset, int bytes) {
        boolean writable = intent == Intent.INSERT ? !exists : exists && (intent == Intent.UPDATE || isBlind());
        if (!fetched || !writable) {
            throw new IllegalStateException(describe() + " cannot be written: declared for " + intent
                    + (fetched ? exists ? ", exists" : ", does not exist" : ", has not been fetched yet"));
        }
        checkBounds(offset, bytes);
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
