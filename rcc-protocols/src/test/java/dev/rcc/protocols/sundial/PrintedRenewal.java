package dev.rcc.protocols.sundial;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.RemoteAddress;
import dev.rcc.core.protocol.Primitive;
import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.Transaction;
import dev.rcc.protocols.common.Batches;
import dev.rcc.protocols.optimistic.ReadEntry;
import dev.rcc.protocols.optimistic.ReadSet;
import dev.rcc.protocols.optimistic.StageContext;

/**
 * One-sided renewal as printed (rcc, 4.5): READ the tuple. If it is not locked and its wts is unchanged, raise rts by a CAS on rts alone, as if rts
 * and the lock had separate words. With commit and release one-sided.
 */
final class PrintedRenewal extends Renewal {
    private static final long RTS_BITS = SundialLayout.MAX_TIME;

    private final Transaction txn;
    private final ReadSet reads;
    private final GatedSundial.Gate gate;
    private final Memory buffers;
    private final Batches batches;

    PrintedRenewal(StageContext context, GatedSundial.Gate gate) {
        super(context, Primitive.ONE_SIDED);
        this.txn = context.txn();
        this.reads = context.reads();
        this.gate = gate;
        this.buffers = context.worker().buffers();
        this.batches = context.batches();
    }

    @Override
    AbortReason renew(long until, boolean all) {
        AbortReason reason = gate.beforeRenewal(txn);
        for (int i = 0; i < reads.size() && reason == null; i++) {
            ReadEntry entry = reads.entry(i);
            if (isToBeRenewed(entry, until, all) && !renew(entry, until)) {
                reason = Sundial.LEASE_NOT_RENEWED;
            }
        }
        return reason;
    }

    private boolean renew(ReadEntry entry, long until) {
        long result = txn.buffer().allocate(2 * Memory.WORD_BYTES);
        int node = RemoteAddress.node(entry.address());
        batches.to(node)
                .read(entry.address(), Memory.WORD_BYTES, result)
                .read(entry.versionAddress(), Memory.WORD_BYTES, result + Memory.WORD_BYTES);
        batches.post(txn.completion());
        txn.completion().await();
        long word = buffers.getLong(result);
        boolean isOurs = SundialLayout.owner(word) == SundialLayout.ownerOf(txn.id());
        if (buffers.getLong(result + Memory.WORD_BYTES) != entry.version()
                || (SundialLayout.isLocked(word) && !isOurs)) {
            return false;
        }
        gate.beforeRaise(txn);
        return isOurs || raise(entry.address(), word, until, result);
    }

    /** A CAS of the rts bits alone: the other bits may have any value. */
    private boolean raise(long address, long word, long until, long result) {
        long expected = word;
        while (true) {
            long raised = (expected & ~RTS_BITS) | Math.max(SundialLayout.rts(word), until);
            batches.to(RemoteAddress.node(address)).cas(address, expected, raised, result);
            batches.post(txn.completion());
            txn.completion().await();
            long found = buffers.getLong(result);
            if (found == expected) {
                return true;
            }
            if (SundialLayout.rts(found) != SundialLayout.rts(word)) {
                return false;
            }
            expected = found;
        }
    }
}
