package dev.rcc.core.store;

import dev.rcc.core.fabric.Fabric;
import dev.rcc.core.memory.Region;

/** The copies of partitions, primary and backup, that one node holds, each in a registered region of its own. */
public final class Memstore {
    private final Catalog catalog;
    private final int node;
    private final TablePartition[][] partitions;

    /** Registers a region for each copy that the catalog's home placement gives to the fabric's node. */
    public Memstore(Catalog catalog, Fabric fabric) {
        this(catalog, fabric.node(), fabric::register);
    }

    /** Allocates the memory of a region, as {@link Fabric#register} does. */
    @FunctionalInterface
    public interface Registry {
        /** Allocates {@code bytes} zeroed bytes with this region id. */
        Region register(int regionId, long bytes);
    }

    /** As {@link #Memstore(Catalog, Fabric)}, for copies of a node's memory that no peer can reach. */
    public Memstore(Catalog catalog, int node, Registry registry) {
        this.catalog = catalog;
        this.node = node;
        this.partitions = new TablePartition[catalog.tables()][catalog.home().partitions()];
        for (int id = 0; id < catalog.tables(); id++) {
            Table table = catalog.table(id);
            for (int partition = 0; partition < catalog.home().partitions(); partition++) {
                if (catalog.home().holds(node, partition)) {
                    long bytes = table.layout().regionBytes();
                    partitions[id][partition] =
                            new TablePartition(table, partition, registry.register(table.region(partition), bytes));
                }
            }
        }
    }

    /** The catalog that this memstore was laid out by. */
    public Catalog catalog() {
        return catalog;
    }

    /** The node. */
    public int node() {
        return node;
    }

    /**
     * The node's copy of a partition.
     *
     * @throws IllegalArgumentException when the node holds none
     */
    public TablePartition partition(int table, int partition) {
        TablePartition copy = partitions[table][partition];
        if (copy == null) {
            throw new IllegalArgumentException(
                    "node " + node + " holds no copy of table " + catalog.table(table) + ", partition " + partition);
        }
        return copy;
    }

    /** Bytes of all copies that the node holds. */
    public long bytes() {
        long bytes = 0;
        for (TablePartition[] table : partitions) {
            for (TablePartition copy : table) {
                bytes += copy == null ? 0 : copy.memory().size();
            }
        }
        return bytes;
    }

    /** The copy that lies in the region with this id, which must belong to a copy that the node holds. */
    public TablePartition partitionOfRegion(int region) {
        Table table = catalog.tableOfRegion(region);
        return partition(table.id(), table.partitionOfRegion(region));
    }
}
