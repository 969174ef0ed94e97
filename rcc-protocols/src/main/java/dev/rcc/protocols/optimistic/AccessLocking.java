package dev.rcc.protocols.optimistic;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Intent;
import dev.rcc.core.txn.Transaction;
import dev.rcc.protocols.common.Calls;
import dev.rcc.protocols.common.ConflictReasons;
import dev.rcc.protocols.common.KeyItem;

/**
 * Locks the records that an attempt accesses to write ({@link LockTime#ACCESS}; rcc, 4.4 and 4.5; Sundial, 3.3.1). All records that are
 * declared together are fetched in one round, and locked in that or the next:
 * <ul>
 *   <li>By RPC, one call looks records up, locks them and copies them. It is under way while the fetch stage fetches the records that are only
 *       read.
 *   <li>One-sided, records are fetched like records that are only read, and then locked from the words that were found, as in the papers.
 *       {@link Locking} also does this for leaves and slots of keys that come or go, and for records whose lock another transaction holds.
 * </ul>
 * A record that has changed between its fetch and its lock is fetched again once it is locked, as the procedure has not seen it. A record that
 * the procedure has read, and writes later, is locked when the attempt next fetches, or is done; if it has changed, the attempt aborts.
 *
 * <p>Locks are held until the attempt ends. The commit also drops the locks of records that were not written.
 */
public final class AccessLocking {
    private final Transaction txn;
    private final ReadSet reads;
    private final WriteSet writes;
    private final LockRules rules;
    private final Locking locking;
    private final Finishing release;
    private final Fetches fetches;
    private final Memory buffers;
    private final Calls calls;
    private final boolean locksByRpc;
    private final int otherMetadataBytes;
    private final LockTime time;
    private boolean upgraded;

    /** How a protocol fetches the records that it does not lock in the same call. */
    public interface Fetches {
        /**
         * Fetches the entries from number {@code first} on that have not been fetched.
         *
         * @return true if all are fetched; false if the attempt must abort, with the reason set
         */
        boolean fetch(int first);

        /** The next {@link #fetch} leaves an entry out. */
        void leaveOut(ReadEntry entry);

        /** The next {@link #fetch} fetches an entry, be it the first time or again. */
        void fetchAgain(ReadEntry entry);

        /** A tuple was locked and then read: the access's image holds it, with its metadata. */
        void locked(ReadEntry entry, long version, long lockWord);
    }

    /**
     * Locks for a coroutine's transaction.
     *
     * @param locking the lock stage
     * @param fetches the fetch stage
     * @param release the stage that drops the locks
     * @param time when attempts lock
     */
    public AccessLocking(StageContext context, Locking locking, Fetches fetches, Finishing release, LockTime time) {
        this.time = time;
        this.txn = context.txn();
        this.reads = context.reads();
        this.writes = context.writes();
        this.rules = context.rules();
        this.locking = locking;
        this.release = release;
        this.fetches = fetches;
        this.buffers = context.worker().buffers();
        this.calls = context.calls();
        this.locksByRpc = locking.isByRpc();
        this.otherMetadataBytes = rules.metadataBytes() - Memory.WORD_BYTES;
    }

    /** An attempt begins. Returns this if the attempt locks records when it accesses them, or null if it locks at the commit. */
    public AccessLocking begin() {
        upgraded = false;
        return time.isAccess(txn.attempt()) ? this : null;
    }

    /** A record that was fetched for reading is to be written: {@link #fetch} or {@link #lockUpgraded} locks it. */
    public void upgrade() {
        upgraded = true;
    }

    /** Whether a record has been upgraded, and is not locked yet. */
    boolean isUpgraded() {
        return upgraded;
    }

    /** Whether the attempt locks a record now, or has before. If not, the fetch stage alone is enough. */
    public boolean locksAnyFrom(int first) {
        boolean any = upgraded || !writes.isEmpty();
        for (int i = first; i < reads.size() && !any; i++) {
            any = reads.entry(i).access().declaredIntent() != Intent.READ;
        }
        return any;
    }

    /**
     * Fetches the entries from number {@code first} on, and locks the records that are accessed to be written.
     *
     * @return true if all is fetched and locked; false if the attempt must abort, with the reason set
     */
    public boolean fetch(int first) {
        admitUpgraded(first);
        int firstNew = writes.size();
        for (int i = first; i < reads.size(); i++) {
            writes.admit(reads.entry(i), false);
        }
        release.checkReleasable();
        boolean fetched = locksByRpc ? fetchAndLock(first, firstNew) : fetches.fetch(first);
        if (!fetched) {
            return false;
        }
        for (int i = firstNew; i < writes.size(); i++) {
            writes.wantWhatIsThere(writes.entry(i));
        }
        boolean locked = locking.lock() && fetchOutdatedAgain(first, firstNew);
        for (int i = firstNew; i < writes.size(); i++) {
            writes.entry(i).shown = true;
        }
        return locked;
    }

    /** Locks the records that have been upgraded since they were fetched; returns as {@link #fetch}. */
    public boolean lockUpgraded() {
        if (!upgraded) {
            return true;
        }
        admitUpgraded(reads.size());
        release.checkReleasable();
        return locking.lock();
    }

    private void admitUpgraded(int first) {
        for (int i = 0; i < first && upgraded; i++) {
            ReadEntry read = reads.entry(i);
            writes.admit(read, true);
            if (read.write != null) {
                writes.wantWhatIsThere(read.write);
            }
        }
        upgraded = false;
    }

    // ---- fetch again -----------------------------------------------------------------------------------------------

    /**
     * Fetches outdated records again. They are locked, so they do not change any more. Their addresses must be kept, whatever the fetch finds.
     */
    private boolean fetchOutdatedAgain(int first, int firstNew) {
        boolean any = false;
        for (int i = firstNew; i < writes.size(); i++) {
            WriteEntry entry = writes.entry(i);
            if (entry.outdated) {
                entry.lockedAddress = entry.access().tupleAddress();
                fetches.fetchAgain(entry.read);
                any = true;
            }
        }
        if (!any) {
            return true;
        }
        try {
            fetches.fetch(first);
        } finally {
            for (int i = firstNew; i < writes.size(); i++) {
                if (writes.entry(i).outdated) {
                    fetchedAgain(writes.entry(i));
                }
            }
        }
        return txn.abortReason() == null;
    }

    private void fetchedAgain(WriteEntry entry) {
        Access access = entry.access();
        boolean isFetched = entry.read.isFetched();
        boolean isStillThere =
                isFetched && (entry.isReserved() ? !access.exists() : access.tupleAddress() == entry.lockedAddress);
        access.tupleAddress(entry.lockedAddress);
        entry.outdated = !isStillThere;
        if (isFetched && !isStillThere) { // the key has come, gone or moved before its lock was taken
            txn.abort(ConflictReasons.VALIDATION_FAILED);
        }
    }

    // ---- fetch and lock in one call --------------------------------------------------------------------------------

    private boolean fetchAndLock(int first, int firstNew) {
        long messages = txn.buffer().allocate(0);
        call(firstNew);
        if (calls.isEmpty()) {
            return fetches.fetch(first);
        }
        try {
            fetches.fetch(first);
        } finally {
            takeIn(firstNew);
        }
        txn.buffer().giveBack(messages);
        return txn.abortReason() == null && fetches.fetch(first);
    }

    private void call(int firstNew) {
        for (int i = firstNew; i < writes.size(); i++) {
            Access access = writes.entry(i).access();
            writes.entry(i).posted(access.declaredIntent() != Intent.INSERT); // for an insert, there is no tuple
            if (writes.entry(i).isPosted()) {
                int bytes = KeyItem.bytes(access.layout());
                calls.measure(access.node(), bytes, FetchMessage.replyBytes(access.layout(), access.intent()));
            }
        }
        if (calls.isEmpty()) {
            return;
        }
        calls.begin(rules.agesHolders() ? txn.age() : txn.id());
        for (int i = firstNew; i < writes.size(); i++) {
            Access access = writes.entry(i).access();
            if (writes.entry(i).isPosted()) {
                long item = calls.item(access.node(), KeyItem.bytes(access.layout()));
                FetchMessage.encode(buffers, item, access);
                fetches.leaveOut(writes.entry(i).read);
            }
        }
        calls.call(OptimisticParticipant.FETCH_AND_LOCK, txn.completion());
    }

    private void takeIn(int firstNew) {
        boolean replied = txn.abortReason() != AbortReason.PEER_UNREACHABLE
                && txn.completion().await();
        if (!replied) {
            txn.abort(AbortReason.PEER_UNREACHABLE);
            locking.lostCall(firstNew);
        }
        for (int i = 0; i < calls.targets(); i++) {
            readReply(firstNew, calls.target(i));
        }
        for (int i = firstNew; i < writes.size(); i++) {
            if (writes.entry(i).isPosted() && !writes.entry(i).isHeld()) {
                fetches.fetchAgain(writes.entry(i).read);
            }
        }
        calls.clear();
    }

    /** Takes in a node's results; if it was not reached, they are lost, and the reply has no items. */
    private void readReply(int firstNew, int node) {
        int served = (int) buffers.getLong(calls.replyOffset(node));
        long item = calls.replyOffset(node) + Memory.WORD_BYTES;
        for (int i = firstNew; i < writes.size() && served > 0; i++) {
            WriteEntry entry = writes.entry(i);
            Access access = entry.access();
            if (access.node() == node && entry.isPosted()) {
                int bytes = FetchMessage.replyBytes(access.layout(), access.intent());
                decode(item, entry);
                item += bytes;
                served--;
            }
        }
    }

    private void decode(long item, WriteEntry entry) {
        Access access = entry.access();
        long image = access.imageOffset();
        long reply = FetchMessage.imageOffset(item);
        switch (FetchMessage.result(buffers, item)) {
            case FetchMessage.FOUND -> {
                FetchMessage.takeFound(buffers, item, access);
                entry.held = buffers.getLong(image);
                fetches.locked(
                        entry.read, buffers.getLong(image + access.layout().versionOffset()), entry.held);
            }
            case FetchMessage.TAKEN -> {
                long age = otherMetadataBytes > 0 ? buffers.getLong(reply + Memory.WORD_BYTES) : 0;
                AbortReason reason = rules.conflict(buffers.getLong(reply), age, txn.age());
                if (reason != null) {
                    txn.abort(reason);
                }
            }
            default -> {} // there is nothing to lock, or another transaction was faster
        }
    }
}
