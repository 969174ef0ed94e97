package dev.rcc.protocols.rings;

import dev.rcc.core.log.LogEntry;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.txn.BufferSlice;
import dev.rcc.core.txn.WorkerSite;
import dev.rcc.core.worker.Completion;
import dev.rcc.protocols.common.Calls;

/**
 * The messages between a coordinator and a backup about a ring, other than its entries: how far it is decided, how far it has been
 * replayed, and which entry must not be replayed. They go by RPC or one-sided, as in the log stage. Used on one coroutine.
 */
final class RingProgress {
    private static final int REQUEST_BYTES = Calls.HEADER_BYTES + 2 * Memory.WORD_BYTES;

    private final WorkerSite site;
    private final LogTails tails;
    private final Completion completion;
    private final boolean oneSided;
    private final long request;
    private final long reply;

    RingProgress(WorkerSite site, LogTails tails, Completion completion, BufferSlice buffer, boolean oneSided) {
        this.site = site;
        this.tails = tails;
        this.completion = completion;
        this.oneSided = oneSided;
        this.request = buffer.keep(REQUEST_BYTES);
        this.reply = buffer.keep(Memory.WORD_BYTES);
    }

    /**
     * Sends the backup the position up to which the ring is decided, and receives the position up to which it has replayed the ring.
     *
     * @return false if the backup cannot be reached
     */
    boolean exchange(LogTail tail) {
        long decided = tail.decided();
        if (!oneSided) {
            call(RingService.PROGRESS, tail, decided, 0);
        } else {
            site.endpoint()
                    .batch(tail.backup())
                    .writeWord(decided, tails.decidedAddress(tail))
                    .read(tails.headAddress(tail), Memory.WORD_BYTES, reply)
                    .post(completion);
        }
        if (!completion.await()) {
            return false;
        }
        tail.announced(decided);
        tail.head(site.buffers().getAcquire(reply));
        return true;
    }

    /**
     * Marks an entry as aborted, and the bytes before it as padding if it has padding: perhaps neither has arrived.
     *
     * @return false if the backup cannot be reached or, where entries have to be durable, the mark is not durable there yet
     */
    boolean markAborted(LogTail tail, long ticket) {
        long start = tail.startOf(ticket);
        int padding = tail.paddingBefore(ticket);
        int bytes = (int) (tail.endOf(ticket) - start);
        if (tails.isDurable()) {
            return markDurably(tail, start - padding, LogEntry.kindAndLength(LogEntry.PADDING, padding))
                    && markDurably(tail, start, LogEntry.kindAndLength(LogEntry.ABORTED, bytes));
        }
        return (padding == 0 || mark(tail, start - padding, LogEntry.kindAndLength(LogEntry.PADDING, padding)))
                && mark(tail, start, LogEntry.kindAndLength(LogEntry.ABORTED, bytes));
    }

    private boolean mark(LogTail tail, long position, long kindAndLength) {
        if (!oneSided) {
            call(RingService.MARK, tail, position, kindAndLength);
        } else {
            long target = tails.entryAddress(tail, position);
            site.endpoint()
                    .batch(tail.backup())
                    .writeWord(kindAndLength, target + LogEntry.KIND_OFFSET)
                    .writeWord(LogEntry.stamp(position), target + LogEntry.STAMP_OFFSET)
                    .post(completion);
        }
        return completion.await();
    }

    /** Marks by a call, whatever the primitive: the backup has to make the mark durable. */
    private boolean markDurably(LogTail tail, long position, long kindAndLength) {
        if (LogEntry.length(kindAndLength) == 0) {
            return true; // no padding
        }
        call(RingService.MARK_DURABLY, tail, position, kindAndLength);
        return completion.await() && site.buffers().getLong(reply) != 0;
    }

    /**
     * Asks the backup for the position up to which the ring is durable there. It does so by a call, whatever the primitive: the call
     * also makes a sleeping backup look into its rings.
     *
     * @return false if the backup cannot be reached
     */
    boolean askDurable(LogTail tail) {
        call(RingService.DURABLE, tail, 0, 0);
        if (!completion.await()) {
            return false;
        }
        tail.durable(site.buffers().getLong(reply));
        return true;
    }

    private void call(int rpcId, LogTail tail, long first, long second) {
        Memory buffers = site.buffers();
        encode(buffers, request, tail, first);
        buffers.putLong(request + Calls.HEADER_BYTES + Memory.WORD_BYTES, second);
        site.endpoint().call(tail.backup(), rpcId, request, REQUEST_BYTES, reply, Memory.WORD_BYTES, completion);
    }

    /** Writes a request of one item about a ring: its header, and the item's first word. */
    static void encode(Memory buffers, long request, LogTail tail, long first) {
        buffers.putLong(request, 1);
        buffers.putLong(request + Memory.WORD_BYTES, tail.ring());
        buffers.putLong(request + Calls.HEADER_BYTES, first);
    }
}
