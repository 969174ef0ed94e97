package dev.rcc.protocols.sundial;

import dev.rcc.core.fabric.RpcRequest;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.protocol.WorkerContext;
import dev.rcc.protocols.common.ServedItems;
import dev.rcc.protocols.optimistic.OptimisticParticipant;

/**
 * The participant's RPC handlers: those that optimistic protocols share, and the handler that renews leases, which is
 * idempotent: a lease that is long enough is left as it is.
 */
final class SundialParticipant {
    /** Renews leases; see {@link RenewMessage}. */
    static final int RENEW = 8;

    private final WorkerContext context;
    private final OptimisticParticipant handlers;
    private final ServedItems served = new ServedItems();

    SundialParticipant(WorkerContext context, SundialRules rules) {
        this.context = context;
        this.handlers = new OptimisticParticipant(context, rules);
    }

    void serve() {
        handlers.serve();
        context.endpoint().handle(RENEW, this::renew);
    }

    private void renew(RpcRequest request) {
        served.begin(request);
        Memory payload = served.payload();
        boolean renewed = true;
        while (served.hasNext() && renewed) {
            long item = served.item();
            Memory memory = context.memstore()
                    .partitionOfRegion(RenewMessage.region(payload, item))
                    .memory();
            renewed = renew(memory, payload, item);
            served.next(RenewMessage.BYTES, 0);
        }
        request.response()
                .putLong(request.responseOffset(), renewed ? RenewMessage.ALL_RENEWED : RenewMessage.NOT_RENEWED);
        request.reply(Memory.WORD_BYTES);
    }

    /** Reads the word, then the version: if that is the wanted version, it was there when the word was read. */
    private static boolean renew(Memory memory, Memory payload, long item) {
        long offset = RenewMessage.offset(payload, item);
        long until = RenewMessage.until(payload, item);
        long owner = RenewMessage.owner(payload, item);
        long word = memory.getAcquire(offset);
        while (true) {
            long version = memory.getAcquire(offset + RenewMessage.versionOffset(payload, item));
            if (version != RenewMessage.version(payload, item)) {
                return false;
            }
            if (Renewal.isLongEnough(word, version, until, owner)) {
                return true;
            }
            if (SundialLayout.isLocked(word)) {
                return false;
            }
            long found = memory.compareAndExchange(offset, word, SundialLayout.unlocked(until));
            if (found == word) {
                return true; // the word has not changed since before the version was read
            }
            word = found;
        }
    }
}
