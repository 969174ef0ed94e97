package dev.rcc.core.store;

import dev.rcc.core.cluster.Placement;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.RemoteAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** A table, the same on every node: its schema, the layout of its partitions and the regions that hold them. */
public final class Table {
    private final TableSchema schema;
    private final TableLayout layout;
    private final int firstRegion;
    private final int partitions;
    private final Table indexNodes;
    private final IndexNodeLayout indexNodeLayout;
    private final boolean system;
    private final Table base;
    private final SecondaryLayout secondaryLayout;
    private final boolean leadsWithLongKey;
    private final List<Table> indexes = new ArrayList<>();
    private final List<Table> indexesForAll = Collections.unmodifiableList(indexes);
    private int indexedFrom;
    private int indexedTo;

    Table(
            TableSchema schema,
            TableLayout layout,
            int firstRegion,
            int partitions,
            Table indexNodes,
            IndexNodeLayout indexNodeLayout,
            boolean system,
            Table base) {
        this.schema = schema;
        this.layout = layout;
        this.firstRegion = firstRegion;
        this.partitions = partitions;
        this.indexNodes = indexNodes;
        this.indexNodeLayout = indexNodeLayout;
        this.system = system;
        this.base = base;
        this.secondaryLayout = base == null ? null : new SecondaryLayout(schema, base.schema);
        this.leadsWithLongKey = base != null && leadsWithLongKey();
        if (base != null) {
            base.addIndex(this);
        }
    }

    private boolean leadsWithLongKey() {
        IndexSchema.Part first = schema.index().parts().getFirst();
        return base.schema.keyKind() == KeyKind.LONG
                && first.kind() == IndexSchema.Kind.KEY
                && first.offset() == 0
                && schema.distribution().prefixBytes() <= first.bytes();
    }

    /** Adds an index while the catalog is being laid out. */
    private void addIndex(Table index) {
        indexes.add(index);
        for (IndexSchema.Part part : index.schema.index().parts()) {
            if (part.isOfRecord()) {
                int end = part.offset() + part.bytes();
                indexedFrom = indexedTo == 0 ? part.offset() : Math.min(indexedFrom, part.offset());
                indexedTo = Math.max(indexedTo, end);
            }
        }
    }

    /** The table's number. */
    public int id() {
        return schema.id();
    }

    /** The table's schema. */
    public TableSchema schema() {
        return schema;
    }

    /**
     * Checks that a 64-bit key can be one of the table's.
     *
     * @throws IllegalArgumentException when the table has byte-string keys
     */
    public void checkKey(long key) {
        if (schema.keyKind() != KeyKind.LONG) {
            throw new IllegalArgumentException("table " + this + " has byte-string keys, got the number " + key);
        }
    }

    /**
     * Checks that a byte string can be one of the table's keys.
     *
     * @throws IllegalArgumentException when it is empty or too long, or the table has 64-bit keys
     */
    public void checkKey(byte[] key) {
        if (schema.keyKind() != KeyKind.BYTES || key.length < 1 || key.length > schema.keyBytes()) {
            throw new IllegalArgumentException("table " + this + " has "
                    + (schema.keyKind() == KeyKind.BYTES
                            ? "keys of 1 to " + schema.keyBytes() + " bytes"
                            : "64-bit keys")
                    + ", got " + key.length + " bytes");
        }
    }

    /** Whether the table has an ordered index. */
    public boolean isOrdered() {
        return indexNodes != null;
    }

    /** The system table whose records are the nodes of this table's ordered index, or null. */
    public Table indexNodes() {
        return indexNodes;
    }

    /** The layout of the nodes of the ordered index that this table has, or whose nodes it holds, or null. */
    public IndexNodeLayout indexNodeLayout() {
        return indexNodeLayout;
    }

    /** Whether the first bytes of a key decide its partition. */
    public boolean isByPrefix() {
        return schema.distribution().isByPrefix();
    }

    /** Whether this table holds the nodes of an ordered index, and is no user's table. */
    public boolean isSystem() {
        return system;
    }

    /** The secondary indexes of this table. */
    public List<Table> indexes() {
        return indexesForAll;
    }

    /** Whether the table has secondary indexes. */
    public boolean isIndexed() {
        return !indexes.isEmpty();
    }

    /** Offset of the first byte of a record that any index uses. */
    public int indexedFrom() {
        return indexedFrom;
    }

    /** The number of bytes from {@link #indexedFrom} to the last byte that any index uses; 0 if the indexes use the keys alone. */
    public int indexedBytes() {
        return indexedTo - indexedFrom;
    }

    /** Whether the table is a secondary index. */
    public boolean isIndex() {
        return base != null;
    }

    /** The table that this index belongs to, or null. */
    public Table base() {
        return base;
    }

    /** The layout of the entries of this index, or null. */
    public SecondaryLayout secondaryLayout() {
        return secondaryLayout;
    }

    /** Why a transaction cannot write an index, for people. */
    public String refusalToWrite() {
        return "table " + this + " is an index of table " + base + ": write table " + base + " instead";
    }

    /** Whether each record is in every partition: several tuples for the protocols, one record for transactions. */
    public boolean isReplicated() {
        return schema.distribution().isReplicated();
    }

    /** The layout of each partition. */
    public TableLayout layout() {
        return layout;
    }

    /** Whether the hash of a 64-bit key determines the key. */
    public boolean hasReversibleHashes() {
        return schema.keyKind() == KeyKind.LONG && schema.distribution().rule() == Distribution.Rule.KEY;
    }

    /** The hash of a 64-bit key, which determines its partition and its buckets there. Not for a replicated table. */
    public long keyHash(long key) {
        return isByPrefix() ? keyHash(schema.distribution().partition(key, partitions), key) : KeyHash.of(key);
    }

    /** The hash of a byte-string key that lies zero-padded in memory, as {@link #keyHash(long)}. */
    public long keyHash(Memory memory, long offset, int keyBytes) {
        return isByPrefix()
                ? keyHash(partitionByPrefix(memory, offset, keyBytes), memory, offset, keyBytes)
                : KeyHash.of(memory, offset, keyBytes);
    }

    /** An entry whose key begins with a 64-bit key of its base lies in the partition of the record with that key. */
    private int partitionByPrefix(Memory memory, long offset, int keyBytes) {
        return leadsWithLongKey
                ? schema.distribution()
                        .partition(Long.reverseBytes(memory.getLong(offset)) ^ Long.MIN_VALUE, partitions)
                : schema.distribution().partition(memory, offset, keyBytes, partitions);
    }

    /** The hash of the key of an identity, as {@link #keyHash(long)}. */
    public long keyHashOfIdentity(Memory memory, long identity) {
        long key = identity + Memory.WORD_BYTES;
        return schema.keyKind() == KeyKind.LONG
                ? keyHash(memory.getLong(key))
                : keyHash(memory, key, TupleLayout.keyLength(memory.getLong(identity)));
    }

    /** The hash of a 64-bit key in the key's partition or, for a replicated table, in any partition. */
    public long keyHash(int partition, long key) {
        return within(partition, KeyHash.of(key));
    }

    /** The hash of a byte-string key in the key's partition or, for a replicated table, in any partition. */
    public long keyHash(int partition, Memory memory, long offset, int keyBytes) {
        return within(partition, KeyHash.of(memory, offset, keyBytes));
    }

    /** The hash of the key of a live tuple's identity in a partition, as {@link #keyHash(int, long)}. */
    public long keyHashOfIdentity(int partition, Memory memory, long identity) {
        long key = identity + Memory.WORD_BYTES;
        return schema.keyKind() == KeyKind.LONG
                ? keyHash(partition, memory.getLong(key))
                : keyHash(partition, memory, key, TupleLayout.keyLength(memory.getLong(identity)));
    }

    /** The partition of the key with this hash. */
    public int partition(long keyHash) {
        return Placement.partition(keyHash, partitions);
    }

    /**
     * For a table of index nodes: an id that lies in a partition, made of a number that may lie in any. Two numbers get the same id with a
     * probability of about 2^-64 times the number of partitions.
     */
    public long idWithin(int partition, long number) {
        return KeyHash.inverseOf(KeyHash.within(KeyHash.of(number), partition, partitions));
    }

    private long within(int partition, long keyHash) {
        return schema.distribution().rule() == Distribution.Rule.KEY
                ? keyHash
                : KeyHash.within(keyHash, partition, partitions);
    }

    /** The id of the region that holds a partition, on each node with a copy. */
    public int region(int partition) {
        return firstRegion + partition;
    }

    /** The partition whose region has this id. */
    public int partitionOfRegion(int region) {
        return region - firstRegion;
    }

    /** The address of a byte of a partition's copy on {@code node}. */
    public long address(int node, int partition, long offset) {
        return RemoteAddress.of(node, region(partition), offset);
    }

    @Override
    public String toString() {
        return schema.name();
    }
}
