package dev.rcc.protocols.rings;

import dev.rcc.core.fabric.RpcRequest;
import dev.rcc.core.log.LogEntry;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.txn.WorkerSite;
import dev.rcc.core.worker.Completion;
import dev.rcc.core.worker.Coroutine;
import dev.rcc.protocols.common.Calls;

/**
 * The log's side on every worker: as a backup, the RPC handlers that write into its rings; as a coordinator, the service
 * coroutine that sends the backups the decided positions when no later transaction carries them.
 */
final class RingService {
    /** Writes an entry. */
    static final int APPEND = 16;
    /** Receives the position up to which a ring is decided; returns the position up to which it is replayed. */
    static final int PROGRESS = 17;
    /** Marks an entry as aborted. */
    static final int MARK = 18;
    /** Returns the position up to which a ring is durable. */
    static final int DURABLE = 19;
    /** Marks an entry as aborted, and returns whether the mark is durable; to be called again until it is. */
    static final int MARK_DURABLY = 20;

    /** Bytes before the entry in an item of {@link #APPEND}: position, padding position, decided, length. */
    static final int APPEND_HEADER_BYTES = 4 * Memory.WORD_BYTES;

    private static final int PADDING_OFFSET = 8;
    private static final int DECIDED_OFFSET = 16;
    private static final int LENGTH_OFFSET = 24;

    private static final long ANNOUNCE_NANOS_MIN = 500_000;
    private static final long ANNOUNCE_NANOS_MAX = 8_000_000;

    private final WorkerSite site;
    private final LogTails tails;
    private final LogRings rings;
    private final LogRingLayout layout;
    private final Memory log;

    private RingService(WorkerSite site, LogTails tails, LogRings rings) {
        this.site = site;
        this.tails = tails;
        this.rings = rings;
        this.layout = rings.layout();
        this.log = rings.memory();
    }

    /** Starts the log's handlers and its announcements on a worker; {@code oneSided} as for the log stage. */
    static void serve(WorkerSite site, LogTails tails, LogRings rings, boolean oneSided) {
        RingService service = new RingService(site, tails, rings);
        site.endpoint().handle(APPEND, service::append);
        site.endpoint().handle(PROGRESS, service::progress);
        site.endpoint().handle(MARK, service::mark);
        if (service.tails.isDurable()) {
            site.endpoint().handle(DURABLE, service::durable);
            site.endpoint().handle(MARK_DURABLY, service::markDurably);
        }
        site.worker().spawn(site.serviceCoroutine(), coroutine -> service.announce(coroutine, oneSided));
    }

    /** Writes the item of {@link #APPEND} for the entry of {@code bytes} bytes that was reserved last; not the entry. */
    static void encodeAppend(Memory buffers, long item, LogTail tail, int bytes) {
        buffers.putLong(item, tail.position(bytes));
        buffers.putLong(item + PADDING_OFFSET, tail.paddingPosition());
        buffers.putLong(item + DECIDED_OFFSET, tail.decided());
        buffers.putLong(item + LENGTH_OFFSET, bytes);
    }

    private void append(RpcRequest request) {
        Memory payload = request.payload();
        int ring = ring(request);
        long item = request.payloadOffset() + Calls.HEADER_BYTES;
        long position = payload.getLong(item);
        long padding = payload.getLong(item + PADDING_OFFSET);
        int length = (int) payload.getLong(item + LENGTH_OFFSET);
        if (padding != LogTail.NO_PADDING) {
            writeKind(ring, padding, LogEntry.kindAndLength(LogEntry.PADDING, (int) (position - padding)));
        }
        long target = layout.entryOffset(ring, position);
        payload.copy(
                item + APPEND_HEADER_BYTES + LogEntry.KIND_OFFSET,
                log,
                target + LogEntry.KIND_OFFSET,
                length - LogEntry.KIND_OFFSET);
        log.putRelease(target + LogEntry.STAMP_OFFSET, LogEntry.stamp(position));
        advanceDecided(ring, payload.getLong(item + DECIDED_OFFSET));
        replyHead(request, ring);
    }

    private void progress(RpcRequest request) {
        int ring = ring(request);
        advanceDecided(ring, request.payload().getLong(request.payloadOffset() + Calls.HEADER_BYTES));
        replyHead(request, ring);
    }

    private void mark(RpcRequest request) {
        int ring = ring(request);
        long position = request.payload().getLong(request.payloadOffset() + Calls.HEADER_BYTES);
        long kind = request.payload().getLong(request.payloadOffset() + Calls.HEADER_BYTES + Memory.WORD_BYTES);
        writeKind(ring, position, kind);
        replyHead(request, ring);
    }

    private void durable(RpcRequest request) {
        reply(request, rings.durable(ring(request)));
    }

    private void markDurably(RpcRequest request) {
        int ring = ring(request);
        long position = request.payload().getLong(request.payloadOffset() + Calls.HEADER_BYTES);
        long kind = request.payload().getLong(request.payloadOffset() + Calls.HEADER_BYTES + Memory.WORD_BYTES);
        writeKind(ring, position, kind);
        reply(request, rings.isAbortDurable(ring, position) ? 1 : 0);
    }

    private static void reply(RpcRequest request, long word) {
        request.response().putLong(request.responseOffset(), word);
        request.reply(Memory.WORD_BYTES);
    }

    private static int ring(RpcRequest request) {
        return (int) Calls.headerWord(request.payload(), request.payloadOffset());
    }

    private void writeKind(int ring, long position, long kindAndLength) {
        long target = layout.entryOffset(ring, position);
        log.putLong(target + LogEntry.KIND_OFFSET, kindAndLength);
        log.putRelease(target + LogEntry.STAMP_OFFSET, LogEntry.stamp(position));
    }

    private void advanceDecided(int ring, long decided) {
        long offset = layout.decidedOffset(ring);
        if (log.getLong(offset) < decided) {
            log.putRelease(offset, decided);
        }
    }

    private void replyHead(RpcRequest request, int ring) {
        reply(request, log.getAcquire(layout.headOffset(ring)));
    }

    /** Sends the backups the decided positions, and receives the replayed ones; seldom while the rings are quiet. */
    private void announce(Coroutine coroutine, boolean oneSided) {
        Completion completion = new Completion(coroutine);
        RingProgress progress = new RingProgress(site, tails, completion, site.serviceBuffer(), oneSided);
        long intervalNanos = ANNOUNCE_NANOS_MIN;
        long[] lastTails = new long[site.catalog().placement().nodes()];
        while (true) {
            coroutine.sleep(intervalNanos);
            boolean busy = tails.isSettling();
            if (busy && settle(progress)) {
                tails.settled();
            }
            for (int backup = 0; backup < lastTails.length; backup++) {
                LogTail tail = tails.tail(backup);
                boolean carriesNews = tail.tail() != lastTails[backup]; // new entries carry the position
                lastTails[backup] = tail.tail();
                if (carriesNews) {
                    busy = true;
                } else if (tail.hasUnannounced() || !tail.isDrained()) {
                    busy |= progress.exchange(tail);
                }
            }
            intervalNanos = busy ? ANNOUNCE_NANOS_MIN : Math.min(2 * intervalNanos, ANNOUNCE_NANOS_MAX);
        }
    }

    /** Decides every undecided entry, since no attempt runs, and notifies the backups; returns whether it reached all of them. */
    private boolean settle(RingProgress progress) {
        boolean settled = true;
        for (int backup = 0; backup < site.catalog().placement().nodes(); backup++) {
            if (!tails.isLost(backup)) {
                settled &= settle(tails.tail(backup), progress);
            }
        }
        return settled;
    }

    private static boolean settle(LogTail tail, RingProgress progress) {
        for (long ticket = tail.nextUndecided(0);
                ticket != LogTail.NO_TICKET;
                ticket = tail.nextUndecided(ticket + 1)) {
            if (!progress.markAborted(tail, ticket)) {
                return false;
            }
            tail.decide(ticket);
        }
        return !tail.hasUnannounced() || progress.exchange(tail);
    }
}
