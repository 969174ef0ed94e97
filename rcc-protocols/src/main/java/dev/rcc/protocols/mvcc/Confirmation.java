package dev.rcc.protocols.mvcc;

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
import dev.rcc.protocols.optimistic.ReadEntry;
import dev.rcc.protocols.optimistic.StageContext;
import dev.rcc.protocols.optimistic.ValidateMessage;

/**
 * A late part of the fetch stage, for records that were read to be written ({@link OneSidedReading}): raises
 * {@code rts}, then reads the lock word and the version once more. If no earlier writer holds the lock and the version
 * is the one that was read, the read holds from then on. It is needed for a record that was declared for update and not
 * written, and before an outcome of a procedure that has read such records becomes final.
 */
final class Confirmation {
    private static final int CAS_RESULT = 0;
    private static final int LOCK_AND_VERSION = 8;
    private static final int SCRATCH_BYTES = LOCK_AND_VERSION + LockAndVersion.BYTES;

    private final Transaction txn;
    private final Readings readings;
    private final Primitive primitive;
    private final Memory buffers;
    private final Batches batches;
    private final Calls calls;
    private boolean all;

    Confirmation(StageContext context, Readings readings, Primitive primitive) {
        this.txn = context.txn();
        this.readings = readings;
        this.primitive = primitive;
        this.buffers = context.worker().buffers();
        this.batches = context.batches();
        this.calls = context.calls();
    }

    /** Whether some record was read, but is neither confirmed nor going to be locked. */
    boolean isNeeded() {
        all = false;
        return wanted() > 0;
    }

    /**
     * Confirms the reads of records that are not written.
     *
     * @return null if they hold, or the reason for which the attempt must abort
     */
    AbortReason confirmReads() {
        all = false;
        return confirm();
    }

    /** Confirms all reads; returns as {@link #confirmReads}. */
    AbortReason confirmAll() {
        all = true;
        return confirm();
    }

    private boolean isWanted(Reading reading) {
        return !reading.confirmed && reading.entry.isFetched() && (all || !reading.access.isWrite());
    }

    private int wanted() {
        int count = 0;
        for (int i = 0; i < readings.size(); i++) {
            count += isWanted(readings.get(i)) ? 1 : 0;
        }
        return count;
    }

    private AbortReason confirm() {
        AbortReason reason = null;
        for (int count = wanted(); count > 0 && reason == null; count = wanted()) {
            long mark = txn.buffer().allocate(0);
            reason = primitive == Primitive.RPC ? confirmByRpc() : confirmOneSided(count);
            txn.buffer().giveBack(mark);
            readings.waitIfNeeded();
        }
        return reason;
    }

    /** Takes in what was read once {@code rts} was raised. */
    private AbortReason check(Reading reading, long lockWord, long version) {
        if (readings.isPending(lockWord)) {
            return readings.mayWait(reading) ? null : Mvcc.PENDING_WRITER;
        }
        if (version != reading.entry.version()) {
            readings.observe(version);
            return ConflictReasons.VALIDATION_FAILED;
        }
        reading.confirmed = true;
        return null;
    }

    private AbortReason confirmByRpc() {
        for (int i = 0; i < readings.size(); i++) {
            Reading reading = readings.get(i);
            if (isWanted(reading)) {
                calls.measure(reading.access.node(), ValidateMessage.REQUEST_BYTES, ValidateMessage.REPLY_BYTES);
            }
        }
        calls.begin(txn.id());
        for (int i = 0; i < readings.size(); i++) {
            Reading reading = readings.get(i);
            if (isWanted(reading)) {
                long item = calls.item(reading.access.node(), ValidateMessage.REQUEST_BYTES);
                ValidateMessage.encode(buffers, item, reading.entry);
            }
        }
        boolean replied = calls.callAndAwait(MvccParticipant.CONFIRM, txn.completion());
        AbortReason reason = replied ? null : AbortReason.PEER_UNREACHABLE;
        for (int i = 0; i < calls.targets() && reason == null; i++) {
            reason = readReply(calls.target(i));
        }
        calls.clear();
        return reason;
    }

    private AbortReason readReply(int node) {
        AbortReason reason = null;
        long item = calls.replyOffset(node) + Memory.WORD_BYTES;
        for (int i = 0; i < readings.size() && reason == null; i++) {
            Reading reading = readings.get(i);
            if (reading.access.node() == node && isWanted(reading)) {
                reason =
                        check(reading, ValidateMessage.lockWord(buffers, item), ValidateMessage.version(buffers, item));
                item += ValidateMessage.REPLY_BYTES;
            }
        }
        return reason;
    }

    private AbortReason confirmOneSided(int count) {
        long results = txn.buffer().allocate(count * SCRATCH_BYTES);
        long result = results;
        for (int i = 0; i < readings.size(); i++) {
            Reading reading = readings.get(i);
            if (isWanted(reading)) {
                appendAtomics(reading, result);
                result += SCRATCH_BYTES;
            }
        }
        result = results;
        for (int i = 0; i < readings.size(); i++) {
            Reading reading = readings.get(i);
            if (isWanted(reading)) {
                appendReads(reading.entry, result);
                result += SCRATCH_BYTES;
            }
        }
        batches.post(txn.completion());
        if (!txn.completion().await()) {
            return AbortReason.PEER_UNREACHABLE;
        }
        AbortReason reason = null;
        result = results;
        for (int i = 0; i < readings.size() && reason == null; i++) {
            Reading reading = readings.get(i);
            if (isWanted(reading)) {
                reason = takeIn(reading, result);
                result += SCRATCH_BYTES;
            }
        }
        return reason;
    }

    private void appendAtomics(Reading reading, long result) {
        ReadEntry entry = reading.entry;
        long expected = reading.expectedRts;
        Batch batch = batches.to(RemoteAddress.node(entry.address()));
        batch.cas(entry.address() + MvccLayout.RTS_OFFSET, expected, readings.raised(expected), result + CAS_RESULT);
        LockAndVersion.first(batch, lockAddress(entry), entry.versionAddress(), result + LOCK_AND_VERSION);
    }

    private void appendReads(ReadEntry entry, long result) {
        Batch batch = batches.to(RemoteAddress.node(entry.address()));
        LockAndVersion.then(batch, lockAddress(entry), entry.versionAddress(), result + LOCK_AND_VERSION);
    }

    private static long lockAddress(ReadEntry entry) {
        return entry.address() + MvccLayout.LOCK_OFFSET;
    }

    private AbortReason takeIn(Reading reading, long result) {
        if (!readings.isRaised(reading, buffers.getLong(result + CAS_RESULT))) {
            return readings.mayTryAgain(reading) ? null : Mvcc.PENDING_WRITER;
        }
        long read = result + LOCK_AND_VERSION;
        long version = LockAndVersion.version(lockAddress(reading.entry), reading.entry.versionAddress(), read);
        return check(reading, buffers.getLong(read), buffers.getLong(version));
    }
}
