package dev.rcc.transport.verbs.ud;

import dev.rcc.core.fabric.RpcHandler;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.testing.FakeCoroutine;
import dev.rcc.core.testing.FakeWorker;
import dev.rcc.core.worker.Completion;
import dev.rcc.transport.RpcHandlers;
import dev.rcc.transport.WorkerCounters;
import java.lang.foreign.Arena;

/** Two nodes with a wire of one packet between them, which allocates nothing: every allocation is RPC's own. */
final class QuietNetwork {
    private static final int PACKET_BYTES = 1024;

    private final Side caller = new Side(0);
    private final Side server = new Side(1);
    private final Completion completion = new Completion(new FakeCoroutine(0, caller.worker));

    QuietNetwork(int rpcId, RpcHandler handler) {
        caller.other = server;
        server.other = caller;
        server.handlers.register(rpcId, handler);
        caller.channel.connect(1, new UdPeer[] {peer(server)});
        server.channel.connect(0, new UdPeer[] {peer(caller)});
    }

    private static UdPeer peer(Side side) {
        return new UdPeer(side.worker.node(), 0, 1, side.worker.node(), side, PACKET_BYTES, 8, 8, (short) 1);
    }

    /** Calls twice in one turn, once with a request of several packets, and waits for the replies. */
    void round(int rpcId) {
        completion.add();
        completion.add();
        caller.channel.call(1, rpcId, 0, 8, 4096, 8, completion);
        caller.channel.call(1, rpcId, 0, 3000, 4096, 8, completion);
        while (completion.outstanding() > 0) {
            caller.channel.poll();
            server.channel.poll();
        }
        if (!completion.await()) {
            throw new AssertionError("a call failed");
        }
    }

    private static final class Side implements PacketPort, PacketPort.Destination {
        private static final int RING = 16;

        private final FakeWorker worker;
        private final Memory send = Memory.allocate(Arena.ofAuto(), PACKET_BYTES);
        private final Memory receive = Memory.allocate(Arena.ofAuto(), RING * PACKET_BYTES);
        private final int[] lengths = new int[RING];
        private final RpcHandlers handlers;
        private final UdChannel channel;
        private Side other;
        private int arrived;
        private int released;
        private int received;

        Side(int node) {
            worker = new FakeWorker(node);
            handlers = new RpcHandlers(node, new WorkerCounters());
            Memory buffers = Memory.allocate(Arena.ofAuto(), 8192);
            channel = new UdChannel(worker, buffers, handlers, this, UdOptions.DEFAULT, 1);
        }

        @Override
        public int packetBytes() {
            return PACKET_BYTES;
        }

        @Override
        public Memory sendMemory() {
            return send;
        }

        @Override
        public long newPacket() {
            return other.arrived - other.released < RING ? 0 : NONE;
        }

        @Override
        public void send(Destination to, int bytes) {
            int slot = other.arrived++ % RING;
            send.copy(0, other.receive, (long) slot * PACKET_BYTES, bytes);
            other.lengths[slot] = bytes;
        }

        @Override
        public void flush() {}

        @Override
        public int receive() {
            received = arrived - released;
            return received;
        }

        @Override
        public Memory receiveMemory() {
            return receive;
        }

        @Override
        public long packet(int i) {
            return (long) ((released + i) % RING) * PACKET_BYTES;
        }

        @Override
        public int packetBytes(int i) {
            return lengths[(released + i) % RING];
        }

        @Override
        public int sourceQueuePair(int i) {
            return other.worker.node();
        }

        @Override
        public void release() {
            released += received;
        }

        @Override
        public void arm() {}

        @Override
        public boolean isBroken() {
            return false;
        }

        @Override
        public void close() {}
    }
}
