package dev.rcc.core.store;

import dev.rcc.core.cluster.Placement;
import dev.rcc.core.memory.RemoteAddress;
import java.util.List;

/**
 * The schemas, layouts under the running protocol, region ids and placement of all tables, the same on every node. Shared by all threads. All of it
 * is fixed except the placement, which changes when nodes are lost or rejoin, while no transaction runs.
 */
public final class Catalog {
    /** Region of the coroutines' buffers, on every node. */
    public static final int BUFFERS_REGION = 0;
    /** Region of the logs, on every node. */
    public static final int LOG_REGION = 1;

    private static final int FIRST_TABLE_REGION = 16;

    private final Placement home;
    private volatile Placement placement;
    private final int metadataBytes;
    private final int historySlots;
    private final boolean checksums;
    private final Table[] tables;
    private final int userTables;

    /** Lays out tables without history; see {@link #Catalog(Placement, int, int, boolean, List)}. */
    public Catalog(Placement placement, int metadataBytes, List<TableSchema> schemas) {
        this(placement, metadataBytes, 0, false, schemas);
    }

    /**
     * Lays out tables.
     *
     * @param metadataBytes the protocol's metadata per tuple, a multiple of 8
     * @param historySlots older records that each tuple has room for
     * @param checksums whether each tuple has a checksum
     * @param schemas the tables, numbered from 0 in order; the system tables of ordered indexes follow them
     * @throws IllegalArgumentException when the numbers are not dense, an index has no base table before it, or there are too many tables, or
     *     too many partitions to address
     */
    public Catalog(
            Placement placement, int metadataBytes, int historySlots, boolean checksums, List<TableSchema> schemas) {
        this.home = placement;
        this.placement = placement;
        this.metadataBytes = metadataBytes;
        this.historySlots = historySlots;
        this.checksums = checksums;
        this.userTables = schemas.size();
        this.tables = new Table
                [userTables
                        + (int) schemas.stream().filter(TableSchema::isOrdered).count()];
        if (tables.length > TableSchema.MAX_TABLES) {
            throw new IllegalArgumentException("there are at most " + TableSchema.MAX_TABLES
                    + " tables, where an ordered table and an index count twice, got " + tables.length);
        }
        if (tables.length > maxTables(placement.partitions())) {
            throw new IllegalArgumentException(
                    tables.length + " tables of " + placement.partitions() + " partitions need more regions than the "
                            + RemoteAddress.MAX_REGION + " that a node can address");
        }
        int systemTables = userTables;
        for (int id = 0; id < userTables; id++) {
            TableSchema schema = schemas.get(id);
            if (schema.id() != id) {
                throw new IllegalArgumentException(
                        "table " + schema.name() + " must have the number " + id + ", got " + schema.id());
            }
            Table base = schema.isIndex() ? base(schema, schemas) : null;
            Table indexNodes = null;
            IndexNodeLayout nodeLayout = null;
            if (schema.isOrdered()) {
                nodeLayout = new IndexNodeLayout(schema);
                indexNodes = table(nodeLayout.nodesOf(systemTables, schema), null, nodeLayout, true, null);
                tables[systemTables++] = indexNodes;
            }
            tables[id] = table(schema, indexNodes, nodeLayout, false, base);
        }
    }

    /**
     * The most tables of a cluster, where an ordered table and an index count twice.
     *
     * @param partitions number of partitions of each table
     */
    public static int maxTables(int partitions) {
        return Math.min(TableSchema.MAX_TABLES, (RemoteAddress.MAX_REGION - FIRST_TABLE_REGION + 1) / partitions);
    }

    private Catalog(Catalog other) {
        this.home = other.home;
        this.placement = other.home;
        this.metadataBytes = other.metadataBytes;
        this.historySlots = other.historySlots;
        this.checksums = other.checksums;
        this.userTables = other.userTables;
        this.tables = other.tables;
    }

    /** The same tables, with a placement that changes on its own; at first, no node is missing there. */
    public Catalog withOwnPlacement() {
        return new Catalog(this);
    }

    private Table base(TableSchema index, List<TableSchema> schemas) {
        int base = index.index().base();
        if (base < 0 || base >= index.id()) {
            throw new IllegalArgumentException("index " + index.name()
                    + " must be of a table with a smaller number than its own, " + index.id() + ", got " + base);
        }
        index.index().check(index.name(), schemas.get(base));
        if (index.keyBytes() != index.index().keyBytes(schemas.get(base))
                || index.recordBytes() != IndexSchema.recordBytes(schemas.get(base))) {
            throw new IllegalArgumentException("index " + index.name() + " was made of another table than "
                    + schemas.get(base).name() + ", whose keys have other sizes");
        }
        return tables[base];
    }

    private Table table(TableSchema schema, Table indexNodes, IndexNodeLayout nodeLayout, boolean system, Table base) {
        int firstRegion = FIRST_TABLE_REGION + schema.id() * placement.partitions();
        return new Table(
                schema,
                new TableLayout(metadataBytes, historySlots, checksums, schema),
                firstRegion,
                placement.partitions(),
                indexNodes,
                nodeLayout,
                system,
                base);
    }

    /** Where partitions live. */
    public Placement placement() {
        return placement;
    }

    /** Where partitions live while no node is missing: memory was laid out for this placement. */
    public Placement home() {
        return home;
    }

    /** Changes where partitions live. Only while no transaction runs on the node. */
    public void place(Placement newPlacement) {
        placement = newPlacement;
    }

    /**
     * Bytes of all copies that a node holds while no node is missing.
     *
     * @param withSegments whether overflow segments count, all of them
     */
    public long copyBytes(int node, boolean withSegments) {
        long bytes = 0;
        for (Table table : tables) {
            TableLayout layout = table.layout();
            long each = layout.regionBytes(withSegments ? layout.segments() : 0);
            for (int partition = 0; partition < home.partitions(); partition++) {
                bytes += home.holds(node, partition) ? each : 0;
            }
        }
        return bytes;
    }

    /** The protocol's metadata per tuple, in bytes. */
    public int metadataBytes() {
        return metadataBytes;
    }

    /** Number of tables that users have defined; they are numbered first. */
    public int userTables() {
        return userTables;
    }

    /** Number of tables, with the system tables. */
    public int tables() {
        return tables.length;
    }

    /** The table with this number. */
    public Table table(int id) {
        return tables[id];
    }

    /** The table whose partitions include this region, which must be a table's. */
    public Table tableOfRegion(int region) {
        return tables[(region - FIRST_TABLE_REGION) / placement.partitions()];
    }

    /**
     * The table with this name.
     *
     * @throws IllegalArgumentException when there is none
     */
    public Table table(String name) {
        for (Table table : tables) {
            if (table.schema().name().equals(name)) {
                return table;
            }
        }
        throw new IllegalArgumentException("no table " + name + "; there are " + List.of(tables));
    }
}
