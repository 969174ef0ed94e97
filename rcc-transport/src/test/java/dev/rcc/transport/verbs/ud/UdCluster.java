package dev.rcc.transport.verbs.ud;

import dev.rcc.core.fabric.RpcHandler;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.testing.FakeCoroutine;
import dev.rcc.core.testing.FakeWorker;
import dev.rcc.core.worker.Completion;
import dev.rcc.transport.RpcHandlers;
import dev.rcc.transport.WorkerCounters;
import java.lang.foreign.Arena;

/** Nodes with a worker each on {@link FakePackets}; the test's thread plays all of them. */
final class UdCluster {
    static final int PACKET_BYTES = 256;
    /** Bytes of a message that fit in a packet. */
    static final int ROOM = PACKET_BYTES - UdPacketLayout.HEADER_BYTES - UdPacketLayout.FRAGMENT_BYTES;

    private static final int BUFFERS_BYTES = 1 << 20;

    final FakePackets network = new FakePackets();
    final Node[] nodes;

    private final UdOptions options;
    /** The number of times that a node, the first, has connected to another one. */
    private final short[][] sessions;

    /** A cluster with each node connected to all nodes, including itself. */
    UdCluster(int count, UdOptions options) {
        this.options = options;
        nodes = new Node[count];
        sessions = new short[count][count];
        for (int i = 0; i < count; i++) {
            nodes[i] = new Node(i, 1);
        }
        for (Node node : nodes) {
            for (Node other : nodes) {
                connect(node, other);
            }
        }
    }

    /** Restarts a node as after a kill, at a time when no peer is connected to it. */
    Node restart(int node) {
        nodes[node] = new Node(node, nodes[node].incarnation + 1);
        return nodes[node];
    }

    /** Connects one end; it is of the same connection as the other end once both have connected equally often. */
    void connect(Node from, Node to) {
        from.channel.connect(to.number, new UdPeer[] {
            new UdPeer(
                    to.number,
                    0,
                    to.incarnation,
                    to.port.number,
                    to.port,
                    PACKET_BYTES,
                    options.credits(),
                    options.credits(),
                    ++sessions[from.number][to.number])
        });
    }

    /** Runs a turn of every node, then delivers all packets. */
    void step() {
        for (Node node : nodes) {
            node.channel.poll();
        }
        network.deliverAll();
    }

    /** Steps until nothing is under way. */
    void settle() {
        do {
            step();
        } while (!network.underWay.isEmpty() || hasArrived());
    }

    private boolean hasArrived() {
        int work = 0;
        for (Node node : nodes) {
            work += node.channel.poll();
        }
        network.deliverAll();
        return work > 0;
    }

    void passTime(long nanos) {
        for (Node node : nodes) {
            node.worker.nanoTime += nanos;
        }
    }

    /** One node with one worker. */
    final class Node {
        final int number;
        final int incarnation;
        final FakeWorker worker;
        final FakePackets.Port port;
        final Memory buffers = Memory.allocate(Arena.ofAuto(), BUFFERS_BYTES);
        final RpcHandlers handlers;
        final UdChannel channel;

        Node(int number, int incarnation) {
            this.number = number;
            this.incarnation = incarnation;
            worker = new FakeWorker(number);
            port = network.newPort(PACKET_BYTES, options.sendPackets(), options.receivePackets());
            handlers = new RpcHandlers(number, new WorkerCounters());
            channel = new UdChannel(worker, buffers, handlers, port, options, incarnation);
        }

        void handle(int rpcId, RpcHandler handler) {
            handlers.register(rpcId, handler);
        }

        Completion call(int peer, int rpcId, long request, int requestBytes, long reply, int replyBytes) {
            Completion completion = new Completion(new FakeCoroutine(0, worker));
            completion.add();
            channel.call(peer, rpcId, request, requestBytes, reply, replyBytes, completion);
            return completion;
        }

        /** Calls with a request and a reply of one word each. */
        Completion call(int peer, int rpcId, long request, long reply) {
            return call(peer, rpcId, request, Memory.WORD_BYTES, reply, Memory.WORD_BYTES);
        }
    }
}
