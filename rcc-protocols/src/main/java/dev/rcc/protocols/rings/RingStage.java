package dev.rcc.protocols.rings;

import dev.rcc.core.cluster.Placement;
import dev.rcc.core.fabric.Batch;
import dev.rcc.core.log.LogEntry;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.replication.LogStage;
import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Transaction;
import dev.rcc.core.txn.TransactionTooLarge;
import dev.rcc.core.txn.WorkerSite;
import dev.rcc.protocols.common.Batches;
import dev.rcc.protocols.common.Calls;
import dev.rcc.protocols.common.PeerRetry;

/**
 * The log stage: the coordinator writes the transaction's write set into its ring on every
 * backup of every partition that it writes, and the transaction is decided once all of them have acknowledged (rcc, 4.1).
 *
 * <p>One-sided, an entry is one batch: WRITE of the entry, WRITE of its stamp, WRITE of how far the ring is decided. By RPC, the handler
 * does the same from the request. Either way the backup's CPU replays the entry later. {@link RingService} notifies the backup of the last
 * decisions, and the coordinator of the room that the replay makes.
 *
 * <p>Where the data is durable, a backup has logged an entry when the entry is on its disk. The backup's worker finds the entry in the
 * ring, whichever way it came, and the coordinator asks until the entry is durable.
 */
final class RingStage implements LogStage {
    /** How long a transaction waits for room in a ring before it aborts. */
    private static final long FULL_TIMEOUT_NANOS = 2_000_000_000L;

    private static final long FULL_BACKOFF_NANOS_MIN = 20_000;
    private static final long FULL_BACKOFF_NANOS_MAX = 320_000;
    private static final long MARK_AGAIN_NANOS = 100_000;
    private static final long DURABLE_LOOK_NANOS_MIN = 50_000;
    private static final long DURABLE_LOOK_NANOS_MAX = 400_000;

    private final WorkerSite site;
    private final Transaction txn;
    private final LogTails tails;
    private final boolean oneSided;
    private final RingProgress progress;
    private final PeerRetry retry;
    private final Batches batches;
    private final Calls calls;
    /** The nodes that log the transaction. */
    private final int[] backups;

    private final long[] tickets;
    /** By index in {@link #backups}: whether the entry there must stay until the attempt has ended. */
    private final boolean[] held;

    private int count;
    private boolean holds;

    /** The log stage of {@code txn}'s coroutine. */
    RingStage(WorkerSite site, LogTails tails, Transaction txn, boolean oneSided) {
        int nodes = site.catalog().placement().nodes();
        this.site = site;
        this.txn = txn;
        this.tails = tails;
        this.oneSided = oneSided;
        this.progress = new RingProgress(site, tails, txn.completion(), txn.buffer(), oneSided);
        this.retry = new PeerRetry(site, txn);
        this.batches = new Batches(site.endpoint(), nodes);
        this.calls = new Calls(site.endpoint(), txn.buffer(), nodes);
        this.backups = new int[nodes];
        this.tickets = new long[nodes];
        this.held = new boolean[nodes];
        txn.onEnd(this::decideHeld);
    }

    @Override
    public boolean log() {
        collectBackups();
        if (tails.isDurable() && !canBeDurable()) {
            txn.abort(AbortReason.PEER_UNREACHABLE);
            txn.logFailed();
            return false;
        }
        if (count == 0) {
            txn.logBegins(); // no backup is left: from here on the primaries show its writes
            return true;
        }
        int bytes = LogEntry.bytes(txn);
        if (!tails.tail(backups[0]).canEverFit(bytes)) {
            throw new TransactionTooLarge(
                    "the log entry of a transaction's writes",
                    bytes,
                    tails.layout().ringBytes() / 2,
                    "write less, or configure larger log rings (log-ring-bytes): an entry may take at most half a"
                            + " ring");
        }
        if (!waitForRoom(bytes)) {
            txn.logFailed();
            return false;
        }
        long entry = txn.buffer().allocate(bytes);
        LogEntry.encode(txn, entry, bytes);
        if (!oneSided) {
            layOut(bytes); // first: it is nothing to announce if the network does not carry it
        }
        txn.logBegins();
        boolean arrived = oneSided ? writeOneSided(entry, bytes) : writeByRpc(entry, bytes);
        boolean acknowledged = arrived && (!tails.isDurable() || awaitDurable());
        for (int i = 0; i < count; i++) {
            LogTail tail = tails.tail(backups[i]);
            if (acknowledged ? !held[i] : markAborted(tail, tickets[i])) {
                tail.decide(tickets[i]);
            }
        }
        holds = acknowledged;
        if (!acknowledged) {
            txn.abort(AbortReason.PEER_UNREACHABLE);
            txn.logFailed();
        }
        return acknowledged;
    }

    @Override
    public LogStage acknowledged() {
        return new AcknowledgedStage(site, this, txn);
    }

    /** Number of nodes that log the transaction. */
    int tails() {
        return count;
    }

    /** The write end of the ring on the {@code i}-th of these nodes. */
    LogTail tail(int i) {
        return tails.tail(backups[i]);
    }

    private void collectBackups() {
        Placement placement = site.catalog().placement();
        count = 0;
        for (int i = 0; i < txn.size(); i++) {
            Access access = txn.access(i);
            for (int b = 0; access.isWrite() && b < placement.backups(access.partition()); b++) {
                int _ = add(placement.backup(access.partition(), b));
            }
            if (access.isWrite() && logsAtPrimary(placement, access.partition())) {
                held[add(placement.primary(access.partition()))] = true;
            }
        }
    }

    /** Only where dead nodes are replaced and a partition goes on without a backup: one whose data is on disk does not. */
    private boolean logsAtPrimary(Placement placement, int partition) {
        return site.gate().isReconfigured()
                && !tails.isDurable()
                && placement.logsAtPrimary(site.worker().node(), partition);
    }

    private int add(int node) {
        for (int i = 0; i < count; i++) {
            if (backups[i] == node) {
                return i;
            }
        }
        backups[count] = node;
        held[count] = false;
        return count++;
    }

    /**
     * The transaction's writes are installed at the primaries that have logged it. Now their entries may be replayed, which changes nothing
     * at a primary, and overwritten.
     */
    private void decideHeld() {
        for (int i = 0; holds && i < count; i++) {
            if (held[i]) {
                tails.tail(backups[i]).decide(tickets[i]);
            }
        }
        holds = false;
    }

    /**
     * Whether every partition that is written has backups, which alone make the writes durable, and no backup is known to be unable to. An
     * attempt that has logged its writes and then aborts cannot end before all backups are notified.
     */
    private boolean canBeDurable() {
        Placement placement = site.catalog().placement();
        for (int i = 0; i < txn.size(); i++) {
            if (txn.access(i).isWrite() && placement.backups(txn.access(i).partition()) == 0) {
                return false;
            }
        }
        for (int i = 0; i < count; i++) {
            LogTail tail = tails.tail(backups[i]);
            if (tail.isFailed() || (tail.isSuspected() && !askDurable(tail)) || tail.isSuspected()) {
                return false;
            }
        }
        return true;
    }

    /**
     * Waits until the entry is on the disk of every backup. One coroutine of the worker asks each backup, for all coroutines that wait.
     *
     * @return false if some backup cannot be reached, or its disk has failed
     */
    private boolean awaitDurable() {
        for (int i = 0; i < count; i++) {
            LogTail tail = tails.tail(backups[i]);
            long end = tail.endOf(tickets[i]);
            for (long nanos = DURABLE_LOOK_NANOS_MIN;
                    !tail.isDurable(end);
                    nanos = Math.min(2 * nanos, DURABLE_LOOK_NANOS_MAX)) {
                if (tail.isFailed() || !askDurable(tail)) {
                    return false;
                }
                if (!tail.isDurable(end)) {
                    txn.coroutine().sleep(nanos);
                }
            }
        }
        return true;
    }

    /** Asks the backup, if no other coroutine does; false if it cannot be reached. */
    private boolean askDurable(LogTail tail) {
        if (!tail.beginAsking()) {
            return true;
        }
        boolean answered = progress.askDurable(tail);
        tail.endAsking(answered);
        return answered;
    }

    /** Waits until every ring has room, before anything is reserved in any ring, so that giving up leaves nothing behind. */
    private boolean waitForRoom(int bytes) {
        long deadline = 0;
        long backoff = FULL_BACKOFF_NANOS_MIN;
        for (LogTail full = firstFull(bytes); full != null; full = firstFull(bytes)) {
            long now = site.worker().nanoTime();
            deadline = deadline == 0 ? now + FULL_TIMEOUT_NANOS : deadline;
            if (now - deadline > 0) {
                txn.abort(AbortReason.LOG_FULL);
                return false;
            }
            if (!progress.exchange(full)) {
                txn.abort(AbortReason.PEER_UNREACHABLE);
                return false;
            }
            if (!full.hasRoom(bytes)) {
                txn.coroutine().sleep(backoff);
                backoff = Math.min(2 * backoff, FULL_BACKOFF_NANOS_MAX);
            }
        }
        return true;
    }

    private LogTail firstFull(int bytes) {
        for (int i = 0; i < count; i++) {
            LogTail tail = tails.tail(backups[i]);
            if (!tail.hasRoom(bytes)) {
                return tail;
            }
        }
        return null;
    }

    private boolean writeOneSided(long entry, int bytes) {
        for (int i = 0; i < count; i++) {
            LogTail tail = tails.tail(backups[i]);
            tickets[i] = tail.reserve(bytes);
            Batch batch = batches.to(backups[i]);
            if (tail.paddingPosition() != LogTail.NO_PADDING) {
                long padding = tails.entryAddress(tail, tail.paddingPosition());
                int paddingBytes = tail.paddingBytes(bytes);
                batch.writeWord(LogEntry.kindAndLength(LogEntry.PADDING, paddingBytes), padding + LogEntry.KIND_OFFSET);
                batch.writeWord(LogEntry.stamp(tail.paddingPosition()), padding + LogEntry.STAMP_OFFSET);
            }
            long target = tails.entryAddress(tail, tail.position(bytes));
            batch.write(entry + LogEntry.KIND_OFFSET, bytes - LogEntry.KIND_OFFSET, target + LogEntry.KIND_OFFSET);
            batch.writeWord(LogEntry.stamp(tail.position(bytes)), target + LogEntry.STAMP_OFFSET);
            batch.writeWord(tail.decided(), tails.decidedAddress(tail));
            tail.announced(tail.decided());
        }
        batches.postAtOnce(txn.completion());
        return txn.completion().await();
    }

    /** Makes room for the messages that carry an entry of so many bytes. */
    private void layOut(int bytes) {
        for (int i = 0; i < count; i++) {
            calls.measure(backups[i], RingService.APPEND_HEADER_BYTES + bytes, Memory.WORD_BYTES);
        }
        calls.begin(tails.tail(backups[0]).ring());
    }

    private boolean writeByRpc(long entry, int bytes) {
        Memory buffers = site.buffers();
        int itemBytes = RingService.APPEND_HEADER_BYTES + bytes;
        for (int i = 0; i < count; i++) {
            LogTail tail = tails.tail(backups[i]);
            tickets[i] = tail.reserve(bytes);
            long item = calls.item(backups[i], itemBytes);
            RingService.encodeAppend(buffers, item, tail, bytes);
            buffers.copy(entry, buffers, item + RingService.APPEND_HEADER_BYTES, bytes);
            tail.announced(tail.decided());
        }
        calls.call(RingService.APPEND, txn.completion());
        boolean acknowledged = txn.completion().await();
        for (int i = 0; acknowledged && i < count; i++) {
            tails.tail(backups[i]).head(buffers.getLong(calls.replyOffset(backups[i])));
        }
        calls.clear();
        return acknowledged;
    }

    /**
     * Some backup did not answer: the other backups must not replay the entry. On a backup that does not answer now either, the entry stays
     * undecided, and so do all later entries: the ring's contents there are unknown. Where dead nodes are replaced, the attempt does not
     * end before the backup has answered or a reconfiguration, which settles the ring, has begun. Otherwise, should this coordinator die,
     * too, the entry might pass for that of a committed transaction. The same holds where entries are durable: a client that was notified
     * of an abort must not find the transaction when the cluster is started again. Elsewhere a backup that does not answer for long counts
     * as dead.
     */
    private boolean markAborted(LogTail tail, long ticket) {
        if (progress.markAborted(tail, ticket)) {
            return true;
        }
        tail.suspect();
        if (!site.gate().isReconfigured() && !tails.isDurable()) {
            return retry.settle(tail.backup(), backup -> progress.markAborted(tail, ticket));
        }
        while (!site.gate().isClosed()) {
            txn.coroutine().sleep(MARK_AGAIN_NANOS);
            if (progress.markAborted(tail, ticket)) {
                return true;
            }
        }
        return false;
    }
}
