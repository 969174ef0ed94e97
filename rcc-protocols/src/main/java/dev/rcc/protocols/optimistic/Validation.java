package dev.rcc.protocols.optimistic;

import dev.rcc.core.fabric.Batch;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.RemoteAddress;
import dev.rcc.core.protocol.Primitive;
import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.Transaction;
import dev.rcc.protocols.common.Batches;
import dev.rcc.protocols.common.Calls;
import dev.rcc.protocols.common.ConflictReasons;
import dev.rcc.protocols.common.LockAndVersion;

/**
 * The validate stage: reads the lock word and then ({@link LockAndVersion}) the version of each tuple or leaf that was read once more. If the word
 * shows no installer (it may show this attempt) and the version is the same, the tuple or leaf has not changed since it was fetched; see
 * {@link Fetching}.
 */
public final class Validation {
    private final Transaction txn;
    private final ReadSet reads;
    private final LockRules rules;
    private final Primitive primitive;
    private final Memory buffers;
    private final Batches batches;
    private final Calls calls;

    /** The validate stage of {@code txn}'s coroutine. */
    public Validation(StageContext context, Primitive primitive) {
        this.txn = context.txn();
        this.reads = context.reads();
        this.rules = context.rules();
        this.primitive = primitive;
        this.buffers = context.worker().buffers();
        this.batches = context.batches();
        this.calls = context.calls();
    }

    /** Validates the reads of records that are not written; the others are checked when they are locked. Returns as {@link #validateAll}. */
    public AbortReason validateReads() {
        return validate(false);
    }

    /**
     * Validates all reads.
     *
     * @return null if they hold, or the reason for which the attempt must abort
     */
    public AbortReason validateAll() {
        return validate(true);
    }

    private AbortReason validate(boolean writes) {
        long mark = txn.buffer().allocate(0);
        AbortReason reason = primitive == Primitive.RPC ? validateByRpc(writes) : validateOneSided(writes);
        txn.buffer().giveBack(mark);
        return reason;
    }

    private boolean isWanted(ReadEntry entry, boolean writes) {
        return entry.isFetched() && (writes || !entry.access().isWrite());
    }

    private boolean holds(ReadEntry entry, long lockWord, long version) {
        boolean free = rules.isReadable(lockWord, txn.id()) || rules.isHeldBy(lockWord, txn.id());
        return free && version == entry.version();
    }

    private AbortReason validateByRpc(boolean writes) {
        for (int i = 0; i < reads.size(); i++) {
            ReadEntry entry = reads.entry(i);
            if (isWanted(entry, writes)) {
                calls.measure(entry.access().node(), ValidateMessage.REQUEST_BYTES, ValidateMessage.REPLY_BYTES);
            }
        }
        calls.begin(txn.id());
        for (int i = 0; i < reads.size(); i++) {
            ReadEntry entry = reads.entry(i);
            if (isWanted(entry, writes)) {
                ValidateMessage.encode(
                        buffers, calls.item(entry.access().node(), ValidateMessage.REQUEST_BYTES), entry);
            }
        }
        boolean replied = calls.callAndAwait(OptimisticParticipant.VALIDATE, txn.completion());
        AbortReason reason = replied ? null : AbortReason.PEER_UNREACHABLE;
        for (int i = 0; i < calls.targets() && reason == null; i++) {
            reason = readReply(calls.target(i), writes);
        }
        calls.clear();
        return reason;
    }

    private AbortReason readReply(int node, boolean writes) {
        long item = calls.replyOffset(node) + Memory.WORD_BYTES;
        for (int i = 0; i < reads.size(); i++) {
            ReadEntry entry = reads.entry(i);
            if (entry.access().node() == node && isWanted(entry, writes)) {
                if (!holds(entry, ValidateMessage.lockWord(buffers, item), ValidateMessage.version(buffers, item))) {
                    return ConflictReasons.VALIDATION_FAILED;
                }
                item += ValidateMessage.REPLY_BYTES;
            }
        }
        return null;
    }

    private AbortReason validateOneSided(boolean writes) {
        int wanted = 0;
        for (int i = 0; i < reads.size(); i++) {
            wanted += isWanted(reads.entry(i), writes) ? 1 : 0;
        }
        long results = txn.buffer().allocate(wanted * LockAndVersion.BYTES);
        long result = results;
        for (int i = 0; i < reads.size(); i++) {
            ReadEntry entry = reads.entry(i);
            if (isWanted(entry, writes)) {
                Batch batch = batches.to(RemoteAddress.node(entry.address()));
                LockAndVersion.first(batch, entry.address(), entry.versionAddress(), result);
                result += LockAndVersion.BYTES;
            }
        }
        result = results;
        for (int i = 0; i < reads.size(); i++) {
            ReadEntry entry = reads.entry(i);
            if (isWanted(entry, writes)) {
                Batch batch = batches.to(RemoteAddress.node(entry.address()));
                LockAndVersion.then(batch, entry.address(), entry.versionAddress(), result);
                result += LockAndVersion.BYTES;
            }
        }
        batches.post(txn.completion());
        if (!txn.completion().await()) {
            return AbortReason.PEER_UNREACHABLE;
        }
        result = results;
        for (int i = 0; i < reads.size(); i++) {
            ReadEntry entry = reads.entry(i);
            if (isWanted(entry, writes)) {
                long version = LockAndVersion.version(entry.address(), entry.versionAddress(), result);
                if (!holds(entry, buffers.getLong(result), buffers.getLong(version))) {
                    return ConflictReasons.VALIDATION_FAILED;
                }
                result += LockAndVersion.BYTES;
            }
        }
        return null;
    }
}
