package dev.rcc.core.store;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.RemoteAddress;

/** A table as every node knows it: its schema, the layout of its partitions and the regions that hold them. */
public final class Table {
    private final TableSchema schema;
    private final TableLayout layout;
    private final int firstRegion;
    private final int partitions;
    private final Table indexNodes;
    private final IndexNodeLayout indexNodeLayout;
    private final boolean system;

    Table(
            TableSchema schema,
            TableLayout layout,
            int firstRegion,
            int partitions,
            Table indexNodes,
            IndexNodeLayout indexNodeLayout,
            boolean system) {
        this.schema = schema;
        this.layout = layout;
        this.firstRegion = firstRegion;
        this.partitions = partitions;
        this.indexNodes = indexNodes;
        this.indexNodeLayout = indexNodeLayout;
        this.system = system;
    }

    /** The table's number. */
    public int id() {
        return schema.id();
    }

    /** The table's schema. */
    public TableSchema schema() {
        return schema;
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

    /** Whether this table holds the nodes of an ordered index, and is none of the users'. */
    public boolean isSystem() {
        return system;
    }

    /** Whether each record is in every partition: as many tuples for the protocols, one record for transactions. */
    public boolean isReplicated() {
        return schema.distribution().isReplicated();
    }

    /** The layout of each partition. */
    public TableLayout layout() {
        return layout;
    }

    /** Whether the hash of a 64-bit key says which key it is. */
    public boolean hasReversibleHashes() {
        return schema.keyKind() == KeyKind.LONG && schema.distribution().rule() == Distribution.Rule.KEY;
    }

    /** The hash of a 64-bit key, which says its partition and its buckets there. Not of a replicated table. */
    public long keyHash(long key) {
        return schema.distribution().isByPrefix()
                ? keyHash(schema.distribution().partition(key, partitions), key)
                : KeyHash.of(key);
    }

    /** The hash of a byte-string key that lies zero-padded in memory, as {@link #keyHash(long)}. */
    public long keyHash(Memory memory, long offset, int keyBytes) {
        return schema.distribution().isByPrefix()
                ? keyHash(
                        schema.distribution().partition(memory, offset, keyBytes, partitions), memory, offset, keyBytes)
                : KeyHash.of(memory, offset, keyBytes);
    }

    /** The hash of a 64-bit key in a partition that is or, of a replicated table, may be its own. */
    public long keyHash(int partition, long key) {
        return within(partition, KeyHash.of(key));
    }

    /** The hash of a byte-string key in a partition that is or, of a replicated table, may be its own. */
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

    private long within(int partition, long keyHash) {
        return schema.distribution().rule() == Distribution.Rule.KEY
                ? keyHash
                : KeyHash.within(keyHash, partition, partitions);
    }

    /** The id of the region that holds a partition, on whichever node holds a copy. */
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
