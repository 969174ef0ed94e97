package dev.rcc.protocols.optimistic;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.protocol.Primitive;
import dev.rcc.core.store.TupleLayout;
import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Transaction;
import dev.rcc.protocols.common.Batches;
import dev.rcc.protocols.common.ConflictReasons;

/**
 * Checks, for an attempt that is about to end without a retry and without having locked, whether the keys that it was going to write
 * blindly had records. One-sided, fetching has read identity and version of such a tuple in one READ, without a checksum: they may be
 * of different keys that had the slot. The identity is read once more, later than that version. Then the protocol reads the version
 * once more, later than the identity. If it is the same, the slot held this key all the while. By RPC, both were read together.
 */
public final class Identities {
    private final Transaction txn;
    private final boolean oneSided;
    private final Memory buffers;
    private final Batches batches;

    /**
     * Compares the identities of the accesses of the context's transaction.
     *
     * @param fetch the primitive by which they are fetched
     */
    public Identities(StageContext context, Primitive fetch) {
        this.txn = context.txn();
        this.oneSided = fetch == Primitive.ONE_SIDED;
        this.buffers = context.worker().buffers();
        this.batches = context.batches();
    }

    /** Whether an access has found a record that it was going to write blindly. */
    public static boolean isWanted(Access access) {
        return access.isBlind() && access.isFetched() && access.exists();
    }

    /**
     * Compares the identities. The accesses' contents in the buffers are not needed any more.
     *
     * @return null if all identities are the keys', or the reason for which the attempt must abort
     */
    public AbortReason compare() {
        long mark = txn.buffer().allocate(0);
        boolean any = false;
        for (int i = 0; i < txn.size() && oneSided; i++) {
            Access access = txn.access(i);
            if (isWanted(access)) {
                TupleLayout t = access.layout();
                long identity = txn.buffer().allocate(t.identityBytes());
                batches.to(access.node()).read(access.tupleAddress() + t.identityOffset(), t.identityBytes(), identity);
                any = true;
            }
        }
        batches.post(txn.completion());
        AbortReason reason = !any || txn.completion().await() ? null : AbortReason.PEER_UNREACHABLE;
        long identity = mark;
        for (int i = 0; i < txn.size() && any && reason == null; i++) {
            Access access = txn.access(i);
            if (isWanted(access)) {
                reason = isKeyOf(access, identity) ? null : ConflictReasons.VALIDATION_FAILED;
                identity += access.layout().identityBytes();
            }
        }
        txn.buffer().giveBack(mark);
        return reason;
    }

    /** Compares by hash, as the key itself may not be in the buffers any more: another key has the same hash with probability 2^-64. */
    private boolean isKeyOf(Access access, long identity) {
        return TupleLayout.isLive(buffers.getLong(identity))
                && access.table().keyHashOfIdentity(access.partition(), buffers, identity) == access.keyHash();
    }
}
