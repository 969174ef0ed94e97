package dev.rcc.core.store;

/** A partition has no free entry for a new key. */
public final class TableFull extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Names the table and its limits. */
    public TableFull(TableSchema schema, int partition) {
        super("table " + schema.name() + ", partition " + partition
                + ": no room for a new key; the partition is sized for " + schema.capacity()
                + " tuples and may grow by " + schema.growth()
                + " times as many: give the table a larger capacity or growth");
    }
}
