package dev.rcc.core.store;

import dev.rcc.core.memory.RemoteAddress;

/** A table as every node knows it: its schema, the layout of its partitions and the regions that hold them. */
public final class Table {
    private final TableSchema schema;
    private final TableLayout layout;
    private final int firstRegion;
    private final Table indexNodes;
    private final IndexNodeLayout indexNodeLayout;
    private final boolean system;

    Table(
            TableSchema schema,
            TableLayout layout,
            int firstRegion,
            Table indexNodes,
            IndexNodeLayout indexNodeLayout,
            boolean system) {
        this.schema = schema;
        this.layout = layout;
        this.firstRegion = firstRegion;
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

    /** The layout of each partition. */
    public TableLayout layout() {
        return layout;
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
