package dev.rcc.protocols.calvin;

import dev.rcc.core.cluster.Placement;
import dev.rcc.core.cluster.RingPlacement;
import dev.rcc.core.fabric.Batch;
import dev.rcc.core.fabric.Endpoint;
import dev.rcc.core.fabric.RpcHandler;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.RemoteAddress;
import dev.rcc.core.protocol.HybridCode;
import dev.rcc.core.protocol.NodeShape;
import dev.rcc.core.protocol.WorkerContext;
import dev.rcc.core.protocol.WorkerState;
import dev.rcc.core.replication.LogStage;
import dev.rcc.core.replication.Replication;
import dev.rcc.core.testing.FakeWorker;
import dev.rcc.core.testing.PartialContext;
import dev.rcc.core.time.Timestamp;
import dev.rcc.core.txn.Admission;
import dev.rcc.core.txn.AttemptGate;
import dev.rcc.core.txn.Transaction;
import dev.rcc.core.txn.WorkerSite;
import dev.rcc.core.worker.Completion;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/** Sequencers of several nodes on a network that delivers late. It delivers messages between different pairs of nodes in any order. */
final class SequencerCluster {
    static final int NODES = 4;
    private static final int COROUTINES = 6;
    private static final NodeShape SHAPE = new NodeShape(NODES, 1, COROUTINES, 4096);
    static final CalvinOptions OPTIONS = new CalvinOptions(1_000, 3, 1024);
    private static final Placement PLACEMENT = new RingPlacement(NODES, 1);

    final CalvinLayout layout = new CalvinLayout(SHAPE, OPTIONS.batchBytes());
    private final List<Runnable> underWay = new ArrayList<>();
    final List<SequencerNode> nodes = new ArrayList<>();
    private final HybridCode code;
    private final SplittableRandom random;
    private final int maxCallBytes;
    private long configEpoch;

    SequencerCluster(String digits, SplittableRandom random) {
        this(digits, random, Integer.MAX_VALUE);
    }

    /** Sequencers on a network that carries messages of so many bytes. */
    SequencerCluster(String digits, SplittableRandom random, int maxCallBytes) {
        this.code = HybridCode.parse(new Calvin(), digits);
        this.random = random;
        this.maxCallBytes = maxCallBytes;
        for (int node = 0; node < NODES; node++) {
            nodes.add(new SequencerNode(node, 0));
        }
    }

    /** Replication without a log. */
    private static final class NoLog implements Replication {
        final BitSet lost = new BitSet();

        @Override
        public LogStage stage(WorkerSite site, Transaction txn, boolean oneSided) {
            throw new AssertionError("nothing is logged");
        }

        @Override
        public void serve(WorkerSite site, boolean oneSided) {
            throw new AssertionError("nothing is logged");
        }

        @Override
        public boolean isLost(int node) {
            return lost.get(node);
        }

        @Override
        public void announceReadBound(WorkerSite site, long bound, Completion completion) {
            throw new AssertionError("CALVIN has no bounds");
        }
    }

    /** A node with its sequencer; records the submissions that the sequencer orders. */
    final class SequencerNode implements Endpoint {
        final FakeWorker worker;
        final Memory buffers = Memory.allocate(Arena.ofAuto(), SHAPE.sharedOffset() + layout.bytes());
        final List<Long> order = new ArrayList<>();
        private final AttemptGate gate = new AttemptGate(1, new Admission());
        private final NoLog log = new NoLog();
        private final Peers peers;
        final Sequencer sequencer;
        boolean stopped;
        private boolean fenced;
        long drawn;
        /** The last submission drawn before the present configuration. */
        long drawnBefore;

        private int outstanding;

        SequencerNode(int node, long drawnBefore) {
            worker = new FakeWorker(node);
            drawn = drawnBefore;
            WorkerContext context = new PartialContext(worker, this, buffers)
                    .replication(log)
                    .code(code)
                    .shape(SHAPE)
                    .state(new WorkerState())
                    .gate(gate)
                    .make();
            peers = new Peers(context, layout);
            sequencer = new Sequencer(
                    context, OPTIONS, layout, peers, offset -> order.add(InputMessage.id(buffers, offset)));
        }

        void submit() {
            if (outstanding == COROUTINES || gate.isClosed()) {
                return;
            }
            outstanding++;
            Submission submission = new Submission(() -> PLACEMENT, 1);
            submission.clear();
            submission.place(Timestamp.of(++drawn, worker.node(), 0), 0, 0);
            submission.completion = new Completion(null);
            sequencer.submit(submission);
        }

        void poll() {
            if (!stopped) {
                worker.nanoTime += random.nextInt(5_000);
                peers.poll(sequencer.isBusy());
                int before = order.size();
                sequencer.poll();
                for (long id : order.subList(before, order.size())) {
                    outstanding -= Timestamp.node(id) == worker.node() ? 1 : 0;
                }
            }
        }

        private void deliver(int peer, Completion completion, Runnable effect) {
            completion.add();
            SequencerNode target = nodes.get(peer);
            underWay.add(() -> {
                if (target.stopped || fenced) {
                    completion.fail(peer);
                } else {
                    effect.run();
                    completion.succeed();
                }
            });
        }

        @Override
        public Batch batch(int peer) {
            return new LateBatch(this, peer);
        }

        @Override
        public void call(
                int peer,
                int rpcId,
                long request,
                int requestBytes,
                long reply,
                int replyBytes,
                Completion completion) {
            if (requestBytes > maxCallBytes) {
                throw new IllegalArgumentException("a request has at most " + maxCallBytes + ", got " + requestBytes);
            }
            SequencerNode target = nodes.get(peer);
            deliver(peer, completion, () -> {
                if (rpcId == CalvinParticipant.DISPATCH) {
                    target.sequencer.receive(worker.node(), buffers, request, requestBytes);
                }
            });
        }

        @Override
        public int maxCallBytes() {
            return maxCallBytes;
        }

        @Override
        public void handle(int rpcId, RpcHandler handler) {
            throw new UnsupportedOperationException();
        }
    }

    /** Takes effect as a whole, some time after it was posted. */
    private final class LateBatch implements Batch {
        private final SequencerNode from;
        private final int peer;
        private final List<Runnable> requests = new ArrayList<>();

        LateBatch(SequencerNode from, int peer) {
            this.from = from;
            this.peer = peer;
        }

        @Override
        public Batch write(long sourceOffset, int bytes, long targetAddress) {
            Memory target = nodes.get(peer).buffers;
            requests.add(() -> from.buffers.copy(sourceOffset, target, RemoteAddress.offset(targetAddress), bytes));
            return this;
        }

        @Override
        public Batch writeWord(long value, long targetAddress) {
            Memory target = nodes.get(peer).buffers;
            requests.add(() -> target.putLong(RemoteAddress.offset(targetAddress), value));
            return this;
        }

        @Override
        public Batch read(long sourceAddress, int bytes, long targetOffset) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Batch cas(long targetAddress, long expected, long desired, long resultOffset) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Batch fetchAdd(long targetAddress, long delta, long resultOffset) {
            throw new UnsupportedOperationException();
        }

        @Override
        public int peer() {
            return peer;
        }

        @Override
        public int size() {
            return requests.size();
        }

        @Override
        public void post(Completion completion) {
            from.deliver(peer, completion, () -> requests.forEach(Runnable::run));
        }
    }

    // ---- configurations --------------------------------------------------------------------------------------------

    /** Stops a node. The other nodes end their attempts, and go into a configuration without it. */
    void lose(int dead) {
        nodes.get(dead).stopped = true;
        freeze();
        nodes.get(dead).fenced = true;
        awaitEnds();
        halt(dead);
        open();
    }

    /** Takes the lost node back in another incarnation. All nodes go into a configuration with it. */
    void takeBack(int joiner) {
        freeze();
        awaitEnds();
        halt(joiner);
        nodes.set(joiner, new SequencerNode(joiner, nodes.get(joiner).drawn));
        nodes.get(joiner).gate.close(() -> {});
        nodes.forEach(node -> node.log.lost.clear(joiner));
        open();
    }

    private void freeze() {
        nodes.forEach(node -> node.gate.close(() -> {}));
    }

    /** Waits until no attempt runs; batches may still be under way, and epochs may be incomplete on some nodes. */
    private void awaitEnds() {
        for (int i = 0; nodes.stream().anyMatch(node -> !node.stopped && node.outstanding > 0); i++) {
            assert i < 1_000_000 : "an attempt waits for ever";
            step();
        }
    }

    private void halt(int absent) {
        Set<SequencerNode> running = new HashSet<>(nodes);
        while (!running.isEmpty()) {
            step();
            SequencerNode node = any(running);
            node.log.lost.set(absent);
            if (node.stopped || (node.sequencer.halt() && node.peers.isSettled())) {
                running.remove(node);
            }
        }
        nodes.forEach(node -> node.order.clear());
    }

    /** Opens the configuration on one node after the other, while the nodes that are in it already submit. */
    private void open() {
        configEpoch++;
        Set<SequencerNode> waiting = new HashSet<>(nodes);
        while (!waiting.isEmpty()) {
            SequencerNode node = any(waiting);
            waiting.remove(node);
            node.drawnBefore = node.drawn;
            node.gate.open(configEpoch);
            submitForAWhile(random.nextInt(100));
        }
    }

    private SequencerNode any(Collection<SequencerNode> some) {
        List<SequencerNode> sorted = nodes.stream().filter(some::contains).toList();
        return sorted.get(random.nextInt(sorted.size()));
    }

    /** Delivers perhaps one message, then polls one node, both at random. */
    private void step() {
        if (!underWay.isEmpty() && random.nextInt(3) > 0) {
            underWay.remove(random.nextInt(underWay.size())).run();
        }
        nodes.get(random.nextInt(NODES)).poll();
    }

    /** Steps until all work is done. */
    void settle() {
        for (int i = 0; i < 1_000_000 && (i < 3_000 || !underWay.isEmpty() || isBusy()); i++) {
            step();
        }
    }

    private boolean isBusy() {
        return nodes.stream().anyMatch(node -> !node.stopped && node.sequencer.isBusy());
    }

    void submitForAWhile(int steps) {
        for (int i = 0; i < steps; i++) {
            if (random.nextInt(8) == 0) {
                nodes.get(random.nextInt(NODES)).submit();
            }
            step();
        }
    }
}
