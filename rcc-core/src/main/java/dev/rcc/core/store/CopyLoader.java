package dev.rcc.core.store;

import dev.rcc.core.memory.Memory;
import java.util.List;

/**
 * Loads tuples into all copies of their partitions, in the same slots, before the workers start: into one copy, and from there into the other copies.
 */
public final class CopyLoader {
    private final Catalog catalog;
    private final List<Memstore> memstores;
    private final long version;

    /**
     * Creates a loader for the copies that the memstores hold.
     *
     * @param version the version that the records get
     */
    public CopyLoader(Catalog catalog, List<Memstore> memstores, long version) {
        this.catalog = catalog;
        this.memstores = List.copyOf(memstores);
        this.version = version;
    }

    /**
     * Loads a tuple whose identity and record lie at the start of these memories, as {@link TablePartition#load}.
     *
     * @throws TableFull when there is no room
     * @throws IllegalArgumentException when the key is there already
     */
    public void load(Table table, int partition, long keyHash, Memory identity, Memory record) {
        TablePartition first = null;
        long entry = 0;
        for (Memstore memstore : memstores) {
            if (catalog.placement().holds(memstore.node(), partition)) {
                TablePartition copy = memstore.partition(table.id(), partition);
                if (first == null) {
                    first = copy;
                    entry = copy.load(keyHash, identity, 0, version, record, 0);
                } else {
                    copy.loadCopy(first, entry, keyHash);
                }
            }
        }
    }
}
