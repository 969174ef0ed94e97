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
 * <p>A READ or WRITE takes effect in {@link Pieces}, in ascending or in any order. Other events may happen between two pieces. If the fault
 * plan has stalls, the pieces of consecutive READs may come in any order, and a line may come word by word. A CAS or FETCH_ADD takes effect in
 * one event if atomics are {@link Atomicity#GLOBAL}. If they are {@link Atomicity#DEVICE} the NIC reads the word in one event and writes it in
 * a later one, and keeps its own other operations, but not the CPU, from the word in between.
 *
 * <p>A batch that comes to a cut link is sent again. Its first part may have taken effect before the cut; the rest takes effect when the link
 * is healed, or never.
 */
final class SimBatch extends RecordedBatch {
    /** Of a batch that no cut link cuts off: more than its pieces and atomics. */
    private static final int WHOLE = Integer.MAX_VALUE;

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
    private final Runnable goOn = this::goOn;
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

    /** Whether the link was cut when the batch arrived. */
    private boolean hasMetCut;
    /** The number of pieces and atomics that take effect before the cut. */
    private int effectsBeforeCut;
    /** What the cut has interrupted. */
    private Runnable interrupted;

    private Memory memory;
    private long word;
    private final Pieces pieces = new Pieces();
    /** The end of the requests whose pieces come together. */
    private int runEnd;

    private boolean isReordered;
    private int stallBefore;
    private long stallNanos;
    private long eventsBefore;

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
        hasMetCut = false;
        effectsBeforeCut = WHOLE;
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
        return addresses[i] / Pieces.LINE_BYTES <= later.lastByte(j) / Pieces.LINE_BYTES
                && later.addresses[j] / Pieces.LINE_BYTES <= lastByte(i) / Pieces.LINE_BYTES;
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
        boolean getsThrough = network.getsThrough(node, peer());
        if (getsThrough || isCutOff()) {
            serveNext();
        } else {
            resend(arrive);
        }
    }

    /** Draws, when the batch meets a cut link for the first time, whether a part of it has taken effect before the cut. */
    private boolean isCutOff() {
        int effects = effects();
        boolean isCutOff = !hasMetCut && effects > 1 && network.cutsOff();
        hasMetCut = true;
        if (isCutOff) {
            network.faults().add(Faults.Kind.CUT_OFF);
            effectsBeforeCut = 1 + network.parts().nextInt(effects - 1);
        }
        return isCutOff;
    }

    /** The number of pieces and atomics. */
    private int effects() {
        int effects = 0;
        for (int i = 0; i < size; i++) {
            effects += Pieces.count(addresses[i], lengths[i]);
        }
        return effects;
    }

    /** Whether the cut keeps the batch from its next effect; that then waits for the link. */
    private boolean isInterrupted(Runnable effect) {
        if (effectsBeforeCut-- > 0) {
            return false;
        }
        effectsBeforeCut = WHOLE;
        interrupted = effect;
        deadline = Math.max(deadline, simulation.now());
        resend(goOn);
        return true;
    }

    private void goOn() {
        if (network.getsThrough(node, peer())) {
            interrupted.run();
        } else {
            resend(goOn);
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
        } else {
            serveRun(now);
        }
    }

    /** Queues the next READ or WRITE, or all READs up to the next request of another kind, whose pieces then come in any order. */
    private void serveRun(long now) {
        isReordered = opcodes[next] == READ && network.reordersReads();
        runEnd = next;
        long served;
        do {
            served = network.nic(peer()).serve(now, runEnd == 0);
            runEnd++;
        } while (isReordered && runEnd < size && opcodes[runEnd] == READ);
        simulation.at(served, takeEffect);
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

    private void takeEffect() {
        if (isCutShort()) {
            return;
        }
        long offset = RemoteAddress.offset(addresses[next]);
        memory = target.region(RemoteAddress.region(addresses[next]));
        switch (opcodes[next]) {
            case CAS, FETCH_ADD -> {
                if (!isInterrupted(takeEffect)) {
                    atomic(offset);
                }
            }
            case WRITE_WORD -> {
                if (!waitsForAtomic(offset, Memory.WORD_BYTES, takeEffect) && !isInterrupted(takeEffect)) {
                    memory.putLong(offset, operands[next]);
                    finishRequest();
                }
            }
            default -> beginPieces();
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

    private void beginPieces() {
        pieces.clear();
        for (int i = next; i < runEnd; i++) {
            pieces.add(i, addresses[i], lengths[i]);
        }
        stallBefore = 1;
        if (pieces.size() > 1) {
            SplittableRandom chance = isReordered ? network.readOrder() : network.chance();
            stallBefore = 1 + chance.nextInt(pieces.size() - 1);
            if (isReordered || chance.nextBoolean()) {
                pieces.shuffle(0, pieces.size(), chance);
            }
        }
        if (network.tearsALine()) {
            tearALine();
        }
        eventsBefore = simulation.eventsRun();
        stallNanos = pieces.size() > 1 ? network.faultStall() : 0;
        nextPiece();
    }

    /** Has one of the lines come word by word: in ascending order where a READ begins, else in any order. */
    private void tearALine() {
        int line = network.parts().nextInt(pieces.size());
        int request = pieces.request(line);
        boolean isAscending =
                opcodes[request] == READ && pieces.start(line) == RemoteAddress.offset(addresses[request]);
        int words = pieces.tear(line);
        if (words > 1) {
            network.faults().add(Faults.Kind.TORN_LINE);
        }
        if (!isAscending) {
            pieces.shuffle(line, words, network.parts());
        }
    }

    private void nextPiece() {
        if (isCutShort()) {
            return;
        }
        int piece = pieces.taken();
        int request = pieces.request(piece);
        long address = addresses[request];
        long start = pieces.start(piece);
        int bytes = pieces.bytes(piece);
        long local = locals[request] + start - RemoteAddress.offset(address);
        boolean isRead = opcodes[request] == READ;
        if ((!isRead && waitsForAtomic(start, bytes, nextPiece)) || isInterrupted(nextPiece)) {
            return;
        }
        if (isRead) {
            target.region(RemoteAddress.region(address)).copy(start, endpoint.buffers(), local, bytes);
        } else {
            endpoint.buffers().copy(local, memory, start, bytes);
        }
        pieces.take();
        if (pieces.taken() < pieces.size()) {
            long stall = pieces.taken() == stallBefore ? stallNanos : 0;
            simulation.at(simulation.now() + costs.nic().pieceNanos() + stall, nextPiece);
        } else {
            finishPieces();
        }
    }

    private void finishPieces() {
        if (simulation.eventsRun() - eventsBefore >= pieces.size()) {
            network.faults().add(Faults.Kind.TORN);
        }
        if (isReordered) {
            network.faults().add(Faults.Kind.REORDERED);
        }
        while (next < runEnd - 1) {
            answerBytes += lengths[next++];
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
