package dev.rcc.server.config;

import dev.rcc.core.cluster.Placement;
import dev.rcc.core.cluster.RingPlacement;
import dev.rcc.core.cluster.Zones;
import dev.rcc.core.protocol.HybridCode;
import dev.rcc.core.protocol.Primitive;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.core.store.Catalog;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.time.Timestamp;
import dev.rcc.core.txn.AttemptGate;
import dev.rcc.core.txn.FragmentType;
import dev.rcc.core.txn.HistoryRecorder;
import dev.rcc.core.txn.RetryPolicy;
import dev.rcc.server.durability.DurabilityOptions;
import dev.rcc.server.raft.RaftOptions;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;

/**
 * The configuration of a cluster. Immutable; made by {@link #of} and the {@code with...} methods, each of which returns a changed copy.
 *
 * @param protocol the concurrency control
 * @param code the primitive of each of its stages
 * @param shape its nodes, with the workers and coroutines of each
 * @param tables the tables, numbered from 0
 * @param retries when an aborted transaction is tried again
 * @param seed the seed of all random choices of the workers
 * @param memory the memory of each worker and coroutine
 * @param waits how long missing nodes are waited for
 * @param durability where the data survives the cluster's processes; null if it is in memory only
 * @param history records commits, or null
 * @param locks the locks that clients may ask for
 * @param fragments the procedures that all nodes have by name
 * @param raft where replication by Raft keeps its logs; null if replication is by log rings
 */
public record ClusterConfig(
        Protocol protocol,
        HybridCode code,
        Shape shape,
        List<TableSchema> tables,
        RetryPolicy retries,
        long seed,
        Memory memory,
        Waits waits,
        DurabilityOptions durability,
        HistoryRecorder history,
        LockSettings locks,
        List<FragmentType> fragments,
        RaftOptions raft) {

    /** Default size of each log ring, in bytes. */
    public static final int DEFAULT_LOG_RING_BYTES = 1 << 20;
    /** Default buffer of each coroutine, in bytes. */
    public static final int DEFAULT_BUFFER_BYTES = 64 * 1024;
    /** Default number of addresses that each worker remembers. */
    public static final int DEFAULT_ADDRESS_CACHE_ENTRIES = 1 << 20;

    /** Checks the conditions that depend on more than one component. */
    public ClusterConfig {
        Objects.requireNonNull(protocol, "protocol");
        Objects.requireNonNull(code, "code");
        Objects.requireNonNull(shape, "shape");
        Objects.requireNonNull(retries, "retries");
        Objects.requireNonNull(memory, "memory");
        Objects.requireNonNull(waits, "waits");
        Objects.requireNonNull(locks, "locks");
        tables = List.copyOf(tables);
        fragments = List.copyOf(fragments);
        int replicas = shape.home.replicas();
        if (raft != null && replicas < RaftOptions.MIN_REPLICAS) {
            throw new IllegalArgumentException("replication by Raft needs replicas of at least "
                    + RaftOptions.MIN_REPLICAS + ": a majority of fewer is all of them, got " + replicas);
        }
        if (raft != null && memory.bufferBytes() < RaftOptions.MIN_BUFFER_BYTES) {
            throw new IllegalArgumentException("replication by Raft needs buffers of at least "
                    + RaftOptions.MIN_BUFFER_BYTES + " bytes, got " + memory.bufferBytes());
        }
        if (raft != null && raft.durable() != (durability != null)) {
            throw new IllegalArgumentException("the logs of replication by Raft are " + (raft.durable() ? "" : "not ")
                    + "durable, but the data is" + (raft.durable() ? " not" : ""));
        }
        if (raft != null && raft.durable() && waits.recoveryNanos == 0) {
            throw new IllegalArgumentException(
                    "data that is replicated by Raft, and is to survive, needs a recovery time above 0");
        }
        if (durability != null && replicas < 2) {
            throw new IllegalArgumentException(
                    "data that is to survive needs replicas of at least 2: backups keep what they log, got "
                            + replicas);
        }
        if (durability != null && waits.recoveryNanos > 0 && !canReplaceOnDisk(replicas)) {
            throw new IllegalArgumentException(
                    "a cluster whose data is to survive replaces dead nodes with replicas of at"
                            + " least 3, so that a backup is left, got "
                            + replicas);
        }
    }

    /**
     * A cluster's nodes, with the workers and coroutines of each.
     *
     * @param home where the partitions live while no node is missing; with it, the number of nodes and of replicas
     * @param workers worker threads of each node, at least 1
     * @param coroutines coroutines of each worker, at least 1; a node has at most 1,024, counting one more per worker
     */
    public record Shape(Placement home, int workers, int coroutines) {
        /** Checks the numbers. */
        public Shape {
            Objects.requireNonNull(home, "home");
            int coroutinesPerNode = Timestamp.MAX_COROUTINE + 1;
            if (workers < 1 || coroutines < 1 || (long) workers * (coroutines + 1) > coroutinesPerNode) {
                throw new IllegalArgumentException(
                        "workers and coroutines must be at least 1, and workers * (coroutines + 1)"
                                + " at most " + coroutinesPerNode + ", got " + workers + " workers and " + coroutines
                                + " coroutines");
            }
        }
    }

    /**
     * The memory of each worker and coroutine of a node.
     *
     * @param logRingBytes size of each log ring, a power of two
     * @param bufferBytes buffer of each coroutine, a multiple of 64; bounds the size of a transaction
     * @param addressCacheEntries addresses that each worker remembers
     */
    public record Memory(int logRingBytes, int bufferBytes, int addressCacheEntries) {
        /** Checks the size of the buffers. */
        public Memory {
            if (bufferBytes < 4096 || bufferBytes % 64 != 0) {
                throw new IllegalArgumentException(
                        "a coroutine's buffer has at least 4096 bytes, a multiple of 64, got " + bufferBytes);
            }
        }
    }

    /**
     * How long missing nodes are waited for.
     *
     * @param recoveryNanos how long a transaction that meets a dead node waits for it to be replaced, in nanoseconds; 0: dead nodes
     *     are not replaced
     * @param patienceNanos how long a node that cannot be reached and would not be replaced is tried before it counts as dead, in
     *     nanoseconds
     */
    public record Waits(long recoveryNanos, long patienceNanos) {}

    /** Whether dead nodes can be replaced though the data is to survive the processes. */
    public static boolean canReplaceOnDisk(int replicas) {
        return replicas >= 3;
    }

    /** Three nodes of one worker with ten coroutines each, three replicas, all stages by one-sided verbs. */
    public static ClusterConfig of(Protocol protocol, List<TableSchema> tables) {
        return new ClusterConfig(
                protocol,
                HybridCode.uniform(protocol, Primitive.ONE_SIDED),
                new Shape(new RingPlacement(3, 3), 1, 10),
                tables,
                RetryPolicy.DEFAULT,
                42,
                new Memory(DEFAULT_LOG_RING_BYTES, DEFAULT_BUFFER_BYTES, DEFAULT_ADDRESS_CACHE_ENTRIES),
                new Waits(0, AttemptGate.PATIENCE_NANOS),
                null,
                null,
                LockSettings.NONE,
                List.of(),
                null);
    }

    /** With another hybrid code. */
    public ClusterConfig withCode(HybridCode newCode) {
        return with(draft -> draft.code = newCode);
    }

    /** Lays out the tables for the protocol. */
    public Catalog newCatalog() {
        return new Catalog(home(), protocol.metadataBytes(), protocol.historySlots(), protocol.hasChecksums(), tables);
    }

    /** Where the partitions live while no node is missing. */
    public Placement home() {
        return shape.home;
    }

    /** Where the nodes are. */
    public Zones zones() {
        return shape.home.zones();
    }

    /** Number of nodes, 1 to 256. */
    public int nodes() {
        return shape.home.nodes();
    }

    /** Copies of each partition, 1 to {@link #nodes}. */
    public int replicas() {
        return shape.home.replicas();
    }

    /** Worker threads of each node. */
    public int workers() {
        return shape.workers;
    }

    /** Coroutines of each worker. */
    public int coroutines() {
        return shape.coroutines;
    }

    /**
     * With another shape: nodes of one zone in a ring ({@link RingPlacement}), workers of each node, coroutines of each worker, and replicas of each
     * partition.
     */
    public ClusterConfig withShape(int newNodes, int newWorkers, int newCoroutines, int newReplicas) {
        return with(new Shape(new RingPlacement(newNodes, newReplicas), newWorkers, newCoroutines));
    }

    /** With partitions that live elsewhere while no node is missing; as many nodes and replicas as {@code newHome} has. */
    public ClusterConfig withHome(Placement newHome) {
        return with(new Shape(newHome, shape.workers, shape.coroutines));
    }

    /**
     * With nodes in zones ({@link RingPlacement}): as many nodes as {@code zones} has, and as many replicas as before.
     *
     * @throws IllegalArgumentException when the zones have no room for so many replicas
     */
    public ClusterConfig withZones(Zones zones) {
        return withHome(new RingPlacement(zones, replicas()));
    }

    /** With another retry policy. */
    public ClusterConfig withRetries(RetryPolicy newRetries) {
        return with(draft -> draft.retries = newRetries);
    }

    /** With another seed. */
    public ClusterConfig withSeed(long newSeed) {
        return with(draft -> draft.seed = newSeed);
    }

    /** With another memory budget. */
    public ClusterConfig withMemory(int newLogRingBytes, int newBufferBytes, int newAddressCacheEntries) {
        Memory newMemory = new Memory(newLogRingBytes, newBufferBytes, newAddressCacheEntries);
        return with(draft -> draft.memory = newMemory);
    }

    /** With a recorder of every commit. */
    public ClusterConfig withHistory(HistoryRecorder newHistory) {
        return with(draft -> draft.history = newHistory);
    }

    /** With dead nodes replaced: a transaction that meets a dead node waits for so long. */
    public ClusterConfig withRecovery(Duration newRecovery) {
        return with(new Waits(newRecovery.toNanos(), waits.patienceNanos));
    }

    /** With dead nodes not replaced, and a node that cannot be reached tried for so long before it counts as dead. */
    public ClusterConfig withPatience(Duration newPatience) {
        return with(new Waits(0, newPatience.toNanos()));
    }

    /** With data that survives the cluster's processes, or, given null, in memory only. */
    public ClusterConfig withDurability(DurabilityOptions newDurability) {
        return with(draft -> draft.durability = newDurability);
    }

    /** With these locks for clients. */
    public ClusterConfig withLocks(LockSettings newLocks) {
        return with(draft -> draft.locks = newLocks);
    }

    /** With these procedures on all nodes, by name. A protocol that can do so runs them on every node that holds records that they write. */
    public ClusterConfig withFragments(List<FragmentType> newFragments) {
        return with(draft -> draft.fragments = newFragments);
    }

    /** With replication by Raft or, given null, by log rings. */
    public ClusterConfig withRaft(RaftOptions newRaft) {
        return with(draft -> draft.raft = newRaft);
    }

    /** With the replication method of another cluster, and data in memory only. */
    public ClusterConfig replicatedAs(ClusterConfig other) {
        return withRaft(other.raft == null ? null : other.raft.inMemory());
    }

    private ClusterConfig with(Shape newShape) {
        return with(draft -> draft.shape = newShape);
    }

    private ClusterConfig with(Waits newWaits) {
        return with(draft -> draft.waits = newWaits);
    }

    private ClusterConfig with(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
        return draft.config();
    }

    /** The components of a changed copy that is being made. */
    private static final class Draft {
        private final Protocol protocol;
        private HybridCode code;
        private Shape shape;
        private final List<TableSchema> tables;
        private RetryPolicy retries;
        private long seed;
        private Memory memory;
        private Waits waits;
        private DurabilityOptions durability;
        private HistoryRecorder history;
        private LockSettings locks;
        private List<FragmentType> fragments;
        private RaftOptions raft;

        Draft(ClusterConfig config) {
            protocol = config.protocol;
            code = config.code;
            shape = config.shape;
            tables = config.tables;
            retries = config.retries;
            seed = config.seed;
            memory = config.memory;
            waits = config.waits;
            durability = config.durability;
            history = config.history;
            locks = config.locks;
            fragments = config.fragments;
            raft = config.raft;
        }

        ClusterConfig config() {
            return new ClusterConfig(
                    protocol,
                    code,
                    shape,
                    tables,
                    retries,
                    seed,
                    memory,
                    waits,
                    durability,
                    history,
                    locks,
                    fragments,
                    raft);
        }
    }

    /** A number that changes with every setting that determines the layout of a node's memory. It is stored with the data on disk, too. */
    public long dataFingerprint() {
        String layout = String.join(
                "|",
                protocol.name(),
                protocol.metadataBytes() + "/" + protocol.historySlots(),
                nodes() + "/" + workers() + "/" + replicas() + (isRing() ? "" : "/" + home().holders())
                        + (raft == null ? "" : "/raft"),
                tables.toString());
        CRC32C low = new CRC32C();
        low.update(layout.getBytes(StandardCharsets.UTF_8));
        CRC32 high = new CRC32();
        high.update(layout.getBytes(StandardCharsets.UTF_8));
        return high.getValue() << Integer.SIZE | low.getValue();
    }

    /** Whether the numbers of nodes and replicas alone determine where the partitions live. */
    private boolean isRing() {
        return home().holders().equals(new RingPlacement(nodes(), replicas()).holders());
    }
}
