package dev.rcc.server.simulation;

import dev.rcc.core.fabric.Fabric;
import dev.rcc.core.replication.LogReport;
import dev.rcc.core.txn.HistoryRecorder;
import dev.rcc.core.txn.Transaction;
import dev.rcc.core.worker.Worker;
import dev.rcc.server.node.ClusterRuntime;
import dev.rcc.server.recovery.RecoveryStep;
import dev.rcc.server.recovery.RecoveryWatch;
import dev.rcc.transport.sim.SimNetwork;
import dev.rcc.transport.sim.SimWorker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Virtual time: waiting lets the simulation's events happen, on the thread that waits. */
public final class SimRuntime implements ClusterRuntime {
    private final SimNetwork network;
    private final List<SimWorker> workers = new ArrayList<>();
    private RecoveryWatch watch = RecoveryWatch.NONE;

    /** A cluster on a network, which is closed with this. */
    public SimRuntime(SimNetwork network) {
        this.network = network;
    }

    /** The network that it runs on. */
    public SimNetwork network() {
        return network;
    }

    /** The number of times that coroutines with ids below {@code coroutineLimit} have run, on all nodes. */
    public long slices(int coroutineLimit) {
        return workers.stream()
                .mapToLong(worker -> worker.slices(coroutineLimit))
                .sum();
    }

    /** Sets the watch that observes the reconfigurations of the nodes. */
    public void watchRecovery(RecoveryWatch newWatch) {
        watch = newWatch;
    }

    @Override
    public boolean hasIncarnations() {
        return true;
    }

    /** Observes the reconfigurations of the nodes, for the watch that {@link #watchRecovery} has set by then. */
    public RecoveryWatch recoveryWatch() {
        return new RecoveryWatch() {
            @Override
            public void began(RecoveryStep step) {
                watch.began(step);
            }

            @Override
            public void ended(RecoveryStep step) {
                watch.ended(step);
            }

            @Override
            public void reported(int node, LogReport report) {
                watch.reported(node, report);
            }

            @Override
            public void begins(int joiner) {
                watch.begins(joiner);
            }

            @Override
            public void joined(int node) {
                watch.joined(node);
            }
        };
    }

    @Override
    public Fabric attach(int node) {
        return network.attach(node);
    }

    @Override
    public void connect() {
        // a simulated network needs no set-up
    }

    @Override
    public void leave(int node) {
        // as the fabric is closed, the node is gone
    }

    @Override
    public Worker newWorker(int node, int index, long seed) {
        SimWorker worker = network.newWorker(node, index);
        workers.add(worker);
        return worker;
    }

    @Override
    public void start(Worker worker) {
        ((SimWorker) worker).start();
    }

    @Override
    public void close(Worker worker) {
        ((SimWorker) worker).close();
    }

    @Override
    public void later(Runnable task) {
        network.later(task);
    }

    @Override
    public void later(long nanos, Runnable task) {
        network.later(nanos, task);
    }

    /** Before every node's clock, however skewed. */
    @Override
    public long birthWallNanos() {
        return SimNetwork.epochNanos() - network.options().faults().clocks().skewNanosMax();
    }

    @Override
    public HistoryRecorder recorderOf(int node, HistoryRecorder recorder) {
        if (recorder == null) {
            return null;
        }
        return new HistoryRecorder() {
            @Override
            public void logging(Transaction txn, long beginNanos) {
                recorder.logging(txn, network.virtualNanos(node, beginNanos));
            }

            @Override
            public void committed(Transaction txn, long beginNanos, long endNanos) {
                recorder.committed(txn, network.virtualNanos(node, beginNanos), network.virtualNanos(node, endNanos));
            }

            @Override
            public void aborted(Transaction txn, long beginNanos, long endNanos) {
                recorder.aborted(txn, network.virtualNanos(node, beginNanos), network.virtualNanos(node, endNanos));
            }

            @Override
            public void attemptAborted(Transaction txn) {
                recorder.attemptAborted(txn);
            }
        };
    }

    @Override
    public boolean runsOnlyInAwait() {
        return true;
    }

    @Override
    public boolean await(Duration timeout, BooleanSupplier condition) {
        return network.simulation().run(network.simulation().now() + timeout.toNanos(), condition);
    }

    @Override
    public void close() {
        network.close();
    }
}
