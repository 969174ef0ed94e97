package dev.rcc.server.node;

import dev.rcc.core.fabric.Endpoint;
import dev.rcc.core.fabric.Fabric;
import dev.rcc.core.fabric.FabricCounter;
import dev.rcc.core.memory.Region;
import dev.rcc.core.protocol.NodeShape;
import dev.rcc.core.protocol.NodeState;
import dev.rcc.core.protocol.WorkerContext;
import dev.rcc.core.protocol.WorkerState;
import dev.rcc.core.replication.NodeReplication;
import dev.rcc.core.replication.WorkerReplication;
import dev.rcc.core.store.AddressCache;
import dev.rcc.core.store.Catalog;
import dev.rcc.core.store.Memstore;
import dev.rcc.core.time.Timestamp;
import dev.rcc.core.time.TimestampClock;
import dev.rcc.core.txn.AbortReasons;
import dev.rcc.core.txn.Admission;
import dev.rcc.core.txn.AttemptGate;
import dev.rcc.core.txn.BufferSlice;
import dev.rcc.core.txn.Coordinator;
import dev.rcc.core.txn.Fragments;
import dev.rcc.core.txn.HistoryRecorder;
import dev.rcc.core.txn.IndexHints;
import dev.rcc.core.txn.Lease;
import dev.rcc.core.txn.StageTimers;
import dev.rcc.core.txn.Transaction;
import dev.rcc.core.txn.TransactionMetrics;
import dev.rcc.core.txn.TransactionRunner;
import dev.rcc.core.worker.Coroutine;
import dev.rcc.core.worker.Worker;
import dev.rcc.server.config.ClusterConfig;
import dev.rcc.server.config.Replications;
import dev.rcc.server.durability.NodeDurability;
import dev.rcc.server.durability.WalIdentity;
import dev.rcc.server.locks.NodeLocks;
import dev.rcc.server.locks.WorkerLocks;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * One node: its registered regions, and its workers with the protocol's state on each. A {@link NodeGroup} makes it, starts it and stops
 * it. The methods may be called on any thread, unless they say otherwise.
 */
public final class Node {
    private final ClusterConfig config;
    private final Admission admission;
    /** Present if the node may lose its place; then it serves only once it is in a configuration. */
    private final Optional<Lease> lease;

    private final Fabric fabric;
    private final ClusterRuntime runtime;
    private final HistoryRecorder history;
    private final long clockZeroNanos;
    private final NodeShape shape;
    private final NodeState state;
    private final Memstore memstore;
    private final Region buffers;
    private final NodeReplication replication;
    /** The node's part in the lock service, if the cluster serves locks. */
    private final Optional<NodeLocks> locks;

    private final NodeWorker[] workers;
    /** Null if the data is in memory only. */
    private final NodeDurability durability;

    private volatile long readBound;

    Node(
            ClusterConfig config,
            Catalog catalog,
            Fabric fabric,
            ClusterRuntime runtime,
            long birthWallNanos,
            Admission admission,
            Optional<Lease> lease) {
        this.config = config;
        this.admission = admission;
        this.lease = lease;
        this.fabric = fabric;
        this.runtime = runtime;
        this.history = runtime.recorderOf(fabric.node(), config.history());
        // 1 ms back, so that the first timestamp has a clock of at least 1.
        this.clockZeroNanos = birthWallNanos - TimeUnit.MILLISECONDS.toNanos(1);
        this.memstore = new Memstore(catalog, fabric);
        this.shape = new NodeShape(
                config.nodes(),
                config.workers(),
                config.coroutines(),
                config.memory().bufferBytes());
        this.state = config.protocol().nodeState(id(), shape);
        long lockBuffers =
                BufferSlice.alignToLine(shape.sharedOffset() + config.protocol().sharedBytes(shape));
        this.buffers = fabric.register(
                Catalog.BUFFERS_REGION,
                lockBuffers + NodeLocks.bufferBytes(config.locks(), config.nodes(), config.workers()));
        this.locks = config.locks().isEmpty()
                ? Optional.empty()
                : Optional.of(new NodeLocks(config.locks(), config.nodes(), config.workers(), fabric));
        this.replication = Replications.of(config, () -> runtime.control(id()))
                .attach(fabric, memstore, config.workers(), config.coroutines());
        this.durability = config.durability() == null
                ? null
                : new NodeDurability(
                        config.durability(),
                        new WalIdentity(id(), config.dataFingerprint(), birthWallNanos),
                        replication,
                        memstore);
        this.workers = new NodeWorker[config.workers()];
        for (int i = 0; i < workers.length; i++) {
            workers[i] = new NodeWorker(i, lockBuffers);
        }
    }

    /** The node's number. */
    public int id() {
        return fabric.node();
    }

    /** The number of the node's incarnation. */
    public long incarnation() {
        return fabric.incarnation();
    }

    /** Its copies of the data. */
    public Memstore memstore() {
        return memstore;
    }

    /** The node's part in replication. */
    public NodeReplication replication() {
        return replication;
    }

    /**
     * An upper bound of the timestamps that tuples have or were read at. Only timestamps up to the bounds that coordinators of the nodes'
     * present incarnations have announced may exceed it.
     */
    public long readBound() {
        return readBound;
    }

    /** Raises {@link #readBound}. Called by one thread at a time. */
    public void raiseReadBound(long bound) {
        readBound = Timestamp.max(readBound, bound);
    }

    /** The node's disk, or null if the data is in memory only. */
    public NodeDurability durability() {
        return durability;
    }

    /** Bytes that peers can reach. */
    public long registeredBytes() {
        return buffers.memory().size()
                + replication.registeredBytes()
                + memstore.bytes()
                + locks.map(NodeLocks::bytes).orElse(0L);
    }

    /** The node's part in the lock service, if the cluster serves locks. */
    public Optional<NodeLocks> locks() {
        return locks;
    }

    /** Whether there are messages between zones. */
    private boolean hasZones() {
        return config.zones().count() > 1;
    }

    /** Number of workers. */
    public int workers() {
        return workers.length;
    }

    /** In a simulation: the node may not serve from now on, as other nodes count it as lost. */
    public void endLease() {
        for (NodeWorker worker : workers) {
            worker.context().gate().endLease(worker.worker().nanoTime());
        }
    }

    /** Sets the task that requests a reconfiguration in which no node is lost; before the workers start. The task runs on any worker. */
    public void sweeper(Runnable sweeper) {
        for (NodeWorker worker : workers) {
            worker.context().gate().sweeper(sweeper);
        }
    }

    /**
     * One of the node's workers.
     *
     * @param index from 0
     */
    public NodeWorker worker(int index) {
        return workers[index];
    }

    /** The network's counters at this node. */
    public Map<FabricCounter, Long> networkCounters() {
        return fabric.counters();
    }

    /** Cuts a peer off. */
    public void fence(int peer) {
        fabric.fence(peer);
        replication.fence(peer);
    }

    /** Readmits a peer that was cut off, in one incarnation. */
    public void admit(int peer, long incarnation) {
        fabric.admit(peer, incarnation);
        replication.admit(peer);
    }

    /** Whether a peer is connected. */
    public boolean isReachable(int peer) {
        return fabric.isReachable(peer);
    }

    /** Lets the peers in. */
    void join() {
        fabric.start();
    }

    /** Notifies the protocol, the locks and replication that the node is in a configuration, whose placement the catalog has. */
    public synchronized void configured(long configEpoch) {
        state.configured(configEpoch, memstore.catalog().placement());
        locks.ifPresent(each -> each.configured(configEpoch, memstore.catalog().placement()));
        replication.configured(configEpoch);
    }

    /** Starts the workers, once the peers are connected. */
    void start() {
        if (lease.isEmpty()) {
            configured(0); // with leases, the configuration is set when the node joins one
        }
        for (NodeWorker worker : workers) {
            runtime.start(worker.worker);
        }
        if (durability != null) {
            durability.watch(
                    Arrays.stream(workers).map(NodeWorker::worker).toList(),
                    Arrays.stream(workers).map(NodeWorker::replication).toList());
        }
    }

    /** Ends the workers, then leaves the network, in this order: no worker of this node runs any more. */
    void stop() {
        for (NodeWorker worker : workers) {
            runtime.close(worker.worker);
        }
        if (durability != null) {
            durability.close(); // first: it tells replication which logs are needed
        }
        replication.close();
        fabric.close();
    }

    /** A worker and its state, which is used on the worker only, or while the worker does not run. */
    public final class NodeWorker {
        private final int index;
        private final Worker worker;
        private final WorkerReplication logs;
        private final WorkerContext context;
        private final Optional<WorkerLocks> lockService;
        private final long recoveryBuffer;
        private final TransactionMetrics metrics = new TransactionMetrics();
        private final IndexHints indexHints = new IndexHints(memstore.catalog());
        /** A clock for each coroutine, which outlives the coroutine's clients, so that no timestamp is drawn twice. */
        private final TimestampClock[] clocks = new TimestampClock[config.coroutines()];

        private NodeWorker(int index, long lockBuffers) {
            this.index = index;
            this.worker = runtime.newWorker(id(), index, config.seed());
            Endpoint network = fabric.open(worker, buffers);
            Endpoint endpoint = hasZones()
                    ? new CrossingEndpoint(
                            network, config.zones(), id(), metrics.crossings().shared())
                    : network;
            this.logs = replication.worker(index, durability);
            int service = config.workers() * config.coroutines() + index;
            this.context = new WorkerContext(
                    worker,
                    config.protocol().clock(worker, clockZeroNanos),
                    endpoint,
                    buffers.memory(),
                    memstore,
                    new AddressCache(config.memory().addressCacheEntries()),
                    logs,
                    config.code(),
                    new StageTimers(config.protocol().name(), config.protocol().stages()),
                    service,
                    slice(service),
                    shape,
                    state,
                    new WorkerState(),
                    new AttemptGate(
                            config.waits().recoveryNanos(),
                            config.waits().patienceNanos(),
                            admission,
                            lease.orElseGet(Lease::forEver),
                            lease.isPresent()),
                    new AbortReasons(config.protocol().abortReasons()),
                    new Fragments(config.fragments()));
            recoveryBuffer = context.serviceBuffer().keep(recoveryBufferBytes());
            config.protocol().serve(context);
            lockService = locks.map(each -> each.serve(
                    worker,
                    network, // the lock service's messages belong to no transaction
                    buffers.memory(),
                    lockBuffers,
                    context.serviceCoroutine(),
                    () -> lease.isEmpty() || lease.get().holds(worker.nanoTime())));
            worker.addPoller(logs);
            for (int i = 0; i < clocks.length; i++) {
                clocks[i] = new TimestampClock(context.clock(), id(), coroutineId(i));
            }
        }

        /** The worker, to run tasks on. */
        public Worker worker() {
            return worker;
        }

        /** The counts of its transactions, by outcome. */
        public TransactionMetrics metrics() {
            return metrics;
        }

        /** The tuple addresses that it remembers. */
        public AddressCache addresses() {
            return context.addresses();
        }

        /** The times that its transactions spent in each stage. */
        public StageTimers timers() {
            return context.timers();
        }

        /** The protocol's context on this worker. */
        public WorkerContext context() {
            return context;
        }

        /** The locks of its clients, if the cluster serves locks. */
        public Optional<WorkerLocks> locks() {
            return lockService;
        }

        /** The worker's number at its node, from 0. */
        public int index() {
            return index;
        }

        /** Clocks of the coroutines. */
        public TimestampClock[] clocks() {
            return clocks;
        }

        /** The offset of a recovery's {@link #recoveryBufferBytes} bytes in the buffers region. */
        public long recoveryBuffer() {
            return recoveryBuffer;
        }

        /** The size of a recovery's buffer, in bytes. */
        public int recoveryBufferBytes() {
            return config.memory().bufferBytes() / 2;
        }

        /** The worker's part in replication. */
        public WorkerReplication replication() {
            return logs;
        }

        /** Starts coroutine number {@code i} of this worker; {@code onEnd} runs when the client has returned or thrown. */
        void spawn(int i, Client client, Runnable onEnd) {
            worker.spawn(coroutineId(i), coroutine -> {
                try {
                    client.run(runner(coroutine, clocks[i]), coroutine);
                } finally {
                    onEnd.run();
                }
            });
        }

        private int coroutineId(int i) {
            return index * config.coroutines() + i;
        }

        private TransactionRunner runner(Coroutine coroutine, TimestampClock clock) {
            Transaction txn = new Transaction(coroutine, memstore.catalog(), slice(coroutine.id()), clock, indexHints);
            if (hasZones()) {
                txn.countCrossings();
            }
            Coordinator coordinator = config.protocol().coordinator(context, txn);
            return new TransactionRunner(
                    config.protocol().name(), txn, coordinator, config.retries(), context.gate(), metrics, history);
        }

        private BufferSlice slice(int coroutineId) {
            return new BufferSlice(
                    buffers.memory(),
                    (long) coroutineId * config.memory().bufferBytes(),
                    config.memory().bufferBytes());
        }
    }
}
