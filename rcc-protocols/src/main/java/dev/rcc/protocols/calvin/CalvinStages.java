package dev.rcc.protocols.calvin;

import dev.rcc.core.fabric.Batch;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.RemoteAddress;
import dev.rcc.core.protocol.WorkerContext;
import dev.rcc.core.replication.LogStage;
import dev.rcc.core.store.IndexEntry;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TupleLayout;
import dev.rcc.core.time.Timestamp;
import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Fragment;
import dev.rcc.core.txn.Intent;
import dev.rcc.core.txn.StageClock;
import dev.rcc.core.txn.Transaction;
import dev.rcc.core.txn.TransactionTooLarge;
import dev.rcc.protocols.common.Batches;
import dev.rcc.protocols.common.Calls;
import dev.rcc.protocols.common.IndexProbe;
import dev.rcc.protocols.common.InstallMessage;
import dev.rcc.protocols.common.PeerRetry;
import dev.rcc.protocols.common.RemoteWord;

/**
 * The coordinator's side of CALVIN's stages: it submits keys and waits until they are dispatched and forwarded, and when
 * the transaction has run, forwards its writes to the active participants. The participants' side of both stages is in
 * {@link Sequencer} and {@link Forwarder}.
 */
final class CalvinStages {
    private static final long NO_QUARANTINE = Long.MAX_VALUE;

    private final WorkerContext context;
    private final Transaction txn;
    private final Memory buffers;
    private final CalvinParticipant participant;
    private final CalvinLayout layout;
    private final Submission submission;
    private final Shipment shipment;
    private final boolean oneSided;
    private final LogStage logStage;
    private final Batches batches;
    private final Calls calls;
    private final PeerRetry retry;
    private final RemoteWord word;
    private final PeerRetry.Debt commitAgain = this::commitAgain;
    private final PeerRetry.Debt releaseAgain = this::releaseAgain;
    private final StageClock clock;
    private final ExpectedCrossings crossings;

    /** Whether the locks of the submission are held: its active parts hold them until they are notified that it has finished. */
    private boolean holding;
    /** Room for the release, taken before anything is locked, so that releasing cannot fail. */
    private long releaseOffset;
    /** The configuration in which some of the buffer was put in quarantine; {@link #NO_QUARANTINE} if nothing is. */
    private long quarantineEpoch = NO_QUARANTINE;

    CalvinStages(WorkerContext context, Transaction txn, CalvinParticipant participant) {
        int nodes = context.shape().nodes();
        this.context = context;
        this.txn = txn;
        this.buffers = context.buffers();
        this.participant = participant;
        this.layout = participant.layout();
        this.submission = new Submission(context.catalog()::placement, layout.workers());
        this.oneSided = context.code().isOneSided(Calvin.FORWARD);
        this.logStage = context.logStage(txn, Calvin.FORWARD);
        this.batches = new Batches(context.endpoint(), nodes);
        this.calls = new Calls(context.endpoint(), txn.buffer(), nodes);
        this.retry = new PeerRetry(context, txn);
        this.word = new RemoteWord(context, txn);
        this.clock = new StageClock(txn, context.timers());
        this.crossings = new ExpectedCrossings(context, txn);
        this.shipment = new Shipment(context, txn, participant, submission, crossings);
    }

    /** Begins an attempt. */
    void begin() {
        holding = false;
        shipment.begin();
        if (context.gate().configEpoch() > quarantineEpoch) { // nothing of the configuration before is under way
            quarantineEpoch = NO_QUARANTINE;
            txn.buffer().endQuarantine();
        }
        clock.begin();
    }

    /** Whether locks are held. */
    boolean isHolding() {
        return holding;
    }

    // ---- dispatch, and records forwarded to this coordinator ------------------------------------------------------

    /**
     * Has the keys of all accesses, and the further keys of {@code discovered}, locked and forwarded, and
     * gives the accesses the records that were found.
     *
     * @param shipped the fragment that all active participants are to run, if they can; or null
     * @return false if the transaction must abort, with the reason set; it may hold locks then
     */
    boolean lock(DiscoveredKeys discovered, Fragment shipped) {
        submission.clear();
        for (int i = 0; i < txn.size(); i++) {
            submission.add(txn.access(i), txn.access(i).declaredIntent());
        }
        for (int i = 0; i < discovered.size(); i++) {
            if (!isAccessed(discovered, i)) {
                TupleLayout t = discovered.table(i).layout().tuple();
                long identity = txn.buffer().allocate(t.identityBytes());
                discovered.copyIdentity(i, buffers, identity);
                long image = txn.buffer().allocate(t.tupleBytes());
                submission.add(discovered.table(i), discovered.intent(i), discovered.keyHash(i), identity, image);
            }
        }
        if (submission.size() == 0) {
            return true;
        }
        releaseOffset = txn.buffer().allocate(releaseBytes());
        shipment.ship(shipped);
        if (!submit()) {
            return false;
        }
        holding = true;
        markReserved();
        for (int i = 0; i < txn.size(); i++) {
            take(txn.access(i), i);
        }
        return txn.abortReason() == null;
    }

    /**
     * Reads the accesses from {@code first} on under locks that are dropped at once: the reconnaissance of a transaction
     * whose keys are not all known yet.
     *
     * @return false if a node cannot be reached
     */
    boolean reconnoitre(int first) {
        assert !holding;
        submission.clear();
        for (int i = first; i < txn.size(); i++) {
            submission.add(txn.access(i), Intent.READ);
        }
        if (submission.size() == 0) {
            return true;
        }
        boolean arrived = submit();
        holding = false; // a participant that is only read from is passive, and has nothing to drop
        end();
        if (!arrived) {
            return false;
        }
        for (int i = first; i < txn.size(); i++) {
            fill(txn.access(i), i - first);
        }
        txn.buffer().giveBack(submission.flagsOffset());
        return true;
    }

    /**
     * Gives an access that was declared later its record from the submission.
     *
     * @return false if its key is not locked, or not for such an intent
     */
    boolean takeDiscovered(Access access) {
        for (int i = 0; i < submission.size(); i++) {
            if (isKeyOf(i, access)) {
                return Submission.covers(submission.key(i).intent, access.declaredIntent()) && take(access, i);
            }
        }
        return false;
    }

    private boolean isAccessed(DiscoveredKeys discovered, int key) {
        for (int i = 0; i < txn.size(); i++) {
            if (discovered.isKeyOf(key, txn.access(i), buffers)) {
                return true;
            }
        }
        return false;
    }

    private int releaseBytes() {
        int bytes = submission.parts() * Memory.WORD_BYTES;
        for (int node = 0; node < context.shape().nodes(); node++) {
            bytes += isActive(node) ? releaseBytes(node) : 0;
        }
        return bytes;
    }

    private int releaseBytes(int node) {
        int bytes = Calls.HEADER_BYTES;
        for (int i = 0; i < submission.size(); i++) {
            boolean isInserted = submission.node(i) == node && submission.key(i).intent == Intent.INSERT;
            bytes += isInserted ? CalvinParticipant.INSTALL.bytes() : 0;
        }
        return bytes;
    }

    /** Submits, and waits until all parts have arrived. False if a participant is dead or has refused. */
    private boolean submit() {
        int bytes = InputMessage.bytes(submission);
        if (bytes > participant.sequencer().maxSubmissionBytes()) {
            throw new TransactionTooLarge(
                    "the keys of a transaction, which CALVIN orders in one batch,",
                    bytes,
                    participant.sequencer().maxSubmissionBytes(),
                    participant.sequencer().isLimitedByMessages()
                            ? "access fewer keys, configure a network with longer messages, or dispatch one-sided"
                            : "access fewer keys, or raise calvin.batch-bytes");
        }
        checkForwarded();
        checkReleasable();
        for (int part = 0; part < submission.parts(); part++) {
            if (participant.peers().isDead(submission.partNode(part))) {
                txn.abort(AbortReason.PEER_UNREACHABLE);
                return false; // no participant has received a request
            }
        }
        place();
        submission.completion = txn.completion();

        clock.enter();
        participant.sequencer().submit(submission);
        crossings.expectFromAnyZone(); // the input goes to all nodes
        txn.completion().await();
        clock.leave(Calvin.DISPATCH);

        clock.enter();
        participant.awaitArrival(submission);
        for (int part = 0; part < submission.parts(); part++) {
            crossings.expectFrom(submission.partNode(part));
        }
        txn.completion().await();
        clock.leave(Calvin.FORWARD);

        boolean arrived = true;
        boolean mayComeLate = false;
        for (int part = 0; part < submission.parts(); part++) {
            long flag = buffers.getAcquire(submission.flagOffset(part));
            arrived &= flag == submission.id();
            mayComeLate |= !ForwardMessage.isNoted(flag, submission.id());
        }
        if (arrived) {
            shipment.arrived();
        } else {
            txn.abort(AbortReason.PEER_UNREACHABLE);
            if (shipment.isShipped()) {
                shipment.quarantine();
            } else if (oneSided && mayComeLate) {
                quarantine();
            }
            holding = true; // by the participants that have not refused
            markReserved();
        }
        return arrived;
    }

    /** Sets the place of forwarded records: this coroutine's buffer or, if other nodes execute, its inboxes there and here. */
    private void place() {
        long id = txn.clock().next();
        if (shipment.isShipped()) {
            submission.place(id, layout.inboxOffset(id), layout.inboxResultsOffset(id));
            return;
        }
        int flagBytes = submission.parts() * Memory.WORD_BYTES;
        long flags = txn.buffer().allocate(flagBytes);
        long results = txn.buffer().allocate(submission.size() * ForwardMessage.RESULT_BYTES);
        buffers.zero(flags, flagBytes);
        submission.place(id, flags, results);
    }

    /** Checks the lengths of messages: by RPC, a participant forwards its records for the transaction in one message. */
    private void checkForwarded() {
        int allowed = context.endpoint().maxCallBytes();
        for (int part = 0; part < submission.parts() && !oneSided; part++) {
            int bytes = ForwardMessage.HEADER_BYTES;
            for (int i = 0; i < submission.size(); i++) {
                KeyList.Item key = submission.key(i);
                boolean isItsPart = key.part == part;
                int imageBytes = Access.fetchedBytes(key.table.layout().tuple(), key.intent);
                bytes += isItsPart ? ForwardMessage.itemBytes(imageBytes) : 0;
            }
            if (bytes > allowed) {
                throw new TransactionTooLarge(
                        "the message of records that node " + submission.partNode(part)
                                + " forwards for the transaction",
                        bytes,
                        allowed,
                        "access fewer keys, configure a network that carries longer messages, or forward one-sided");
            }
        }
    }

    /** By RPC, a participant drops its locks by one message, which names the slots that no insert fills. */
    private void checkReleasable() {
        for (int node = 0; node < context.shape().nodes() && !oneSided; node++) {
            calls.checkReleasable(node, releaseBytes(node), "insert fewer records", "forward one-sided");
        }
    }

    /**
     * Keeps the buffer from other attempts: a participant that counts as dead may be alive, be granted the locks later, and WRITE its records there.
     * By RPC the handler sees that they are late.
     */
    private void quarantine() {
        quarantineEpoch = context.gate().configEpoch();
        txn.buffer().quarantine();
    }

    private void markReserved() {
        for (int i = 0; i < submission.size(); i++) {
            KeyList.Item key = submission.key(i);
            boolean here = buffers.getLong(submission.flagOffset(key.part)) == submission.id();
            key.inserter = null;
            key.reserved = here
                    && key.intent == Intent.INSERT
                    && ForwardMessage.status(buffers, submission.resultOffset(i)) == ForwardMessage.ABSENT;
        }
    }

    private boolean isKeyOf(int i, Access access) {
        KeyList.Item key = submission.key(i);
        return key.keyHash == access.keyHash()
                && key.table == access.table()
                && buffers.equalWords(
                        key.identityOffset,
                        buffers,
                        access.identityOffset(),
                        access.layout().identityBytes());
    }

    private boolean take(Access access, int i) {
        fill(access, i);
        if (ForwardMessage.status(buffers, submission.resultOffset(i)) == ForwardMessage.FULL) {
            txn.abort(AbortReason.TABLE_FULL);
        } else if (access.declaredIntent() == Intent.INSERT && !access.exists()) {
            long result = submission.resultOffset(i);
            access.tupleAddress(address(access, ForwardMessage.tupleOffset(buffers, result)));
            access.slotVersion(ForwardMessage.slotVersion(buffers, result));
            submission.key(i).inserter = access;
        }
        return true;
    }

    private void fill(Access access, int i) {
        long result = submission.resultOffset(i);
        access.leafVersion(ForwardMessage.leafVersion(buffers, result));
        if (ForwardMessage.status(buffers, result) == ForwardMessage.FOUND) {
            if (submission.key(i).imageOffset != access.imageOffset()) {
                int bytes = access.fetchedBytes();
                buffers.copy(submission.key(i).imageOffset, buffers, access.imageOffset(), bytes);
            }
            access.tupleAddress(address(access, ForwardMessage.tupleOffset(buffers, result)));
            access.foundTuple();
        } else {
            access.foundNothing();
        }
    }

    private static long address(Access access, long offset) {
        return access.table().address(access.node(), access.partition(), offset);
    }

    // ---- writes forwarded by this coordinator ---------------------------------------------------------------------

    /** Logs the writes. Afterwards the transaction is decided, or must abort and no backup replays it. */
    boolean log() {
        clock.enter();
        if (!oneSided) {
            layOut(); // first: a decided transaction must not run out of room
        }
        boolean decided = logStage.log();
        clock.leave(Calvin.FORWARD);
        return decided;
    }

    /** Forwards the writes, which {@link #log} logged, to the active participants, which drop their locks. */
    void commit() {
        clock.enter();
        shipment.awaitVotes();
        for (int i = 0; i < txn.size(); i++) {
            Access access = txn.access(i);
            if (access.isFetched() && access.isWrite() && !shipment.hasExecuted(access.node())) {
                buffers.putLong(access.imageOffset() + access.layout().versionOffset(), txn.commitTs());
                if (oneSided) {
                    install(access, batches.to(access.node()));
                } else {
                    long item = calls.item(access.node(), installBytes(access));
                    CalvinParticipant.INSTALL.encodeWrite(buffers, item, access, txn.commitTs());
                    buffers.putLong(InstallMessage.ownOffset(item), access.keyHash());
                }
            }
        }
        if (oneSided) {
            finishOneSided(true);
        } else {
            for (int i = 0; i < submission.size(); i++) {
                if (isToBeFreed(i, true) && !shipment.hasExecuted(submission.node(i))) {
                    encodeFree(i, calls.item(submission.node(i), CalvinParticipant.INSTALL.bytes()));
                }
            }
            long decision = releaseOffset;
            for (int i = 0; i < calls.targets(); i++) {
                if (shipment.hasExecuted(calls.target(i))) {
                    decision = callDecide(calls.target(i), decision);
                } else {
                    calls.call(calls.target(i), CalvinParticipant.FINISH, txn.completion());
                }
            }
            if (!txn.completion().await()) {
                retry.settleFailed(commitAgain);
            }
            calls.clear();
        }
        holding = false;
        end();
        clock.leave(Calvin.FORWARD);
    }

    /** The version of a fragment's writes, which all nodes that execute it find. */
    long commitVersion() {
        long latest = Timestamp.NONE;
        for (int i = 0; i < submission.size(); i++) {
            KeyList.Item key = submission.key(i);
            TupleLayout layoutOfKey = key.table.layout().tuple();
            latest = CommitVersion.latest(latest, buffers, submission.resultOffset(i), key.imageOffset, layoutOfKey);
        }
        return CommitVersion.of(latest, submission.id());
    }

    /** The shipment: whether, and how, other nodes execute the submission. */
    Shipment shipment() {
        return shipment;
    }

    /** Marks the submission as finished: a message that still comes for it is too late. */
    private void end() {
        buffers.putRelease(layout.finishedOffset(submission.id()), submission.id());
    }

    /** Commits once more on one node, where all, some or nothing of it was done: the node holds the locks until it is notified of the end. */
    private boolean commitAgain(int node) {
        if (!oneSided && shipment.hasExecuted(node)) {
            long _ = callDecide(node, releaseOffset);
            return txn.completion().await();
        }
        if (!oneSided) {
            calls.call(node, CalvinParticipant.FINISH, txn.completion());
            return txn.completion().await();
        }
        if (!word.read(finishedAddress(node))) {
            return false;
        }
        if (!Timestamp.isBefore(word.found(), submission.id())) {
            return true;
        }
        for (int i = 0; i < txn.size(); i++) {
            Access access = txn.access(i);
            if (access.node() == node && access.isFetched() && access.isWrite() && !shipment.hasExecuted(node)) {
                install(access, batches.to(node));
            }
        }
        appendFinish(node, true);
        batches.post(txn.completion());
        return txn.completion().await();
    }

    private boolean releaseAgain(int node) {
        if (!oneSided) {
            long _ = callRelease(node, releaseOffset);
            return txn.completion().await();
        }
        if (!word.read(finishedAddress(node))) {
            return false;
        }
        if (Timestamp.isBefore(word.found(), submission.id())) {
            appendFinish(node, false);
        }
        batches.post(txn.completion());
        return txn.completion().await();
    }

    private long finishedAddress(int node) {
        return CalvinLayout.address(node, layout.finishedOffset(submission.id()));
    }

    /** Lets the active participants drop their locks; nothing is written. */
    void release() {
        if (!holding) {
            return;
        }
        clock.enter();
        shipment.awaitVotes();
        calls.clear(); // of a commit that found no room
        if (oneSided) {
            finishOneSided(false);
        } else {
            releaseByRpc();
        }
        holding = false;
        end();
        clock.leave(Calvin.FORWARD);
    }

    private void releaseByRpc() {
        long request = releaseOffset;
        for (int node = 0; node < context.shape().nodes(); node++) {
            if (isActive(node)) {
                request = callRelease(node, request);
            }
        }
        if (!txn.completion().await()) {
            retry.settleFailed(releaseAgain);
        }
    }

    /** Calls with a message that lies at {@code request}, and returns its end. */
    private long callRelease(int node, long request) {
        long item = request + Calls.HEADER_BYTES;
        int items = 0;
        for (int i = 0; i < submission.size(); i++) {
            if (isToBeFreed(i, false) && submission.node(i) == node) {
                encodeFree(i, item);
                item += CalvinParticipant.INSTALL.bytes();
                items++;
            }
        }
        buffers.putLong(request, items);
        buffers.putLong(request + Memory.WORD_BYTES, submission.id());
        int bytes = (int) (item - request);
        context.endpoint().call(node, CalvinParticipant.FINISH, request, bytes, request, 0, txn.completion());
        return item;
    }

    /** Notifies a node that its execution has committed, with a message that lies at {@code request}; returns the message's end. */
    private long callDecide(int node, long request) {
        long word = request + Calls.HEADER_BYTES;
        int workers = 0;
        for (int part = 0; part < submission.parts(); part++) {
            if (submission.partNode(part) == node && submission.isActive(part)) {
                buffers.putLong(word, submission.partWorker(part));
                word += Memory.WORD_BYTES;
                workers++;
            }
        }
        buffers.putLong(request, workers);
        buffers.putLong(request + Memory.WORD_BYTES, submission.id());
        int bytes = (int) (word - request);
        context.endpoint().call(node, CalvinParticipant.DECIDE, request, bytes, request, 0, txn.completion());
        return word;
    }

    private void layOut() {
        calls.clear();
        for (int i = 0; i < txn.size(); i++) {
            Access access = txn.access(i);
            if (access.isFetched() && access.isWrite()) {
                calls.measure(access.node(), installBytes(access), 0);
            }
        }
        for (int i = 0; i < submission.size(); i++) {
            if (isToBeFreed(i, true)) {
                calls.measure(submission.node(i), CalvinParticipant.INSTALL.bytes(), 0);
            }
        }
        for (int part = 0; part < submission.parts(); part++) {
            if (submission.isActive(part)) {
                calls.measure(submission.partNode(part), 0, 0);
            }
        }
        calls.begin(submission.id());
    }

    private void finishOneSided(boolean committed) {
        for (int node = 0; node < context.shape().nodes(); node++) {
            if (isActive(node)) {
                appendFinish(node, committed);
            }
        }
        batches.post(txn.completion());
        if (!txn.completion().await()) {
            retry.settleFailed(committed ? commitAgain : releaseAgain);
        }
    }

    private void appendFinish(int node, boolean committed) {
        if (committed && shipment.hasExecuted(node)) {
            appendDecide(node);
            return;
        }
        for (int i = 0; i < submission.size(); i++) {
            if (isToBeFreed(i, committed) && submission.node(i) == node) {
                long tuple = ForwardMessage.tupleOffset(buffers, submission.resultOffset(i));
                Table table = submission.key(i).table;
                long entry = table.layout().entryOfTuple(tuple);
                batches.to(node).writeWord(IndexEntry.EMPTY, table.address(node, submission.key(i).partition, entry));
            }
        }
        // Last: a worker that sees it sees the writes, and drops the locks.
        batches.to(node).writeWord(submission.id(), finishedAddress(node));
    }

    private void appendDecide(int node) {
        Batch batch = batches.to(node);
        for (int part = 0; part < submission.parts(); part++) {
            if (submission.partNode(part) == node && submission.isActive(part)) {
                long word = layout.decidedOffset(submission.id(), submission.partWorker(part));
                batch.writeWord(submission.id(), CalvinLayout.address(node, word));
            }
        }
        batch.writeWord(submission.id(), finishedAddress(node)); // last: finished and not decided means aborted
    }

    /** A slot that no insert fills goes back. */
    private boolean isToBeFreed(int i, boolean committed) {
        KeyList.Item key = submission.key(i);
        boolean fills = committed && key.inserter != null && key.inserter.isWrite();
        return key.reserved && !fills;
    }

    private boolean isActive(int node) {
        for (int part = 0; part < submission.parts(); part++) {
            if (submission.partNode(part) == node && submission.isActive(part)) {
                return true;
            }
        }
        return false;
    }

    private static int installBytes(Access access) {
        return CalvinParticipant.INSTALL.bytes(InstallMessage.action(access), access.layout());
    }

    private void encodeFree(int i, long item) {
        long tuple = ForwardMessage.tupleOffset(buffers, submission.resultOffset(i));
        long address = RemoteAddress.of(
                submission.node(i), submission.key(i).table.region(submission.key(i).partition), tuple);
        CalvinParticipant.INSTALL.encode(buffers, item, InstallMessage.UNRESERVE, address, Timestamp.NONE);
        buffers.putLong(InstallMessage.ownOffset(item), submission.key(i).keyHash);
    }

    private void install(Access access, Batch batch) {
        TupleLayout t = access.layout();
        long tuple = access.tupleAddress();
        long leaf = IndexProbe.leafVersionAddress(access);
        long entry = IndexProbe.entryOfTuple(access);
        switch (access.intent()) {
            case UPDATE, WRITE ->
                batch.write(access.imageOffset() + t.versionOffset(), t.valueBytes(), tuple + t.versionOffset());
            case INSERT -> {
                long identity = access.imageOffset() + t.identityOffset();
                buffers.copy(access.identityOffset(), buffers, identity, t.identityBytes());
                batch.write(identity, t.identityBytes() + t.valueBytes(), tuple + t.identityOffset());
                batch.writeWord(txn.commitTs(), leaf);
                batch.writeWord(IndexEntry.live(access.keyHash()), entry);
            }
            case DELETE -> {
                batch.writeWord(0, tuple + t.identityOffset());
                batch.writeWord(txn.commitTs(), tuple + t.versionOffset());
                batch.writeWord(txn.commitTs(), leaf);
                batch.writeWord(IndexEntry.EMPTY, entry); // last: frees the slot for other inserts
            }
            case READ -> throw new IllegalStateException("a read installs nothing");
        }
    }
}
