package dev.rcc.server.durability;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.cluster.Placement;
import dev.rcc.core.cluster.RingPlacement;
import dev.rcc.core.log.LogEntry;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.Region;
import dev.rcc.core.replication.NodeReplication;
import dev.rcc.core.replication.ReplicationDisk;
import dev.rcc.core.store.Catalog;
import dev.rcc.core.store.Memstore;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.testing.FakeFabric;
import dev.rcc.protocols.rings.RingReplication;
import dev.rcc.server.durability.RecoveredNode.Logged;
import java.lang.foreign.Arena;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A transaction in the logs of several groups. Node 2 of three, each of which has a copy of everything. */
class GroupLogsTest {
    private static final int NODE = 2;
    private static final int PEER = 0;
    private static final int NODES = 3;
    private static final int LOGS = NODES;
    private static final long TXN = 1L << 16;
    private static final Placement PLACEMENT = new RingPlacement(NODES, NODES);
    private static final DataConfiguration CONFIGURATION = new DataConfiguration(0, PLACEMENT);
    private static final WalIdentity IDENTITY = new WalIdentity(NODE, 1, 1);
    /** The logs of the partitions 0, 1 and 2 in which coordinators of one worker log. */
    private static final int[] LOG = {0, LOGS, 2 * LOGS};

    @TempDir
    private Path directory;

    private final Memstore memstore = new Memstore(
            new Catalog(PLACEMENT, 8, List.of(TableSchema.ofLongKeys(0, "t", 8, 10))),
            NODE,
            (id, bytes) -> new Region(NODE, id, Memory.allocate(Arena.ofAuto(), bytes)));

    /** What the node finds when the groups of all partitions have logged a transaction that deletes a key of each. */
    private RecoveredNode read() throws Exception {
        try (NodeDurability durability = new NodeDurability(
                DurabilityOptions.in(directory),
                IDENTITY,
                new RingReplication(1 << 12, true).attach(new FakeFabric(NODE), memstore, 1, 1),
                memstore)) {
            durability.begin(durability.read(CONFIGURATION), 1, CONFIGURATION);
            durability.agree(CONFIGURATION);
        }
        return RecoveredNode.read(
                Disk.REAL, directory.resolve("node-" + NODE), IDENTITY, memstore, CONFIGURATION, groups());
    }

    private NodeReplication groups() {
        ReplicationDisk disk = (ReplicationDisk) Proxy.newProxyInstance(
                ReplicationDisk.class.getClassLoader(), new Class<?>[] {ReplicationDisk.class}, (_, method, args) -> {
                    if (!method.getName().equals("recover")) {
                        throw new UnsupportedOperationException(method.toString());
                    }
                    for (int log : LOG) {
                        ((ReplicationDisk.Recovered) args[1]).logged(log, entry(), true);
                    }
                    return null;
                });
        return (NodeReplication) Proxy.newProxyInstance(
                NodeReplication.class.getClassLoader(),
                new Class<?>[] {NodeReplication.class},
                (_, method, args) -> switch (method.getName()) {
                    case "disk" -> Optional.of(disk);
                    case "logs" -> LOGS;
                    default -> throw new UnsupportedOperationException(method.toString());
                });
    }

    private byte[] entry() {
        int change = 32 + memstore.catalog().table(0).layout().tuple().identityBytes();
        Memory entry = Memory.allocate(Arena.ofAuto(), 48 + NODES * (long) change);
        entry.putLong(16, TXN);
        entry.putLong(32, NODES); // the number of changes
        for (int partition = 0; partition < NODES; partition++) {
            entry.putLong(48 + partition * (long) change, (long) partition << 32 | LogEntry.DELETE);
        }
        byte[] bytes = new byte[(int) entry.size()];
        entry.getBytes(0, bytes, 0, bytes.length);
        return bytes;
    }

    // Goal: a peer that has replayed a transaction from one group's log, and lacks it in another one's, is given it. Of
    // the
    // logs of the groups that the peer backs up it is asked whether it has replayed it.
    @Test
    void shouldNameEachLogThatAPeerHasToo() throws Exception {
        try (RecoveredNode node = read()) {
            assertThat(node.loggedFor(PEER))
                    .containsExactly(new Logged(LOG[1], TXN, true), new Logged(LOG[2], TXN, true));
        }
    }

    @Test
    void shouldMissATransactionOnceThatPeersNameForSeveralLogs() throws Exception {
        Logged known = new Logged(LOG[1], TXN, true);
        List<Logged> there = List.of(known, new Logged(LOG[0], TXN + 1, true), new Logged(LOG[1], TXN + 1, true));
        try (RecoveredNode node = read()) {
            assertThat(node.missing(there, Set.of())).containsExactly(there.get(1));
        }
    }
}
