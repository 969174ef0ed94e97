package dev.rcc.transport.shm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.fabric.Endpoint;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.RemoteAddress;
import dev.rcc.core.testing.FakeCoroutine;
import dev.rcc.core.testing.FakeWorker;
import dev.rcc.core.worker.Completion;
import dev.rcc.transport.ManualWorker;
import dev.rcc.transport.control.JvmControl;
import java.util.ArrayList;
import java.util.List;

/** Nodes of one worker each, which the test's thread plays; only the control channel has threads. */
final class ManualCluster implements AutoCloseable {
    static final int DATA = 1;
    static final int DATA_BYTES = 4096;
    static final int ECHO = 1;

    final JvmControl.Cluster cluster;
    final ShmOptions[] options;
    final JvmControl[] controls;
    final ShmFabric[] fabrics;
    final ManualWorker[] workers;
    final Endpoint[] endpoints;
    /** All incarnations of all nodes. */
    private final List<ShmFabric> incarnations = new ArrayList<>();

    final Memory[] data;
    final Memory[] buffers;

    ManualCluster(int nodes) {
        this(nodes, ShmNetwork.options(4096));
    }

    ManualCluster(int nodes, ShmOptions options) {
        this.cluster = new JvmControl.Cluster(nodes);
        this.options = new ShmOptions[nodes];
        this.controls = new JvmControl[nodes];
        this.fabrics = new ShmFabric[nodes];
        this.workers = new ManualWorker[nodes];
        this.endpoints = new Endpoint[nodes];
        this.data = new Memory[nodes];
        this.buffers = new Memory[nodes];
        for (int node = 0; node < nodes; node++) {
            this.options[node] = options;
        }
    }

    /** Starts all nodes and waits until they are connected. */
    ManualCluster start() {
        for (int node = 0; node < fabrics.length; node++) {
            attach(node);
            start(node);
        }
        awaitConnected();
        return this;
    }

    /** Begins an incarnation of a node. */
    void attach(int node) {
        controls[node] = cluster.join(node);
        fabrics[node] = new ShmFabric(controls[node], options[node]);
        incarnations.add(fabrics[node]);
        workers[node] = new ManualWorker(node, 0);
        data[node] = fabrics[node].register(DATA, DATA_BYTES).memory();
        var region = fabrics[node].register(2, DATA_BYTES);
        buffers[node] = region.memory();
        endpoints[node] = fabrics[node].open(workers[node], region);
        endpoints[node].handle(ECHO, request -> {
            request.response()
                    .putLong(request.responseOffset(), ~request.payload().getLong(request.payloadOffset()));
            request.reply(Memory.WORD_BYTES);
        });
    }

    void start(int node) {
        fabrics[node].start();
        controls[node].start();
    }

    /** Waits until all nodes are connected, and all workers have their ends of the connections. */
    void awaitConnected() {
        ShmNetwork.await(() -> {
            for (ShmFabric fabric : fabrics) {
                for (int peer = 0; peer < fabrics.length; peer++) {
                    if (!fabric.isReachable(peer)) {
                        return false;
                    }
                }
            }
            return true;
        });
        for (int node = 0; node < fabrics.length; node++) {
            cluster.awaitEvents(node);
            cluster.awaitAnswers(node);
        }
    }

    /** Ends a node as a kill does: only the control channel notifies the other nodes, and its files stay. */
    void kill(int node) {
        controls[node].close();
        ShmNetwork.await(() -> {
            for (int other = 0; other < fabrics.length; other++) {
                if (other != node && fabrics[other].isReachable(node)) {
                    return false;
                }
            }
            return true;
        });
        for (int other = 0; other < fabrics.length; other++) {
            if (other != node) {
                // Waits for the thread that ends the connection: it has notified the workers by then.
                fabrics[other].remains(node).ifPresent(ShmRemains::close);
            }
        }
    }

    /** A turn of every worker. */
    int turn() {
        int work = 0;
        for (int node = 0; node < workers.length; node++) {
            work += turn(node);
        }
        return work;
    }

    /** A turn of one worker. */
    int turn(int node) {
        workers[node].runTasks();
        return workers[node].poll();
    }

    /** A completion that only counts. */
    static Completion completion() {
        return new Completion(new FakeCoroutine(1, new FakeWorker(0)));
    }

    /** Calls the echo of a peer with a word. */
    void call(int from, int to, long word, Completion completion) {
        buffers[from].putLong(0, word);
        endpoints[from].call(to, ECHO, 0, Memory.WORD_BYTES, 8, Memory.WORD_BYTES, completion);
    }

    /** Calls, and returns whether the call succeeded; the workers of both nodes take turns until then. */
    boolean callAndWait(int from, int to, long word) {
        Completion completion = completion();
        call(from, to, word, completion);
        return finish(completion, from, to) && buffers[from].getLong(8) == ~word;
    }

    /** Adds to the first word of a peer's data, and returns whether that succeeded. */
    boolean add(int from, int to, long delta) {
        Completion completion = completion();
        endpoints[from]
                .batch(to)
                .fetchAdd(RemoteAddress.of(to, DATA, 0), delta, 16)
                .post(completion);
        return finish(completion, from, to);
    }

    private boolean finish(Completion completion, int from, int to) {
        ShmNetwork.await(
                () -> { // both nodes notice the end of a link after the control's threads have run
                    turn(from);
                    turn(to);
                    return completion.outstanding() == 0;
                });
        return completion.await();
    }

    @Override
    public void close() {
        incarnations.forEach(ShmFabric::close);
        for (int node = 0; node < controls.length; node++) {
            if (controls[node] != null) {
                controls[node].close();
            }
            ShmFabric.removeDead(options[node]);
        }
        assertThat(ShmNetwork.files(options[0])).isEmpty();
    }
}
