package dev.rcc.transport.sim;

import dev.rcc.core.fabric.Atomicity;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.RemoteAddress;
import dev.rcc.core.worker.Completion;
import dev.rcc.transport.RecordedBatch;
import java.util.SplittableRandom;

/**
 * A doorbell batch on its way: it passes the local NIC and the link, its requests take effect on the peer one after the
 * other, and the answer comes back. There is one event under way for a batch at any time.
 *
 * <p>A READ or WRITE takes effect in pieces, which end where the peer's cache lines end, in ascending or in any order.
 * Other events may happen between two pieces. If the fault plan has stalls, the pieces of consecutive READs may come in any order
 * ({@link ReorderedReads}). A CAS or FETCH_ADD takes effect in one event if atomics are
 * {@link Atomicity#GLOBAL}. If they are {@link Atomicity#DEVICE} the NIC reads the word in one event and writes it in a
 * later one, and keeps its own other operations, but not the CPU, from the word in between.
 */
final class SimBatch extends RecordedBatch {
    /** Bytes of a cache line, and of the pieces. */
    static final int LINE_BYTES = 64;

    private static final int INITIAL_PIECES = 8;

    private final SimEndpoint endpoint;
    private final SimNetwork network;
    private final Simulation simulation;
    private final CostModel costs;
    private final int node;
    private final boolean splitsAtomics;
    private final Runnable arrive = this::arrive;
    private final Runnable takeEffect = this::takeEffect;
    private final Runnable endAtomic = this::endAtomic;
    private final Runnable nextPiece = this::nextPiece;
    private final Runnable nextLine = this::nextLine;
    private final Runnable returned = this::returned;
    private final Runnable giveUp = this::giveUp;
    private final Runnable succeed = this::succeed;
    private final Runnable fail = this::fail;

    // Once posted.
    private Completion completion;
    private SimFabric target;
    /** The batch's index in the endpoint's list of batches under way. */
    int position;

    private long deadline;
    private int next;
    private long answerBytes;
    /** Whether the queue pair has sent the batch and waits for its answer. */
    private boolean isSent;

    private Memory memory;
    private long word;
    private int pieces;
    private int piecesDone;
    private int stallBefore;
    private long stallNanos;
    private long eventsBefore;
    private int[] order = new int[INITIAL_PIECES];
    private final ReorderedReads reads = new ReorderedReads();

    SimBatch(SimEndpoint endpoint) {
        super(endpoint.counters());
        this.endpoint = endpoint;
        this.network = endpoint.network();
        this.simulation = network.simulation();
        this.costs = network.costs();
        this.node = endpoint.fabric().node();
        this.splitsAtomics = network.options().atomicity() == Atomicity.DEVICE;
    }

    /** Takes the batch out of the pool. */
    SimBatch start(int toPeer) {
        endpoint.reach(toPeer);
        open(toPeer);
        return this;
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalArgumentException when the peer has no such region; nothing has taken effect
     * @throws IndexOutOfBoundsException when an address or offset is outside its region; nothing has taken effect
     * @throws IllegalStateException when the batch writes to a cache line that an earlier batch of the same coroutine has not changed yet
     */
    @Override
    public void post(Completion waiting) {
        assert open : "a batch was posted twice";
        open = false;
        target = endpoint.reach(peer());
        try {
            checkRequests();
            endpoint.checkOrder(this, waiting);
        } catch (RuntimeException e) {
            endpoint.recycle(this);
            throw e;
        }
        waiting.add();
        completion = waiting;
        endpoint.underWay(this);
        SimWorker worker = endpoint.worker();
        worker.charge(costs.cpu().postNanos() + size * costs.cpu().requestNanos());
        deadline = worker.localNanos() + costs.detectNanos();
        next = 0;
        answerBytes = 0;
        isSent = false;
        if (target == null) {
            simulation.at(deadline, giveUp);
        } else {
            endpoint.queuePair(peer()).post(this);
        }
    }

    /** The number of READs and atomics, which the queue pair limits. */
    int reads() {
        int reads = 0;
        for (int i = 0; i < size; i++) {
            reads += isWrite(i) ? 0 : 1;
        }
        return reads;
    }

    /** Has the NIC send the batch; called by the queue pair when it has room. */
    void send() {
        isSent = true;
        long writtenBytes = writtenBytes();
        long at = Math.max(simulation.now(), endpoint.worker().localNanos());
        long sent = network.nic(node).send(at, Math.max(1, size), writtenBytes);
        endpoint.fabric().sent(peer(), writtenBytes);
        simulation.at(sent + network.passageNanos(node, peer()), arrive);
    }

    private long writtenBytes() {
        long bytes = 0;
        for (int i = 0; i < size; i++) {
            bytes += opcodes[i] == READ ? 0 : lengths[i];
        }
        return bytes;
    }

    /** The bytes of the results, including the values that atomics found. */
    private long resultBytes() {
        long bytes = 0;
        for (int i = 0; i < size; i++) {
            bytes += isWrite(i) ? 0 : lengths[i];
        }
        return bytes;
    }

    /**
     * Refuses a later batch of the same coroutine that WRITEs to a cache line, such as a tuple's header, that this batch has not changed yet:
     * the two have no order. A request that has taken effect comes first, as other coroutines may have seen it. A later atomic is allowed, as it
     * returns the value that it found.
     */
    void checkOrder(SimBatch later, Completion waiting) {
        if (completion != waiting || later.peer() != peer()) {
            return;
        }
        for (int i = next; i < size; i++) {
            for (int j = 0; opcodes[i] != READ && j < later.size; j++) {
                if (later.isWrite(j) && sharesLine(i, later, j)) {
                    throw new IllegalStateException("a batch to node " + peer() + " writes to "
                            + RemoteAddress.toString(later.addresses[j])
                            + " before an earlier batch of the same coroutine has changed "
                            + RemoteAddress.toString(addresses[i]) + ", in the same cache line: they have no order");
                }
            }
        }
    }

    private boolean isWrite(int request) {
        return opcodes[request] == WRITE || opcodes[request] == WRITE_WORD;
    }

    private boolean sharesLine(int i, SimBatch later, int j) {
        return addresses[i] / LINE_BYTES <= later.lastByte(j) / LINE_BYTES
                && later.addresses[j] / LINE_BYTES <= lastByte(i) / LINE_BYTES;
    }

    private long lastByte(int request) {
        int bytes = opcodes[request] == WRITE ? lengths[request] : Memory.WORD_BYTES;
        return addresses[request] + bytes - 1;
    }

    // ---- on the way ------------------------------------------------------------------------------------------------

    private void arrive() {
        if (isCutShort()) {
            return;
        }
        if (!network.getsThrough(node, peer())) {
            resend(arrive);
        } else {
            serveNext();
        }
    }

    private void resend(Runnable passage) {
        long again = simulation.now() + network.resendNanos();
        if (again < deadline) {
            simulation.at(again, passage);
        } else {
            simulation.at(deadline, giveUp);
        }
    }

    /** Whether the peer has stopped or fenced this node, or this node has stopped and the batch is lost with it; the batch then ends here. */
    private boolean isCutShort() {
        boolean cut = target.isStopped()
                || target.isFenced(endpoint.fabric())
                || (endpoint.fabric().isStopped() && !network.outlivesItsNode());
        if (cut) {
            simulation.at(simulation.now() + costs.detectNanos(), giveUp);
        }
        return cut;
    }

    /** Queues the next request at the peer's NIC, or sends the answer. */
    private void serveNext() {
        long now = simulation.now();
        if (next == size) {
            long sent = network.nic(peer()).answer(now, answerBytes);
            target.received(node, writtenBytes());
            target.sent(node, resultBytes());
            simulation.at(sent + network.passageNanos(peer(), node), returned);
        } else if (opcodes[next] >= CAS) {
            simulation.at(
                    splitsAtomics
                            ? beginAtomic(now)
                            : beginAtomic(now) + costs.nic().wordNanos(),
                    takeEffect);
        } else if (opcodes[next] == READ && network.reordersReads()) {
            serveReads(now);
        } else {
            simulation.at(network.nic(peer()).serve(now, next == 0), takeEffect);
        }
    }

    private long beginAtomic(long now) {
        long begin = network.nic(peer())
                .beginAtomic(
                        now,
                        next == 0,
                        endpoint.queuePair(peer()).atomicsEnd(),
                        target.region(RemoteAddress.region(addresses[next])),
                        RemoteAddress.offset(addresses[next]));
        endpoint.queuePair(peer()).atomicEnds(begin + costs.nic().wordNanos());
        return begin;
    }

    /** Queues all READs up to the next request of another kind, and has their lines come in any order. */
    private void serveReads(long now) {
        reads.clear();
        long served = now;
        for (int i = next; i < size && opcodes[i] == READ; i++) {
            served = network.nic(peer()).serve(now, i == 0);
            reads.add(i, addresses[i], lengths[i]);
        }
        reads.shuffle(network.readOrder());
        stallNanos = reads.size() > 1 ? network.faultStall() : 0;
        stallBefore = reads.size() > 1 ? 1 + network.readOrder().nextInt(reads.size() - 1) : 0;
        network.faults().add(Faults.Kind.REORDERED);
        simulation.at(served, nextLine);
    }

    private void nextLine() {
        if (isCutShort()) {
            return;
        }
        reads.take();
        int request = reads.request();
        long address = addresses[request];
        long local = locals[request] + reads.start() - RemoteAddress.offset(address);
        target.region(RemoteAddress.region(address)).copy(reads.start(), endpoint.buffers(), local, reads.bytes());
        if (reads.taken() < reads.size()) {
            long stall = reads.taken() == stallBefore ? stallNanos : 0;
            simulation.at(simulation.now() + costs.nic().pieceNanos() + stall, nextLine);
            return;
        }
        while (next < size && opcodes[next] == READ) {
            answerBytes += lengths[next++];
        }
        serveNext();
    }

    private void takeEffect() {
        if (isCutShort()) {
            return;
        }
        long offset = RemoteAddress.offset(addresses[next]);
        memory = target.region(RemoteAddress.region(addresses[next]));
        switch (opcodes[next]) {
            case CAS, FETCH_ADD -> atomic(offset);
            case WRITE_WORD -> {
                if (!waitsForAtomic(offset, Memory.WORD_BYTES, takeEffect)) {
                    memory.putLong(offset, operands[next]);
                    finishRequest();
                }
            }
            default -> beginPieces(offset);
        }
    }

    private void finishRequest() {
        if (opcodes[next] == READ) {
            answerBytes += lengths[next];
        } else {
            target.memoryChanged();
        }
        next++;
        serveNext();
    }

    private boolean waitsForAtomic(long offset, int bytes, Runnable retry) {
        long until = network.nic(peer()).lockedUntil(memory, offset, bytes);
        if (until > simulation.now()) {
            simulation.at(until, retry);
            return true;
        }
        return false;
    }

    // ---- CAS and FETCH_ADD -----------------------------------------------------------------------------------------

    private void atomic(long offset) {
        word = memory.getLong(offset);
        if (!splitsAtomics) {
            writeAtomic(offset);
            finishRequest();
            return;
        }
        long end = simulation.now() + costs.nic().wordNanos();
        network.nic(peer()).lock(memory, offset, end);
        simulation.at(end, endAtomic);
    }

    /** The second half of an atomic that is atomic only against the NIC's own operations. */
    private void endAtomic() {
        network.nic(peer()).unlock(memory, RemoteAddress.offset(addresses[next]));
        if (!isCutShort()) {
            writeAtomic(RemoteAddress.offset(addresses[next]));
            finishRequest();
        }
    }

    private void writeAtomic(long offset) {
        endpoint.buffers().putLong(locals[next], word);
        if (opcodes[next] == FETCH_ADD) {
            memory.putLong(offset, word + operands[next]);
        } else if (word == operands[next]) {
            memory.putLong(offset, desired[next]);
        }
    }

    // ---- READ and WRITE, piece by piece ----------------------------------------------------------------------------

    private void beginPieces(long offset) {
        long firstLine = offset / LINE_BYTES;
        long lastLine = (offset + Math.max(lengths[next], 1) - 1) / LINE_BYTES;
        pieces = (int) (lastLine - firstLine + 1);
        piecesDone = 0;
        eventsBefore = simulation.eventsRun();
        stallNanos = pieces > 1 ? network.faultStall() : 0;
        SplittableRandom chance = network.chance();
        if (pieces > 1) {
            stallBefore = 1 + chance.nextInt(pieces - 1);
            chooseOrder(chance);
        }
        nextPiece();
    }

    private void chooseOrder(SplittableRandom chance) {
        if (order.length < pieces) {
            order = new int[pieces];
        }
        for (int i = 0; i < pieces; i++) {
            order[i] = i;
        }
        if (chance.nextBoolean()) {
            for (int i = pieces - 1; i > 0; i--) {
                int j = chance.nextInt(i + 1);
                int swapped = order[i];
                order[i] = order[j];
                order[j] = swapped;
            }
        }
    }

    private void nextPiece() {
        if (isCutShort()) {
            return;
        }
        long start = RemoteAddress.offset(addresses[next]);
        long end = start + lengths[next];
        int piece = pieces == 1 ? 0 : order[piecesDone];
        long from = piece == 0 ? start : (start / LINE_BYTES + piece) * LINE_BYTES;
        long to = Math.min(end, (from / LINE_BYTES + 1) * LINE_BYTES);
        int bytes = (int) (to - from);
        long local = locals[next] + from - start;
        if (opcodes[next] == READ) {
            memory.copy(from, endpoint.buffers(), local, bytes);
        } else {
            if (waitsForAtomic(from, bytes, nextPiece)) {
                return;
            }
            endpoint.buffers().copy(local, memory, from, bytes);
        }
        piecesDone++;
        if (piecesDone < pieces) {
            long stall = piecesDone == stallBefore ? stallNanos : 0;
            simulation.at(simulation.now() + costs.nic().pieceNanos() + stall, nextPiece);
            return;
        }
        if (simulation.eventsRun() - eventsBefore >= pieces) {
            network.faults().add(Faults.Kind.TORN);
        }
        finishRequest();
    }

    // ---- back ------------------------------------------------------------------------------------------------------

    private void returned() {
        leaveQueuePair();
        if (endpoint.fabric().isStopped()) {
            giveUp();
        } else if (!network.getsThrough(peer(), node)) {
            deadline = Math.max(deadline, simulation.now());
            resend(returned);
        } else {
            endpoint.fabric().received(peer(), resultBytes());
            endpoint.worker().add(succeed);
        }
    }

    private void leaveQueuePair() {
        if (isSent) {
            isSent = false;
            endpoint.queuePair(peer()).returned(this);
        }
    }

    private void giveUp() {
        leaveQueuePair();
        endpoint.worker().add(fail);
    }

    private void succeed() {
        endpoint.worker().charge(costs.cpu().completionNanos());
        Completion ended = completion;
        endpoint.arrived(this);
        ended.succeed();
    }

    private void fail() {
        endpoint.worker().charge(costs.cpu().completionNanos());
        Completion ended = completion;
        endpoint.arrived(this);
        ended.fail(peer());
    }

    private void checkRequests() {
        for (int i = 0; target != null && i < size; i++) {
            long address = addresses[i];
            Memory region = target.region(RemoteAddress.region(address));
            if (region == null) {
                throw unknownRegion(address);
            }
            checkRange("the peer's region", RemoteAddress.offset(address), lengths[i], region.size());
            if (opcodes[i] != WRITE_WORD) {
                checkRange(
                        "the buffers", locals[i], lengths[i], endpoint.buffers().size());
            }
        }
    }

    private static void checkRange(String what, long offset, int bytes, long size) {
        if (offset < 0 || bytes < 0 || offset > size - bytes) {
            throw new IndexOutOfBoundsException(
                    bytes + " bytes at offset " + offset + " are not within the " + size + " bytes of " + what);
        }
    }
}
