package dev.rcc.server.durability;

import dev.rcc.core.cluster.Placement;
import dev.rcc.core.cluster.RingPlacement;
import dev.rcc.core.log.LogEntry;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.Region;
import dev.rcc.core.store.Catalog;
import dev.rcc.core.store.Memstore;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.testing.FakeFabric;
import dev.rcc.protocols.rings.RingReplication;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The disk of node 2 of three, with logged transactions whose outcome it does not show. Each of them deletes a key that peer 0 backs up, too. */
public final class LoggedDisk {
    /** The peer. */
    public static final int PEER = 0;

    private static final int NODE = 2;
    private static final int NODES = 3;
    private static final int ENTRY_BYTES = 128;
    private static final int RING_BYTES_MIN = 1 << 12;
    private static final Placement PLACEMENT = new RingPlacement(NODES, NODES);
    private static final DataConfiguration CONFIGURATION = new DataConfiguration(0, PLACEMENT);

    private final Path directory;
    private final int entryBytes;

    /** Has logged a number of transactions. */
    public LoggedDisk(Path directory, int transactions) throws InterruptedException {
        this(directory, transactions, ENTRY_BYTES);
    }

    /** Has logged a number of transactions, each with an entry of so many bytes, a power of two. */
    public LoggedDisk(Path directory, int transactions, int entryBytes) throws InterruptedException {
        this.directory = directory;
        this.entryBytes = entryBytes;
        try (NodeDurability durability = durability()) {
            durability.begin(durability.read(CONFIGURATION), 1, CONFIGURATION);
            durability.agree(CONFIGURATION);
            Memory entry = Memory.allocate(Arena.ofAuto(), entryBytes);
            entry.putLong(32, 1); // the number of changes
            entry.putLong(48, (long) NODE << 32 | LogEntry.DELETE);
            for (int i = 0; i < transactions; i++) {
                entry.putLong(16, (i + 1L) << 16);
                while (durability.entry(0, (long) i * entryBytes, entry, 0, entryBytes) < 0) {
                    TimeUnit.MILLISECONDS.sleep(1); // the batch is full
                }
            }
        }
    }

    /** What another incarnation of the node finds. */
    public RecoveredNode read() {
        try (NodeDurability durability = durability()) {
            return durability.read(CONFIGURATION);
        }
    }

    private NodeDurability durability() {
        Catalog catalog = new Catalog(PLACEMENT, 8, List.of(TableSchema.ofLongKeys(0, "t", 8, 10)));
        Memstore memstore = new Memstore(
                catalog, NODE, (id, bytes) -> new Region(NODE, id, Memory.allocate(Arena.ofAuto(), bytes)));
        return new NodeDurability(
                DurabilityOptions.in(directory),
                new WalIdentity(NODE, 1, 1),
                new RingReplication(Math.max(RING_BYTES_MIN, 2 * entryBytes), true)
                        .attach(new FakeFabric(NODE), memstore, 1, 1),
                memstore);
    }
}
