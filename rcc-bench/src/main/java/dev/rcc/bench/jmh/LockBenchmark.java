package dev.rcc.bench.jmh;

import dev.rcc.bench.locks.cluster.LockSchemes;
import dev.rcc.core.fabric.Endpoint;
import dev.rcc.core.fabric.Fabric;
import dev.rcc.core.memory.Region;
import dev.rcc.core.protocol.Primitive;
import dev.rcc.core.store.Catalog;
import dev.rcc.core.txn.BufferSlice;
import dev.rcc.core.worker.Coroutine;
import dev.rcc.core.worker.EventLoop;
import dev.rcc.protocols.locks.LockCounters;
import dev.rcc.protocols.locks.LockManager;
import dev.rcc.protocols.locks.LockMode;
import dev.rcc.protocols.locks.LockOutcome;
import dev.rcc.protocols.locks.LockScheme;
import dev.rcc.protocols.locks.LockSite;
import dev.rcc.protocols.locks.LockSpace;
import dev.rcc.transport.local.LocalNetwork;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Question: how long does it take to acquire and release an uncontended lock, and with {@code -prof gc}, how many bytes of the Java
 * heap does that cost? Two nodes of one worker in this JVM; a coroutine of one node takes locks of the other node, one after the other, alone.
 *
 * <p>Unit: nanoseconds for acquiring and releasing one lock. The coroutine runs on its own worker; an invocation requests a large number of
 * locks and waits. The profiler counts the allocations of all threads of the JVM, so {@code gc.alloc.rate.norm} is bytes for one lock.
 *
 * <p>DSLR's counters reach their limit every 32,768 locks and are set to zero, which is part of the figure.
 *
 * <p>A surprise would be any allocation by managers that work on words. The server of queues makes an entry for each request.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
        value = 1,
        jvmArgsAppend = {"--add-opens=java.base/java.lang=ALL-UNNAMED", "--enable-native-access=ALL-UNNAMED"})
public class LockBenchmark {
    private static final int LOCKS = 20_000;
    private static final int SHARE = 1_000;
    private static final long IDLE_NANOS = TimeUnit.MICROSECONDS.toNanos(50);
    /** Longer than any pause of this JVM. */
    private static final long LEASE_NANOS = TimeUnit.SECONDS.toNanos(60);

    private static final int NODES = 2;
    private static final int BUFFER_BYTES = 1 << 16;
    /** The number of the coroutine that takes locks; then that of the coroutine that does the remaining work. */
    private static final int CLIENT = 0;

    private static final int SERVICE = 1;

    /** The lock manager. */
    @Param({"dslr", "traditional", "traditional-ro", "drtm", "retry-on-fail", "n-cosed"})
    public String manager;

    /** The access to the locks' words. */
    @Param({"one-sided", "rpc"})
    public String code;

    /** Locks that are taken at a time; a test takes fewer. */
    int batch = LOCKS;

    private final CommitGate gate = new CommitGate();
    private final LockSpace space = new LockSpace(LockSpace.REGION, NODES, 1024);
    private final List<EventLoop> workers = new ArrayList<>();
    private final LockCounters counters = new LockCounters();
    private LocalNetwork network;

    /** Starts the nodes. */
    @Setup
    public void start() {
        network = new LocalNetwork(NODES);
        LockSchemes.Terms terms = new LockSchemes.Terms(
                LEASE_NANOS,
                1,
                false,
                0,
                5_000,
                0,
                LEASE_NANOS,
                TimeUnit.MILLISECONDS.toNanos(10),
                LockSchemes.Clocks.OF_DRTM);
        LockScheme scheme = LockSchemes.byName(manager).orElseThrow().scheme(terms);
        for (int node = 0; node < NODES; node++) {
            attach(node, scheme);
        }
        workers.forEach(EventLoop::start);
    }

    private void attach(int node, LockScheme scheme) {
        Fabric fabric = network.attach(node);
        Region buffers = fabric.register(Catalog.BUFFERS_REGION, 2 * BUFFER_BYTES);
        Region locks = fabric.register(space.region(), space.regionBytes());
        EventLoop worker = new EventLoop(node, 0, 42);
        Endpoint endpoint = fabric.open(worker, buffers);
        LockScheme.Locks served = scheme.serve(new LockSite(
                worker,
                endpoint,
                region -> locks.memory(),
                NODES,
                NODES,
                code.equals("rpc") ? Primitive.RPC : Primitive.ONE_SIDED,
                SERVICE,
                slice(buffers, SERVICE),
                () -> 1,
                node == 0 ? counters : new LockCounters()));
        if (node == 0) {
            worker.spawn(CLIENT, self -> runClient(self, served.manager(self, slice(buffers, CLIENT))));
        }
        workers.add(worker);
        fabric.start();
    }

    private static BufferSlice slice(Region buffers, int number) {
        return new BufferSlice(buffers.memory(), (long) number * BUFFER_BYTES, BUFFER_BYTES);
    }

    /** Stops the nodes, and fails if a lock was not granted. */
    @TearDown
    public void stop() {
        gate.close();
        workers.forEach(EventLoop::close);
        network.close();
        if (counters.lost + counters.timeouts > 0) {
            throw new IllegalStateException("beside " + counters.grants + " locks that were granted, "
                    + (counters.lost + counters.timeouts) + " that nobody else wanted were not");
        }
    }

    /** Lets the coroutine acquire and release a large number of locks. */
    @Benchmark
    @OperationsPerInvocation(LOCKS)
    public void lockAndUnlock() {
        gate.await(batch);
    }

    private void runClient(Coroutine self, LockManager locks) {
        long address = space.address(1); // of node 1
        while (!gate.isClosed()) {
            long share = gate.take(SHARE);
            if (share == 0) {
                self.sleep(IDLE_NANOS);
            } else {
                for (int i = 0; i < share; i++) {
                    takeAndGiveBack(locks, address);
                }
                gate.finished(share);
            }
        }
    }

    private static void takeAndGiveBack(LockManager locks, long address) {
        locks.request(address, LockMode.EXCLUSIVE, 1);
        if (locks.await(LEASE_NANOS) == LockOutcome.GRANTED) {
            locks.release();
        }
    }
}
