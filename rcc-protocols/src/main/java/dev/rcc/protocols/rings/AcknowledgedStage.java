package dev.rcc.protocols.rings;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.replication.LogStage;
import dev.rcc.core.txn.Transaction;
import dev.rcc.core.txn.WorkerSite;
import dev.rcc.core.worker.Completion;
import dev.rcc.protocols.common.Calls;

/**
 * A log stage that asks each backup once more by an RPC, and goes on when all have replied, as RCC's public code does. The transaction is decided
 * before that; a backup that does not reply changes nothing.
 */
final class AcknowledgedStage implements LogStage {
    private static final int REQUEST_BYTES = Calls.HEADER_BYTES + Memory.WORD_BYTES;

    private final WorkerSite site;
    private final RingStage stage;
    private final Completion completion;
    private final long requests;
    private final long replies;

    AcknowledgedStage(WorkerSite site, RingStage stage, Transaction txn) {
        int nodes = site.catalog().placement().nodes();
        this.site = site;
        this.stage = stage;
        this.completion = txn.completion();
        this.requests = txn.buffer().keep(nodes * REQUEST_BYTES);
        this.replies = txn.buffer().keep(nodes * Memory.WORD_BYTES);
    }

    @Override
    public boolean log() {
        boolean isDecided = stage.log();
        if (isDecided) {
            acknowledge();
        }
        return isDecided;
    }

    private void acknowledge() {
        Memory buffers = site.buffers();
        for (int i = 0; i < stage.tails(); i++) {
            LogTail tail = stage.tail(i);
            long request = requests + (long) i * REQUEST_BYTES;
            RingProgress.encode(buffers, request, tail, tail.decided());
            site.endpoint()
                    .call(
                            tail.backup(),
                            RingService.PROGRESS,
                            request,
                            REQUEST_BYTES,
                            replies + (long) i * Memory.WORD_BYTES,
                            Memory.WORD_BYTES,
                            completion);
        }
        if (completion.await()) {
            for (int i = 0; i < stage.tails(); i++) {
                LogTail tail = stage.tail(i);
                tail.announced(buffers.getLong(requests + (long) i * REQUEST_BYTES + Calls.HEADER_BYTES));
                tail.head(buffers.getLong(replies + (long) i * Memory.WORD_BYTES));
            }
        }
    }
}
