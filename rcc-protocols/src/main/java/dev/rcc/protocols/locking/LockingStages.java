package dev.rcc.protocols.locking;

import dev.rcc.core.fabric.Batch;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.protocol.HybridCode;
import dev.rcc.core.protocol.WorkerContext;
import dev.rcc.core.replication.LogStage;
import dev.rcc.core.store.IndexEntry;
import dev.rcc.core.store.TupleLayout;
import dev.rcc.core.time.Timestamp;
import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Intent;
import dev.rcc.core.txn.StageClock;
import dev.rcc.core.txn.Transaction;
import dev.rcc.protocols.common.Batches;
import dev.rcc.protocols.common.Calls;
import dev.rcc.protocols.common.EmptyCall;
import dev.rcc.protocols.common.IndexProbe;
import dev.rcc.protocols.common.InstallMessage;
import dev.rcc.protocols.common.KeyItem;
import dev.rcc.protocols.common.LostLocks;
import dev.rcc.protocols.common.PeerRetry;
import dev.rcc.protocols.common.RemoteWord;

/**
 * Every stage of two-phase locking, by RPC and one-sided. Each stage calls all participants at once and waits once, except one-sided locking, which
 * takes one more round trip for every step of an index lookup ({@link OneSidedLocking}).
 */
final class LockingStages {
    private final WorkerContext context;
    private final Transaction txn;
    private final LockRules rules;
    private final HeldLocks locks;
    private final int lockedAtOnce;
    private final HybridCode code;
    private final PeerRetry retry;
    private final RemoteWord word;
    private final SharedDoubt doubt;
    private final LostLocks lost;
    private final OneSidedLocking oneSidedLocking;
    private final LogStage logStage;
    private final Batches batches;
    private final Calls calls;
    private final StageClock clock;
    private final long atomicResult;
    private final EmptyCall endOfAttempt;
    private final PeerRetry.Debt commitAgain = node -> finishAgain(node, true);
    private final PeerRetry.Debt releaseAgain = node -> finishAgain(node, false);

    LockingStages(WorkerContext context, Transaction txn, LockRules rules, LockingOptions options, HeldLocks locks) {
        int nodes = context.catalog().placement().nodes();
        this.context = context;
        this.txn = txn;
        this.rules = rules;
        this.locks = locks;
        this.lockedAtOnce = options.trips().fetchedAtOnce();
        this.code = context.code();
        this.retry = new PeerRetry(context, txn);
        this.word = new RemoteWord(context, txn);
        this.doubt = new SharedDoubt(txn, rules, word, context.gate());
        this.lost = new LostLocks(context, txn, locks, new Holder(), retry, word);
        this.oneSidedLocking = new OneSidedLocking(context, txn, rules, options.isReadApart(), locks, lost);
        this.logStage = options.trips().logStage(context, txn, LockingProtocol.LOG);
        this.batches = new Batches(context.endpoint(), nodes);
        this.calls = new Calls(context.endpoint(), txn.buffer(), nodes);
        this.clock = new StageClock(txn, context.timers());
        this.atomicResult = txn.buffer().keep(Memory.WORD_BYTES);
        this.endOfAttempt = new EmptyCall(context, txn, LockingParticipant.FINISH);
    }

    /** The word of an exclusive lock identifies its owner, that of a shared lock does not; participants look keys up, and a call may wait there. */
    private final class Holder implements LostLocks.Holder {
        @Override
        public boolean isOwn(long found) {
            return found == locks.owner();
        }

        @Override
        public long dropped(long found) {
            return LockRules.FREE;
        }

        @Override
        public boolean settleOthers(long address) {
            return doubt.look(address);
        }

        @Override
        public boolean isLookedUpByParticipants() {
            return !code.isOneSided(LockingProtocol.LOCK);
        }

        /** An empty FINISH notifies the participant that the attempt is over. */
        @Override
        public boolean endCalls(int node) {
            return code.isOneSided(LockingProtocol.LOCK) || endOfAttempt.await(node, locks.owner());
        }
    }

    /** An attempt begins. */
    void begin() {
        calls.clear(); // of a commit that has thrown
        lost.begin();
        clock.begin();
    }

    /** Locks and fetches the new accesses. Afterwards each is fetched, or the transaction must abort. */
    boolean lock() {
        boolean locked = true;
        while (locked && locks.size() < txn.size()) {
            locked = lockNew();
        }
        return locked;
    }

    private boolean lockNew() {
        int first = locks.admitNew(lockedAtOnce);
        checkReleasable();
        clock.enter();
        boolean locked = code.isOneSided(LockingProtocol.LOCK) ? oneSidedLocking.lock(first) : lockByRpc(first);
        clock.leave(LockingProtocol.LOCK);
        return locked;
    }

    /** Whatever the attempt's outcome, one message to each node has to drop the attempt's locks there. */
    private void checkReleasable() {
        int allowed = context.endpoint().maxCallBytes();
        int itemBytes = 2 * LockingParticipant.INSTALL.bytes(); // a tuple and its leaf
        if (code.isOneSided(LockingProtocol.RELEASE)
                || Calls.HEADER_BYTES + (long) locks.size() * itemBytes <= allowed) {
            return;
        }
        for (int node = 0; node < context.shape().nodes(); node++) {
            int bytes = Calls.HEADER_BYTES;
            for (int i = 0; i < locks.size(); i++) {
                bytes += locks.entry(i).access().node() == node ? itemBytes : 0;
            }
            calls.checkReleasable(node, bytes, "access fewer keys", "release one-sided");
        }
    }

    /** Logs the writes. Afterwards the transaction is decided, or must abort and no backup replays it. */
    boolean log() {
        clock.enter();
        layOut(true); // first: a decided transaction must not run out of room
        boolean decided = logStage.log();
        clock.leave(LockingProtocol.LOG);
        return decided;
    }

    /**
     * Installs the writes, which {@link #log} logged, and drops all locks; locks without a write by release's primitive. Afterwards this is done on
     * every node of the configuration.
     */
    void commit() {
        clock.enter();
        finish(LockingProtocol.COMMIT);
    }

    /** Drops all locks without installing anything. Afterwards this is done on every node of the configuration. */
    void release() {
        clock.enter();
        lost.find();
        layOut(false);
        finish(LockingProtocol.RELEASE);
    }

    // ---- lock, by RPC ----------------------------------------------------------------------------------------------

    private boolean lockByRpc(int first) {
        for (int i = first; i < locks.size(); i++) {
            Access access = locks.entry(i).access();
            calls.measure(
                    access.node(),
                    KeyItem.bytes(access.layout()),
                    LockMessage.replyBytes(access.layout(), access.intent()));
        }
        calls.begin(locks.owner());
        for (int i = first; i < locks.size(); i++) {
            LockRequest request = locks.entry(i);
            Access access = request.access();
            long item = calls.item(access.node(), KeyItem.bytes(access.layout()));
            SharableLeaf leaf = locks.leafOf(access);
            leaf.pending(!leaf.isHeldAlone());
            request.leaf = leaf;
            LockMessage.encode(context.buffers(), item, access, leaf.mode);
        }
        if (!calls.callAndAwait(LockingParticipant.LOCK, txn.completion())) {
            txn.abort(AbortReason.PEER_UNREACHABLE);
            lost.lostCall(first);
        }
        for (int i = 0; i < calls.targets(); i++) {
            readLockReply(first, calls.target(i));
        }
        calls.clear();
        return txn.abortReason() == null;
    }

    /** Takes in a participant's results; if it was not reached, its requests are lost, and the reply has no items. */
    private void readLockReply(int first, int node) {
        Memory buffers = context.buffers();
        long reply = calls.replyOffset(node);
        int served = (int) buffers.getLong(reply);
        long item = reply + Memory.WORD_BYTES;
        for (int i = first; i < locks.size() && served > 0; i++) {
            LockRequest request = locks.entry(i);
            if (request.access().node() == node) {
                request.leaf.pending(false);
                LockMessage.decode(buffers, item, request, txn, context.abortReasons());
                item += LockMessage.replyBytes(
                        request.access().layout(), request.access().intent());
                served--;
            }
        }
    }

    // ---- commit and release ----------------------------------------------------------------------------------------

    /** Makes room for the messages of commit or release, and forgets the messages of a stage that did not end. */
    private void layOut(boolean installs) {
        calls.clear();
        for (int i = 0; i < locks.size(); i++) {
            LockRequest request = locks.entry(i);
            boolean installed = isInstalled(request, installs);
            if (request.held != LockMode.NONE && isRpc(installed)) {
                calls.measure(
                        request.access().node(),
                        LockingParticipant.INSTALL.bytes(
                                action(request, installed), request.access().layout()),
                        0);
            }
        }
        for (int i = 0; i < locks.leaves(); i++) {
            SharableLeaf leaf = locks.leaf(i);
            if (leaf.mode != LockMode.NONE && isRpc(installs && leaf.written)) {
                calls.measure(leaf.node(), LockingParticipant.INSTALL.bytes(), 0);
            }
        }
        calls.begin(locks.owner());
    }

    /** Does the remaining work for each lock: it depends on how the lock is held and on whether its record is written. */
    private void finish(int stage) {
        boolean installs = stage == LockingProtocol.COMMIT;
        for (int i = 0; i < locks.size(); i++) {
            finishTuple(locks.entry(i), installs);
        }
        for (int i = 0; i < locks.leaves(); i++) {
            finishLeaf(locks.leaf(i), installs); // after the tuples: it shows other transactions that they came or went
        }
        batches.postAtOnce(txn.completion());
        calls.call(LockingParticipant.FINISH, txn.completion());
        if (!txn.completion().await()) {
            retry.settleFailed(installs ? commitAgain : releaseAgain);
        }
        calls.clear();
        clock.leave(stage);
    }

    /**
     * Finishes once more on one node, where all, some or none of the work was done. An exclusive lock that is still there has not been dropped, and
     * the writes before that can be installed again.
     */
    private boolean finishAgain(int node, boolean installs) {
        boolean calling = calls.isTarget(node);
        if (calling) {
            calls.restart(node);
        }
        boolean reached = true;
        for (int i = 0; i < locks.size() && reached; i++) {
            if (locks.entry(i).access().node() == node) {
                reached = finishTupleAgain(locks.entry(i), installs);
            }
        }
        for (int i = 0; i < locks.leaves() && reached; i++) {
            if (locks.leaf(i).node() == node) {
                reached = finishLeafAgain(locks.leaf(i), installs);
            }
        }
        batches.post(txn.completion());
        if (calling && reached) {
            calls.call(node, LockingParticipant.FINISH, txn.completion());
        }
        return txn.completion().await() && reached;
    }

    private boolean finishTupleAgain(LockRequest request, boolean installs) {
        Access access = request.access();
        switch (request.held) {
            case NONE -> {
                return true;
            }
            case SHARED -> {
                return doubt.look(access.tupleAddress());
            }
            case EXCLUSIVE -> {}
        }
        if (!isRpc(isInstalled(request, installs))) {
            if (!word.read(access.tupleAddress())) {
                return false;
            }
            if (word.found() != locks.owner()) {
                return freeEntryAgain(request, installs);
            }
        }
        finishTuple(request, installs);
        return true;
    }

    /**
     * Frees the index entry of an unlocked slot, if that is left to do. As long as the leaf is held, no other transaction reserves it for the key.
     */
    private boolean freeEntryAgain(LockRequest request, boolean installs) {
        Access access = request.access();
        boolean deleted = isInstalled(request, installs) && access.intent() == Intent.DELETE;
        if (!deleted && (installs || !request.isReserved())) {
            return true;
        }
        SharableLeaf leaf = locks.leafOf(access);
        if (!word.read(leaf.address())) {
            return false;
        }
        long taken = deleted ? IndexEntry.live(access.keyHash()) : IndexEntry.reserved(access.keyHash());
        return word.found() != locks.owner() || word.cas(IndexProbe.entryOfTuple(access), taken, IndexEntry.EMPTY);
    }

    private boolean finishLeafAgain(SharableLeaf leaf, boolean installs) {
        if (leaf.mode == LockMode.NONE) {
            return true;
        }
        if (leaf.mode == LockMode.SHARED) {
            return doubt.look(leaf.address());
        }
        if (!isRpc(installs && leaf.written)) {
            if (!word.read(leaf.address())) {
                return false;
            }
            if (word.found() != locks.owner()) {
                return true;
            }
        }
        finishLeaf(leaf, installs);
        return true;
    }

    private boolean isRpc(boolean installed) {
        return !code.isOneSided(installed ? LockingProtocol.COMMIT : LockingProtocol.RELEASE);
    }

    private void finishTuple(LockRequest request, boolean installs) {
        if (request.held == LockMode.NONE) {
            return;
        }
        Access access = request.access();
        boolean installed = isInstalled(request, installs);
        if (installed) {
            context.buffers().putLong(access.imageOffset() + access.layout().versionOffset(), txn.commitTs());
        }
        if (isRpc(installed)) {
            callToFinish(request, installed);
        } else if (installed) {
            install(request, batches.to(access.node()));
        } else {
            unlock(request, batches.to(access.node()));
        }
    }

    private void callToFinish(LockRequest request, boolean installed) {
        Access access = request.access();
        Memory buffers = context.buffers();
        InstallMessage format = LockingParticipant.INSTALL;
        int action = action(request, installed);
        long item = calls.item(access.node(), format.bytes(action, access.layout()));
        if (installed) {
            format.encodeWrite(buffers, item, access, txn.commitTs());
        } else {
            format.encode(buffers, item, action, access.tupleAddress(), Timestamp.NONE);
        }
    }

    private static int action(LockRequest request, boolean installed) {
        if (installed) {
            return InstallMessage.action(request.access());
        }
        return request.isReserved() ? InstallMessage.UNRESERVE : unlockAction(request.held);
    }

    private static int unlockAction(LockMode held) {
        return held == LockMode.SHARED ? InstallMessage.UNLOCK_SHARED : InstallMessage.UNLOCK;
    }

    private static boolean isInstalled(LockRequest request, boolean installs) {
        return installs && request.access().isFetched() && request.access().isWrite();
    }

    /** WRITE of the changes, then WRITE of the lock word: the order of a batch makes the changes visible first. */
    private void install(LockRequest request, Batch batch) {
        Access access = request.access();
        TupleLayout t = access.layout();
        long tuple = access.tupleAddress();
        switch (access.intent()) {
            case UPDATE, WRITE ->
                batch.write(access.imageOffset() + t.versionOffset(), t.valueBytes(), tuple + t.versionOffset());
            case INSERT -> {
                Memory buffers = context.buffers();
                long identity = access.imageOffset() + t.identityOffset();
                buffers.copy(access.identityOffset(), buffers, identity, t.identityBytes());
                batch.write(identity, t.identityBytes() + t.valueBytes(), tuple + t.identityOffset());
                batch.writeWord(IndexEntry.live(access.keyHash()), IndexProbe.entryOfTuple(access));
            }
            case DELETE -> {
                batch.writeWord(0, tuple + t.identityOffset());
                batch.writeWord(txn.commitTs(), tuple + t.versionOffset());
            }
            case READ -> throw new IllegalStateException("a read installs nothing");
        }
        batch.writeWord(LockRules.FREE, tuple);
        if (access.intent() == Intent.DELETE) {
            batch.writeWord(
                    IndexEntry.EMPTY,
                    IndexProbe.entryOfTuple(access)); // last: the slot is free for other keys from here on
        }
    }

    private void unlock(LockRequest request, Batch batch) {
        unlock(request.access().tupleAddress(), request.held, batch);
        if (request.isReserved()) {
            batch.writeWord(IndexEntry.EMPTY, IndexProbe.entryOfTuple(request.access()));
        }
    }

    private void unlock(long lockAddress, LockMode mode, Batch batch) {
        Unlocking.unlock(rules, locks.owner(), batch, lockAddress, mode, atomicResult);
    }

    private void finishLeaf(SharableLeaf leaf, boolean installs) {
        if (leaf.mode == LockMode.NONE) {
            return;
        }
        boolean installed = installs && leaf.written;
        if (isRpc(installed)) {
            long item = calls.item(leaf.node(), LockingParticipant.INSTALL.bytes());
            int action = installed ? InstallMessage.WRITE_LEAF : unlockAction(leaf.mode);
            long version = installed ? txn.commitTs() : Timestamp.NONE;
            LockingParticipant.INSTALL.encode(context.buffers(), item, action, leaf.address(), version);
        } else {
            Batch batch = batches.to(leaf.node());
            if (installed) {
                batch.writeWord(txn.commitTs(), leaf.versionAddress());
            }
            unlock(leaf.address(), leaf.mode, batch);
        }
    }
}
