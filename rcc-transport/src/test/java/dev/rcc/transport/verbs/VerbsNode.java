package dev.rcc.transport.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.fabric.Endpoint;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.Region;
import dev.rcc.core.memory.RemoteAddress;
import dev.rcc.core.worker.Completion;
import dev.rcc.core.worker.Coroutine;
import dev.rcc.core.worker.Poller;
import dev.rcc.core.worker.Worker;
import dev.rcc.transport.control.JvmControl;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** A node with one worker, whose turns the test runs itself. */
final class VerbsNode implements AutoCloseable {
    static final int DATA = 1;
    static final int DATA_BYTES = 8192;

    private static final int BUFFERS = 2;
    private static final int BUFFERS_BYTES = 8192;
    private static final long HANG_NANOS = 900_000_000_000L;

    final VerbsFabric fabric;
    final Endpoint endpoint;
    final Memory data;
    final Memory buffers;
    final HandWorker worker;
    final Completion completion = new Completion(null); // the test polls it instead of waiting

    private final JvmControl control;

    VerbsNode(JvmControl control, VerbsOptions options) {
        this.control = control;
        this.fabric = new VerbsFabric(control, options);
        this.worker = new HandWorker(control.node());
        this.data = fabric.register(DATA, DATA_BYTES).memory();
        Region buffersRegion = fabric.register(BUFFERS, BUFFERS_BYTES);
        this.buffers = buffersRegion.memory();
        this.endpoint = fabric.open(worker, buffersRegion);
    }

    VerbsNode start() {
        fabric.start();
        control.start();
        return this;
    }

    static long at(int node, long offset) {
        return RemoteAddress.of(node, DATA, offset);
    }

    /** Takes turns until everything has completed, and returns whether it succeeded. */
    boolean await() {
        turnUntil(() -> completion.outstanding() == 0);
        return completion.await();
    }

    void awaitReachable(int peer) {
        turnUntil(() -> fabric.isReachable(peer));
    }

    void turnUntil(BooleanSupplier condition) {
        long deadline = System.nanoTime() + HANG_NANOS;
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("it hangs").isLessThan(deadline);
            worker.turn();
            Thread.onSpinWait();
        }
    }

    /** Closes the node as if its process were killed. */
    @Override
    public void close() {
        control.close();
        fabric.close();
    }

    /** A worker without a thread. */
    static final class HandWorker implements Worker {
        final AtomicInteger wakeUps = new AtomicInteger();
        private final ConcurrentLinkedQueue<Runnable> tasks = new ConcurrentLinkedQueue<>();
        private final List<Poller> pollers = new ArrayList<>();
        private final int node;

        HandWorker(int node) {
            this.node = node;
        }

        void turn() {
            for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
                task.run();
            }
            pollers.forEach(Poller::poll);
        }

        void arm() {
            pollers.forEach(Poller::arm);
        }

        @Override
        public int node() {
            return node;
        }

        @Override
        public int index() {
            return 0;
        }

        @Override
        public long nanoTime() {
            return System.nanoTime();
        }

        @Override
        public long wallNanos() {
            throw new UnsupportedOperationException("no network asks for it");
        }

        @Override
        public long random() {
            return 1;
        }

        @Override
        public void compute(long nanos) {
            throw new UnsupportedOperationException("no network computes");
        }

        @Override
        public void spawn(int coroutineId, Consumer<Coroutine> body) {
            throw new UnsupportedOperationException("no network has coroutines");
        }

        @Override
        public void execute(Runnable task) {
            tasks.add(task);
        }

        @Override
        public void addPoller(Poller poller) {
            pollers.add(poller);
        }

        @Override
        public void wakeUp() {
            wakeUps.incrementAndGet();
        }
    }
}
