package dev.rcc.transport.verbs.ud;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.worker.Completion;
import dev.rcc.core.worker.Worker;
import dev.rcc.transport.RpcHandlers;
import dev.rcc.transport.verbs.rpc.RpcChannel;
import java.lang.foreign.Arena;
import java.util.Arrays;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One worker's RPC over packets that may get lost. Packs the messages of a turn to one worker of a peer together, splits
 * messages that are too long for a packet and reassembles them, and fails calls that get no reply in time. No packet is sent
 * twice: a handler runs at most once for a call, and a call that fails may have been served.
 *
 * <p>Used on its worker only. Allocates nothing per call once it has met the largest number of calls and messages.
 */
final class UdChannel implements RpcChannel {
    /** The most receives in a poll, so that a flood of requests leaves turns for the coroutines. */
    private static final int RECEIVES_PER_POLL = 4;
    /** The number of times that a peer is asked for an acknowledgement that it owes, within the time-out of a call. */
    private static final int PROBES_PER_TIMEOUT = 8;

    /** The most packets that are kept of nodes not yet connected here: of two nodes, the first to connect may send earlier. */
    private static final int EARLY_PACKETS = 64;

    private static final int INITIAL_CALLS = 16;
    private static final Logger LOG = LoggerFactory.getLogger(UdChannel.class);

    private final Worker worker;
    private final Memory buffers;
    private final RpcHandlers handlers;
    private final PacketPort port;
    private final UdOptions options;
    private final long identity;
    private final int firstGeneration;
    private final UdCounters counters = new UdCounters();

    private UdPeer[][] peers = {};

    /** The peers with messages, acknowledgements or probes to send, in turn. */
    private UdPeer[] pending = new UdPeer[INITIAL_CALLS];

    private int pendingCount;
    private boolean portIsFull;

    private UdCall[] calls = new UdCall[INITIAL_CALLS];
    private int callCount;
    private UdCall[] freeCalls = new UdCall[INITIAL_CALLS];
    private int freeCallCount;

    private UdRequest[] freeRequests = new UdRequest[INITIAL_CALLS];
    private int freeRequestCount;
    private int requestCount;

    /** The ends of the list of outstanding calls in the order of their deadlines. */
    private UdCall earliest;

    private UdCall latest;

    /** Packets of nodes that are not connected yet, to be handled when a node connects; null before the first packet. */
    private Memory early;

    private final int[] earlyBytes = new int[EARLY_PACKETS];
    private final int[] earlySources = new int[EARLY_PACKETS];
    private int earlyCount;

    private boolean saidMalformed;
    private boolean saidTimedOut;
    private boolean saidTooMany;

    /**
     * A channel without peers.
     *
     * @param incarnation distinguishes this run of the node from earlier ones
     */
    UdChannel(
            Worker worker, Memory buffers, RpcHandlers handlers, PacketPort port, UdOptions options, int incarnation) {
        this.worker = worker;
        this.buffers = buffers;
        this.handlers = handlers;
        this.port = port;
        this.options = options;
        this.identity = UdPacketLayout.identity(worker.node(), worker.index(), incarnation);
        this.firstGeneration = incarnation; // a number that an earlier run is unlikely to have used
    }

    Memory buffers() {
        return buffers;
    }

    @Override
    public int messageBytesMax() {
        return options.messageBytesMax();
    }

    UdCounters counters() {
        return counters;
    }

    /** Calls that exist, for tests of the pool. */
    int callsMade() {
        return callCount;
    }

    /** Requests that exist, for tests of the pool. */
    int requestsMade() {
        return requestCount;
    }

    /** Requests that are not in use, for tests of the pool. */
    int requestsFree() {
        return freeRequestCount;
    }

    // Connecting and disconnecting peers.

    /** A node can be reached from now on; {@code workers} are its workers in the order of their indexes. Replaces earlier ones. */
    void connect(int node, UdPeer[] workers) {
        disconnect(node);
        if (node >= peers.length) {
            peers = Arrays.copyOf(peers, node + 1);
        }
        peers[node] = workers;
        warnOfTooManyTalkers();
        handleEarlyPackets();
    }

    /** A node cannot be reached any more: fails all calls to it. */
    void disconnect(int node) {
        UdPeer[] gone = node < peers.length ? peers[node] : null;
        if (gone == null) {
            return;
        }
        peers[node] = null;
        for (UdPeer peer : gone) {
            peer.close();
        }
        removeClosedFromPending();
        for (UdCall call = earliest, later; call != null; call = later) {
            later = call.later;
            if (call.peer.node() == node) {
                fail(call);
            }
        }
    }

    private void removeClosedFromPending() {
        int kept = 0;
        for (int i = 0; i < pendingCount; i++) {
            UdPeer peer = pending[i];
            if (peer.isClosed()) {
                peer.pending = false;
            } else {
                pending[kept++] = peer;
            }
        }
        Arrays.fill(pending, kept, pendingCount, null);
        pendingCount = kept;
    }

    /** Warns if too many workers call this one: a node's worker calls the worker here with its index, modulo the number of workers here. */
    private void warnOfTooManyTalkers() {
        int talkers = 0;
        for (UdPeer[] ofNode : peers) {
            talkers += ofNode == null ? 0 : Math.ceilDiv(ofNode.length, workersHere());
        }
        if (talkers > options.talkersMax() && !saidTooMany) {
            saidTooMany = true;
            LOG.warn(
                    "event=receive_packets_few node={} workers={} worker={} room={}: calls by RPC over UD can fail under load; use fewer workers",
                    worker.node(),
                    talkers,
                    worker.index(),
                    options.talkersMax());
        }
    }

    private int workersHere() {
        UdPeer[] own = worker.node() < peers.length ? peers[worker.node()] : null;
        return own == null ? 1 : own.length;
    }

    // The caller's side.

    @Override
    public void call(
            int node,
            int rpcId,
            long requestOffset,
            int requestBytes,
            long replyOffset,
            int replyBytes,
            Completion completion) {
        UdPeer[] workers = node < peers.length ? peers[node] : null;
        if (workers == null || port.isBroken()) {
            completion.fail(node);
            return;
        }
        if (requestBytes > options.messageBytesMax()) {
            LOG.error(
                    "event=request_too_long bytes={} rpc={} peer={} allowed={}: for RPC over UD",
                    requestBytes,
                    rpcId,
                    node,
                    options.messageBytesMax());
            completion.fail(node);
            return;
        }
        UdCall call = freeCallCount > 0 ? freeCalls[--freeCallCount] : newCall();
        UdPeer peer = workers[worker.index() % workers.length];
        call.start(peer, rpcId, completion, worker.nanoTime() + options.callTimeoutNanos());
        call.place(requestOffset, requestBytes, replyOffset, replyBytes);
        addLatest(call);
        send(call);
    }

    private UdCall newCall() {
        if (callCount == calls.length) {
            calls = Arrays.copyOf(calls, callCount * 2);
            freeCalls = Arrays.copyOf(freeCalls, callCount * 2);
        }
        UdCall call = new UdCall(this, callCount, firstGeneration);
        calls[callCount++] = call;
        return call;
    }

    /** Returns a call to the pool. */
    void recycle(UdCall call) {
        call.peer = null;
        freeCalls[freeCallCount++] = call;
    }

    private void addLatest(UdCall call) {
        call.earlier = latest;
        call.later = null;
        if (latest == null) {
            earliest = call;
        } else {
            latest.later = call;
        }
        latest = call;
    }

    private void remove(UdCall call) {
        if (call.earlier == null) {
            earliest = call.later;
        } else {
            call.earlier.later = call.later;
        }
        if (call.later == null) {
            latest = call.earlier;
        } else {
            call.later.earlier = call.earlier;
        }
        call.earlier = null;
        call.later = null;
    }

    /** Ends a call. If it still waits to be sent, it returns to the pool when it leaves its queue. */
    private Completion end(UdCall call) {
        remove(call);
        Completion completion = call.end();
        if (!call.queued) {
            recycle(call);
        }
        return completion;
    }

    private void fail(UdCall call) {
        int node = call.peer.node();
        end(call).fail(node);
    }

    private int failLateCalls() {
        if (earliest == null) {
            return 0;
        }
        int failed = 0;
        long now = worker.nanoTime();
        while (earliest != null && (earliest.deadlineNanos - now <= 0 || port.isBroken())) {
            if (!port.isBroken()) {
                counters.callsTimedOut++;
                sayTimedOut(earliest);
            }
            fail(earliest);
            failed++;
        }
        return failed;
    }

    private void sayTimedOut(UdCall call) {
        if (!saidTimedOut) {
            saidTimedOut = true;
            LOG.warn(
                    "event=rpc_timed_out node={} rpc={} peer={} ms={}: it has failed; further ones are only counted",
                    worker.node(),
                    call.rpcId,
                    call.peer.node(),
                    options.callTimeoutNanos() / 1_000_000);
        }
    }

    // Sending.

    /** Queues a request or reply. */
    void send(UdMessage message) {
        UdPeer peer = message.peer;
        if (peer.isClosed()) {
            message.left();
            return;
        }
        peer.enqueue(message);
        addPending(peer);
    }

    private void addPending(UdPeer peer) {
        if (peer.pending) {
            return;
        }
        peer.pending = true;
        if (pendingCount == pending.length) {
            pending = Arrays.copyOf(pending, pendingCount * 2);
        }
        pending[pendingCount++] = peer;
    }

    private int flush() {
        if (pendingCount == 0 || port.isBroken()) {
            portIsFull = false; // what waits for a broken port waits for good, and is no work
            return 0;
        }
        long before = counters.packetsSent;
        portIsFull = false;
        int kept = 0;
        for (int i = 0; i < pendingCount; i++) {
            UdPeer peer = pending[i];
            if (portIsFull || !flush(peer)) {
                pending[kept++] = peer;
            } else {
                peer.pending = false;
            }
        }
        Arrays.fill(pending, kept, pendingCount, null);
        pendingCount = kept;
        port.flush();
        return (int) (counters.packetsSent - before);
    }

    /** Sends the messages that wait for a peer, as far as there is room and credit. Returns whether all are sent. */
    private boolean flush(UdPeer peer) {
        dropAbandoned(peer);
        while (peer.head() != null && peer.hasCredit()) {
            if (!sendPacket(peer)) {
                return false;
            }
            dropAbandoned(peer);
        }
        if (peer.head() != null && !peer.waitsForCredit) {
            peer.waitsForCredit = true;
            peer.waitingSinceNanos = worker.nanoTime();
        } else if (peer.head() == null) {
            peer.waitsForCredit = false;
        }
        if ((peer.acknowledgementDue || peer.probeDue) && !sendPacket(peer)) {
            return false;
        }
        return peer.head() == null;
    }

    private static void dropAbandoned(UdPeer peer) {
        while (peer.head() != null && peer.head().isAbandoned()) {
            peer.dequeue();
        }
    }

    /** Sends one packet: with as many fragments as fit if there is credit, else with none. Returns false if the port is full. */
    private boolean sendPacket(UdPeer peer) {
        long packet = port.newPacket();
        if (packet == PacketPort.NONE) {
            portIsFull = true;
            return false;
        }
        Memory memory = port.sendMemory();
        int room = peer.packetBytes();
        int at = UdPacketLayout.HEADER_BYTES;
        int fragments = 0;
        while (peer.hasCredit() && peer.head() != null && fragments < UdPacketLayout.FRAGMENTS_MAX) {
            UdMessage message = peer.head();
            int left = message.bytes - message.packed;
            int fits = room - at - UdPacketLayout.FRAGMENT_BYTES;
            if (left > fits && fragments > 0) {
                break; // the message starts in a packet of its own, so that it takes the fewest packets
            }
            int part = left <= fits ? left : fits & -Memory.WORD_BYTES;
            at += pack(message, part, memory, packet + at);
            fragments++;
            if (message.packed == message.bytes) {
                peer.dequeue();
                dropAbandoned(peer);
            }
        }
        if (fragments > 0) {
            peer.waitsForCredit = false;
        }
        peer.writeHeader(memory, packet, identity, fragments, at);
        port.send(peer.destination(), at);
        counters.packetsSent++;
        return true;
    }

    /** Writes the next part of a message. Returns the number of bytes in the packet. */
    private static int pack(UdMessage message, int part, Memory memory, long fragment) {
        UdPacketLayout.putFragment(
                memory, fragment, message.slot, message.generation, message.kind, message.rpcId, part, message.packed);
        int replyRoom = message.kind == UdPacketLayout.REQUEST ? message.replyRoom : 0;
        UdPacketLayout.putMessage(memory, fragment, message.bytes, replyRoom);
        message.source()
                .copy(message.sourceOffset() + message.packed, memory, fragment + UdPacketLayout.FRAGMENT_BYTES, part);
        message.packed += part;
        return UdPacketLayout.FRAGMENT_BYTES + Memory.alignToWord(part);
    }

    private void probe() {
        for (int i = 0; i < pendingCount; i++) {
            UdPeer peer = pending[i];
            if (peer.waitsForCredit) {
                long now = worker.nanoTime();
                if (now - peer.waitingSinceNanos >= options.callTimeoutNanos() / PROBES_PER_TIMEOUT) {
                    peer.waitingSinceNanos = now;
                    peer.probeDue = true;
                    counters.probes++;
                }
            }
        }
    }

    // Receiving.

    private int receive() {
        int count = 0;
        for (int i = 0; i < RECEIVES_PER_POLL; i++) {
            int received = port.receive();
            if (received == 0) {
                break;
            }
            for (int p = 0; p < received; p++) {
                handlePacket(port.receiveMemory(), port.packet(p), port.packetBytes(p), port.sourceQueuePair(p));
            }
            port.release();
            count += received;
        }
        return count;
    }

    private void handlePacket(Memory memory, long packet, int length, int sourceQueuePair) {
        String flaw = UdPacketLayout.flaw(memory, packet, length, options.messageBytesMax());
        if (flaw != null) {
            dropMalformed(flaw, sourceQueuePair);
            return;
        }
        UdPeer peer = sender(memory, packet, sourceQueuePair);
        if (peer == null || peer.isOfLaterSession(memory, packet)) {
            keepOrDrop(memory, packet, length, sourceQueuePair);
            return;
        }
        if (!peer.accept(memory, packet, counters)) {
            counters.packetsRepeated++;
            return;
        }
        counters.packetsReceived++;
        if (peer.acknowledgementDue) {
            addPending(peer);
        }
        long fragment = packet + UdPacketLayout.HEADER_BYTES;
        for (int i = 0, n = UdPacketLayout.fragments(memory, packet); i < n; i++) {
            if (UdPacketLayout.kind(memory, fragment) == UdPacketLayout.REQUEST) {
                handleRequest(peer, memory, fragment);
            } else {
                handleReply(peer, memory, fragment);
            }
            fragment +=
                    UdPacketLayout.FRAGMENT_BYTES + Memory.alignToWord(UdPacketLayout.fragmentBytes(memory, fragment));
        }
    }

    /** Keeps a packet of a node or connection that may not be known yet, or drops it. */
    private void keepOrDrop(Memory memory, long packet, int length, int sourceQueuePair) {
        if (earlyCount == EARLY_PACKETS || memory == early) {
            counters.packetsOfUnknownPeers++;
            return;
        }
        if (early == null) {
            early = Memory.allocate(Arena.ofAuto(), (long) EARLY_PACKETS * port.packetBytes());
        }
        memory.copy(packet, early, (long) earlyCount * port.packetBytes(), length);
        earlyBytes[earlyCount] = length;
        earlySources[earlyCount] = sourceQueuePair;
        earlyCount++;
    }

    /** A peer has connected: handles the kept packets of that peer, and drops the others. */
    private void handleEarlyPackets() {
        int count = earlyCount;
        for (int i = 0; i < count; i++) {
            handlePacket(early, (long) i * port.packetBytes(), earlyBytes[i], earlySources[i]);
        }
        earlyCount = 0;
    }

    private UdPeer sender(Memory memory, long packet, int sourceQueuePair) {
        int node = UdPacketLayout.node(memory, packet);
        UdPeer[] workers = node < peers.length ? peers[node] : null;
        int index = UdPacketLayout.worker(memory, packet);
        if (workers == null || index >= workers.length) {
            return null;
        }
        UdPeer peer = workers[index];
        return peer.isFrom(memory, packet, sourceQueuePair) ? peer : null;
    }

    private void dropMalformed(String why, int sourceQueuePair) {
        counters.packetsMalformed++;
        if (!saidMalformed) {
            saidMalformed = true;
            LOG.warn(
                    "event=packet_dropped node={} queue_pair={}: {}; further ones are only counted",
                    worker.node(),
                    sourceQueuePair,
                    why);
        }
    }

    private void handleRequest(UdPeer peer, Memory memory, long fragment) {
        int message = UdPacketLayout.messageBytes(memory, fragment);
        int part = UdPacketLayout.fragmentBytes(memory, fragment);
        UdRequest request = peer.arriving(memory, fragment);
        boolean isFirst = request == null;
        if (isFirst) {
            request = freeRequestCount > 0 ? freeRequests[--freeRequestCount] : newRequest();
            request.start(peer, memory, fragment);
        } else if (!request.canTake(message, part)) {
            dropMalformed("it contradicts an earlier one of its request", 0);
            return;
        }
        if (!request.take(memory, fragment)) {
            if (isFirst) {
                peer.addArriving(request);
            }
            return;
        }
        if (!isFirst) {
            peer.removeArriving(request);
        }
        request.serve();
        handlers.serve(request);
    }

    private UdRequest newRequest() {
        requestCount++;
        return new UdRequest(this);
    }

    /** Returns a request to the pool. */
    void recycle(UdRequest request) {
        if (freeRequestCount == freeRequests.length) {
            freeRequests = Arrays.copyOf(freeRequests, freeRequestCount * 2);
        }
        freeRequests[freeRequestCount++] = request;
    }

    private void handleReply(UdPeer peer, Memory memory, long fragment) {
        int slot = UdPacketLayout.slot(memory, fragment);
        UdCall call = slot >= 0 && slot < callCount ? calls[slot] : null;
        if (call == null
                || call.completion == null
                || call.generation != UdPacketLayout.generation(memory, fragment)
                || call.peer != peer) {
            counters.repliesLate++;
            return;
        }
        if (UdPacketLayout.kind(memory, fragment) == UdPacketLayout.FAILURE) {
            fail(call);
            return;
        }
        if (!call.canTake(
                UdPacketLayout.messageBytes(memory, fragment), UdPacketLayout.fragmentBytes(memory, fragment))) {
            dropMalformed("its reply does not fit the call", 0);
            return;
        }
        if (call.take(memory, fragment, buffers)) {
            end(call).succeed();
        }
    }

    // Turns.

    /** {@inheritDoc} Never 0 while packets wait only for room in the device. */
    @Override
    public int poll() {
        int work = flush() + receive() + failLateCalls();
        if (pendingCount > 0 && !port.isBroken()) {
            probe();
            work += flush();
            return portIsFull ? work + 1 : work;
        }
        return work;
    }

    @Override
    public void arm() {
        port.arm();
    }

    /** Closes the channel, after the worker has ended. */
    void close() {
        if (counters.hasTrouble()) {
            LOG.info("event=ud_counters node={} worker={}: {}", worker.node(), worker.index(), counters);
        }
        port.close();
    }
}
