package dev.rcc.transport.verbs;

import dev.rcc.core.memory.RemoteAddress;
import dev.rcc.core.worker.Completion;
import dev.rcc.transport.RecordedBatch;
import dev.rcc.transport.verbs.ibv.MemoryRegion;
import dev.rcc.transport.verbs.ibv.SendFlags;
import dev.rcc.transport.verbs.ibv.SendWrs;

/**
 * A doorbell batch that the NIC carries out. Posting checks all of it, then hands it to one of the connections to the peer,
 * which has it written into work requests as its send queue has room.
 *
 * <p>The batch keeps the promised order like this. A reliable connection's responder carries out WRITEs and atomics as they arrive,
 * and they arrive in order; a READ comes after the WRITEs and atomics before it. The responder may fetch the bytes of a READ late, and
 * the results of READs and atomics may come back late. So (InfiniBand Architecture Specification, volume 1, 10.8.3.3:
 * ordering of work requests; {@link Fences}):
 * <ul>
 *   <li>A WRITE, CAS or FETCH_ADD that follows a READ waits until the READ returns (a fence), as the READ might see its effect. That
 *       is a round trip: a coordinator that locks and reads many records in one batch appends all atomics first.
 *   <li>A WRITE whose source overlaps the result of an earlier atomic also takes a fence, as it might send the former bytes.
 *   <li>A READ after atomics and WRITEs, and these among themselves, are ordered without a fence.
 *   <li>A READ after a READ has no order, and is promised none: the specification orders the two requests and their responses,
 *       but the responder fetches the bytes over PCIe, which may complete a read before an earlier one (Liew et al., Efficient
 *       Remote Memory Ordering for Non-Coherent Systems, ASPLOS 2026). An atomic's read is stronger than a READ's (Specifying
 *       and Verifying RDMA Synchronisation, arXiv 2601.14642).
 *   <li>The words of one cache line are fetched at once: the responder's memory is coherent, line by line. FaRM's versions in each
 *       line rely on the same property (Dragojevic et al., NSDI 2014).
 * </ul>
 *
 * <p>A short WRITE carries its bytes inline, so that the NIC need not fetch them, unless a READ or an atomic of the same batch
 * has yet to return some of them.
 */
final class VerbsBatch extends RecordedBatch {
    private final VerbsEndpoint endpoint;
    private final MemoryRegion buffers;
    private final int messageBytesMax;

    private Completion completion;
    private PeerRegions regions;
    /** The first request that is not fully posted. */
    private int next;
    /** Bytes of that request that are posted. */
    private int nextByte;

    private final Fences fences = new Fences();
    /** Bounds of the offsets that the filled requests of this batch return bytes to. */
    private long returnedStart;

    private long returnedEnd;

    VerbsBatch(VerbsEndpoint endpoint, MemoryRegion buffers, int messageBytesMax) {
        super(endpoint.counters());
        this.endpoint = endpoint;
        this.buffers = buffers;
        this.messageBytesMax = messageBytesMax;
    }

    /** Takes the batch out of the pool. */
    VerbsBatch start(int toPeer) {
        open(toPeer);
        return this;
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalArgumentException when the peer has no such region, or an address is outside its region; nothing takes
     *     effect then
     * @throws IndexOutOfBoundsException when an offset is outside the buffers; nothing takes effect then
     */
    @Override
    public void post(Completion toTell) {
        assert open : "a batch was posted twice";
        open = false;
        endpoint.post(this, toTell);
    }

    /** Checks all requests against the peer's registered regions, before any is posted. */
    void check(PeerRegions peersRegions) {
        for (int i = 0, n = size; i < n; i++) {
            if (!peersRegions.covers(addresses[i], lengths[i])) {
                throw outside(peersRegions, i);
            }
            if (opcodes[i] != WRITE_WORD) {
                buffers.address(locals[i], lengths[i]);
            }
        }
    }

    /** Begins the posting. */
    void begin(PeerRegions peersRegions, Completion toTell) {
        regions = peersRegions;
        completion = toTell;
        next = 0;
        nextByte = 0;
        fences.begin();
        returnedStart = Long.MAX_VALUE;
        returnedEnd = Long.MIN_VALUE;
    }

    boolean isAllFilled() {
        return next == size;
    }

    /** Completes the batch as succeeded. */
    void succeed() {
        completion.succeed();
    }

    /** Completes the batch as failed. */
    void fail() {
        completion.fail(peer());
    }

    /**
     * Writes the next requests into work requests; the caller signals the last one.
     *
     * @param wrs the memory of the work requests
     * @param room the most work requests to write, at least 1
     * @param wrId the number that each work request gets
     * @param inlineBytes the number of bytes that a work request may carry inline
     * @return the number of work requests written
     */
    int fill(SendWrs wrs, int room, long wrId, int inlineBytes) {
        int count = 0;
        long base = buffers.base();
        int lkey = endpoint.lkey();
        int i = next;
        int n = size;
        while (i < n && count < room) {
            long remote = regions.virtualAddress(addresses[i]);
            int rkey = regions.rkey(addresses[i]);
            long local = base + locals[i];
            switch (opcodes[i]) {
                case READ -> {
                    int bytes = Math.min(lengths[i] - nextByte, messageBytesMax);
                    wrs.read(count, wrId, local + nextByte, bytes, lkey, remote + nextByte, rkey, 0);
                    fences.read();
                    addReturned(locals[i], lengths[i]);
                    nextByte += bytes;
                }
                case WRITE -> {
                    int bytes = Math.min(lengths[i] - nextByte, messageBytesMax);
                    int flags = flags(fences.write(locals[i], lengths[i]));
                    wrs.write(count, wrId, local + nextByte, bytes, lkey, remote + nextByte, rkey, flags);
                    if (lengths[i] <= inlineBytes && isThere(locals[i], bytes)) {
                        wrs.inline(count, buffers.memory(), locals[i], bytes);
                    }
                    nextByte += bytes;
                }
                case WRITE_WORD -> {
                    wrs.writeWord(count, wrId, operands[i], remote, rkey, flags(fences.writeWord()));
                    nextByte = lengths[i];
                }
                case CAS -> {
                    int flags = flags(fences.atomic(locals[i]));
                    wrs.cas(count, wrId, local, lkey, remote, rkey, operands[i], desired[i], flags);
                    addResult(locals[i]);
                }
                case FETCH_ADD -> {
                    int flags = flags(fences.atomic(locals[i]));
                    wrs.fetchAdd(count, wrId, local, lkey, remote, rkey, operands[i], flags);
                    addResult(locals[i]);
                }
                default -> throw new AssertionError("opcode " + opcodes[i]);
            }
            count++;
            if (nextByte == lengths[i]) {
                nextByte = 0;
                i++;
            }
        }
        next = i;
        return count;
    }

    private static int flags(boolean fence) {
        return fence ? SendFlags.FENCE : 0;
    }

    private void addResult(long local) {
        addReturned(local, Long.BYTES);
        nextByte = Long.BYTES;
    }

    private void addReturned(long local, int bytes) {
        returnedStart = Math.min(returnedStart, local);
        returnedEnd = Math.max(returnedEnd, local + bytes);
    }

    /** Whether there are bytes to send, and the buffers contain them already. */
    private boolean isThere(long local, int bytes) {
        return bytes > 0 && (local >= returnedEnd || local + bytes <= returnedStart);
    }

    private IllegalArgumentException outside(PeerRegions peersRegions, int i) {
        long address = addresses[i];
        int region = RemoteAddress.region(address);
        return peersRegions.has(region)
                ? new IllegalArgumentException("region " + region + " of node " + RemoteAddress.node(address) + " has "
                        + peersRegions.lengthOf(region) + " bytes, asked for " + lengths[i] + " at "
                        + RemoteAddress.toString(address))
                : unknownRegion(address);
    }
}
