package dev.rcc.server.raft;

import dev.rcc.core.cluster.Placement;
import dev.rcc.core.log.LogEntry;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.replication.LogStage;
import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.Transaction;
import dev.rcc.core.txn.TransactionTooLarge;
import dev.rcc.core.txn.WorkerSite;
import dev.rcc.protocols.common.Calls;

/**
 * The log stage: the coordinator sends its write set to the leader of the group of each partition that it writes. The transaction is
 * decided when all leaders have replied that a majority has it.
 *
 * <p>A transaction does not abort because a leader does not reply, or because the node that was asked does not lead: the group may have the
 * entry. To establish that the group will never have it takes as much as to establish that it has it. So the coordinator goes on, with the
 * node that leads next. A transaction waits if it writes a partition of which no majority can be reached; it ends with the configuration
 * that it runs in.
 *
 * <p>The primitive of the stage is RPC, whatever the hybrid code says: only its leader writes a group's log.
 */
final class RaftStage implements LogStage {
    private static final long BACKOFF_NANOS_MIN = 100_000;
    private static final long BACKOFF_NANOS_MAX = 3_200_000;

    private final WorkerSite site;
    private final RaftWorker worker;
    private final Transaction txn;
    private final Calls calls;
    /** The partitions that are written. */
    private final int[] partitions;

    private final boolean[] logged;
    /** By written partition: the node that was asked. */
    private final int[] asked;

    private int count;
    private boolean sealed;

    /** The log stage of {@code txn}'s coroutine. */
    RaftStage(WorkerSite site, RaftWorker worker, Transaction txn) {
        int nodes = site.catalog().placement().nodes();
        this.site = site;
        this.worker = worker;
        this.txn = txn;
        this.calls = new Calls(site.endpoint(), txn.buffer(), nodes);
        this.partitions = new int[nodes];
        this.logged = new boolean[nodes];
        this.asked = new int[nodes];
    }

    @Override
    public boolean log() {
        collectPartitions();
        int bytes = LogEntry.bytes(txn);
        if (bytes > RaftNode.ENTRY_BYTES_MAX) {
            throw new TransactionTooLarge(
                    "the log entry of a transaction's writes",
                    bytes,
                    RaftNode.ENTRY_BYTES_MAX,
                    "write less; with replication by rings the limit is half of log-ring-bytes");
        }
        long entry = txn.buffer().allocate(bytes);
        checkMessages(bytes);
        LogEntry.encode(txn, entry, bytes);
        txn.logBegins();
        long epoch = site.gate().configEpoch();
        long backoff = BACKOFF_NANOS_MIN;
        while (!propose(entry, bytes, epoch)) {
            if (sealed) {
                txn.abort(AbortReason.PEER_UNREACHABLE);
                txn.logFailed();
                return false;
            }
            txn.coroutine().sleep(backoff);
            backoff = Math.min(2 * backoff, BACKOFF_NANOS_MAX);
        }
        decide();
        return true;
    }

    /** Checks that messages have room, whichever nodes lead the groups: once an entry was sent, there must be room to send it again. */
    private void checkMessages(int bytes) {
        int longest = Calls.HEADER_BYTES + count * (RaftService.ITEM_HEADER_BYTES + bytes);
        int allowed = site.endpoint().maxCallBytes();
        if (longest > allowed) {
            throw new TransactionTooLarge(
                    "a message with the transaction's writes for each of " + count + " partitions",
                    longest,
                    allowed,
                    "write less, or to fewer partitions");
        }
        int replies = count * RaftService.REPLY_BYTES;
        txn.buffer().giveBack(txn.buffer().allocate(longest + count * Calls.HEADER_BYTES + replies));
    }

    private void collectPartitions() {
        count = 0;
        sealed = false;
        for (int i = 0; i < txn.size(); i++) {
            if (txn.access(i).isWrite()) {
                add(txn.access(i).partition());
            }
        }
    }

    private void add(int partition) {
        for (int i = 0; i < count; i++) {
            if (partitions[i] == partition) {
                return;
            }
        }
        partitions[count] = partition;
        logged[count++] = false;
    }

    /** Calls the leaders of all groups that have not logged yet. Returns whether all have now. */
    private boolean propose(long entry, int bytes, long epoch) {
        Placement placement = site.catalog().placement();
        Memory buffers = site.buffers();
        int itemBytes = RaftService.ITEM_HEADER_BYTES + bytes;
        long messages = txn.buffer().allocate(0);
        for (int i = 0; i < count; i++) {
            if (!logged[i]) {
                asked[i] = worker.leaders().leader(partitions[i], epoch, placement);
                calls.measure(asked[i], itemBytes, Memory.WORD_BYTES);
            }
        }
        calls.begin(RaftService.header(epoch, worker.log()));
        for (int i = 0; i < count; i++) {
            if (!logged[i]) {
                long item = calls.item(asked[i], itemBytes);
                RaftService.encodeItem(buffers, item, partitions[i], count == 1, bytes);
                buffers.copy(entry, buffers, item + RaftService.ITEM_HEADER_BYTES, bytes);
            }
        }
        calls.call(RaftService.PROPOSE, txn.completion());
        boolean _ = txn.completion().await();
        boolean all = true;
        for (int i = 0; i < count; i++) {
            if (!logged[i]) {
                long word = txn.completion().hasFailed(asked[i])
                        ? Status.NOT_KNOWN
                        : RaftService.status(buffers, calls.replyOffset(asked[i]), partitions[i]);
                logged[i] = Status.status(word) == Status.LOGGED;
                sealed |= Status.status(word) == Status.SEALED;
                if (Status.status(word) == Status.AGAIN) {
                    worker.leaders().isNot(partitions[i], asked[i], Status.leader(word), placement);
                }
                all &= logged[i];
            }
        }
        calls.clear();
        txn.buffer().giveBack(messages);
        return all;
    }

    private void decide() {
        Placement placement = site.catalog().placement();
        for (int i = 0; i < count; i++) {
            worker.decided(placement, partitions[i]);
            if (count > 1) {
                worker.decisions().add(partitions[i], txn.id());
            }
        }
    }
}
