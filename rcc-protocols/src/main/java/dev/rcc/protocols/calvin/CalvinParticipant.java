package dev.rcc.protocols.calvin;

import dev.rcc.core.fabric.RpcRequest;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.protocol.WorkerContext;
import dev.rcc.core.store.Catalog;
import dev.rcc.core.store.KeyHash;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TableLayout;
import dev.rcc.core.time.Timestamp;
import dev.rcc.core.txn.Intent;
import dev.rcc.core.worker.Coroutine;
import dev.rcc.core.worker.Poller;
import dev.rcc.protocols.common.Calls;
import dev.rcc.protocols.common.Install;
import dev.rcc.protocols.common.InstallMessage;
import dev.rcc.protocols.common.InstallRules;
import dev.rcc.protocols.common.Installer;
import java.util.Arrays;

/**
 * A worker's tasks under CALVIN other than running transactions: it takes in the epochs, grants the locks of its own keys in
 * the global order, forwards the tuples whose locks are granted, and drops the locks of finished transactions. It does all
 * this in the event loop's polls; the RPC handlers only put a message's contents where a WRITE would have put them.
 *
 * <p>The leaf of a key decides which worker owns it, so that the locks of a key and of its leaf have one owner, and
 * no thread waits for another.
 */
final class CalvinParticipant implements Poller {
    /** Delivers a batch. */
    static final int DISPATCH = 1;
    /** Delivers a part of a transaction to its coordinator. */
    static final int FORWARD = 2;
    /** Carries out a transaction's writes, and announces that it has finished; see {@link InstallMessage}. */
    static final int FINISH = 3;
    /** The coordinator's message when it is done: its writes, and the reserved slots that it has not used. With the hash of the key. */
    static final InstallMessage INSTALL = new InstallMessage(Memory.WORD_BYTES);

    /** Asks whether the node is there, and has not found the caller dead; see {@link Peers}. */
    static final int PROBE = 4;
    /** Announces that a transaction has committed whose writes this node has executed itself: its id, and the workers that executed it. */
    static final int DECIDE = 5;

    private static final int KEY_HASH = 0;
    private static final long PULSE_NANOS_MIN = 20_000;
    private static final long PULSE_NANOS_MAX = 5_000_000;
    private static final long LOCK_SPREAD = 0x9E3779B97F4A7C15L;

    private final WorkerContext context;
    private final CalvinOptions options;
    private final CalvinLayout layout;
    private final Memory buffers;
    private final Catalog catalog;
    private final int node;
    private final int worker;
    private final Peers peers;
    private final Sequencer sequencer;
    private final Forwarder forwarder;
    private final LockTable locks = new LockTable();
    private final Installer installer;
    private final Installs installs = new Installs();
    /** Null until the worker's service coroutine has begun. */
    private FragmentRunner runner;

    /** This worker's participations. */
    private Participation[] participations = new Participation[16];

    private int participationCount;
    /** Number of the participations that only recovery can end. */
    private int orphanCount;

    private Participation[] pool = new Participation[16];
    private int pooled;
    private int deathsSeen;

    /** The submissions of this worker's coroutines that wait for their parts. */
    private final Submission[] arriving;

    private int arrivingCount;

    private final long pulseNanosMin;
    private boolean active;
    /** The time at which it was last busy; at first the time of its creation, so that its first pulses are short. */
    private long activeNanos;

    CalvinParticipant(WorkerContext context, CalvinOptions options) {
        this.context = context;
        this.options = options;
        this.layout = new CalvinLayout(context.shape(), options.batchBytes());
        this.buffers = context.buffers();
        this.catalog = context.catalog();
        this.node = context.worker().node();
        this.worker = context.worker().index();
        this.installer = new Installer(context.memstore(), INSTALL, installs);
        this.peers = new Peers(context, layout);
        this.sequencer = new Sequencer(context, options, layout, peers, this::schedule);
        this.forwarder = new Forwarder(context, layout, peers);
        this.arriving = new Submission[context.shape().coroutines()];
        boolean wakes =
                !context.code().isOneSided(Calvin.DISPATCH) && !context.code().isOneSided(Calvin.FORWARD);
        this.activeNanos = context.worker().nanoTime();
        this.pulseNanosMin =
                wakes ? Math.clamp(options.epochNanos(), PULSE_NANOS_MIN, PULSE_NANOS_MAX) : PULSE_NANOS_MIN;
    }

    void serve() {
        context.endpoint().handle(DISPATCH, this::dispatched);
        context.endpoint().handle(FORWARD, this::forwarded);
        context.endpoint().handle(FINISH, this::finished);
        context.endpoint().handle(PROBE, peers::answer);
        context.endpoint().handle(DECIDE, this::decided);
        context.worker().addPoller(this);
        context.gate().whenFrozen(this::freeze);
        context.worker().spawn(context.serviceCoroutine(), this::pulse);
    }

    // ---- for the coordinators of this worker -----------------------------------------------------------------------

    CalvinLayout layout() {
        return layout;
    }

    Peers peers() {
        return peers;
    }

    Sequencer sequencer() {
        return sequencer;
    }

    /** Whether fragments are shipped to the participants, which execute them. */
    boolean shipsFragments() {
        return options.execution() == Execution.PARTICIPANTS;
    }

    /** Makes the submission's completion succeed once all its parts, or its votes if it has a place for them, have arrived or never will. */
    void awaitArrival(Submission submission) {
        submission.completion.add();
        arriving[arrivingCount++] = submission;
    }

    /** Keeps an idle worker from sleeping for long: a peer's WRITE wakes no thread, and epochs are to be closed in time. */
    private void pulse(Coroutine coroutine) {
        if (shipsFragments() && context.fragments().size() > 0) {
            runner = new FragmentRunner(context, coroutine, this::isFinished);
        }
        while (true) {
            coroutine.sleep(pulseNanos());
        }
    }

    private long pulseNanos() {
        long now = context.worker().nanoTime();
        if (active || isBusy()) {
            active = false;
            activeNanos = now;
        }
        return Math.clamp(now - activeNanos, pulseNanosMin, PULSE_NANOS_MAX);
    }

    // ---- the handlers ----------------------------------------------------------------------------------------------

    private void dispatched(RpcRequest request) {
        int from = layout.sequencer(request.caller(), worker);
        sequencer.receive(from, request.payload(), request.payloadOffset(), request.payloadBytes());
        request.reply(0);
    }

    /** Drops a message for a submission that is over: its coroutine's buffer may be another transaction's by now. */
    private void forwarded(RpcRequest request) {
        if (!isFinished(ForwardMessage.submission(request.payload(), request.payloadOffset()))) {
            ForwardMessage.deliver(request.payload(), request.payloadOffset(), buffers);
        }
        request.reply(0);
    }

    private void finished(RpcRequest request) {
        long id = installer.carryOut(request);
        if (!isFinished(id)) {
            buffers.putRelease(layout.finishedOffset(id), id);
        }
        installer.reply();
    }

    private void decided(RpcRequest request) {
        Memory payload = request.payload();
        int workers = Calls.items(payload, request.payloadOffset());
        long id = Calls.headerWord(payload, request.payloadOffset());
        if (!isFinished(id)) {
            for (int i = 0; i < workers; i++) {
                long word = request.payloadOffset() + Calls.HEADER_BYTES + (long) i * Memory.WORD_BYTES;
                buffers.putRelease(layout.decidedOffset(id, (int) payload.getLong(word)), id);
            }
            buffers.putRelease(layout.finishedOffset(id), id);
        }
        request.reply(0);
    }

    /** The participant holds the transaction's locks, which are no words of tuples. An insert or delete of a key changes its leaf's version. */
    private final class Installs implements InstallRules {
        /** Whether the writes are of this worker's own execution, and it has not dropped their locks. */
        private boolean own;

        @Override
        public boolean isHeld(Install install) {
            return own || !isFinished(install.attempt()); // otherwise the reply was lost
        }

        @Override
        public void writeVersion(Install install) {
            InstallRules.putVersion(install);
            if (install.action() != InstallMessage.UPDATE) {
                TableLayout table = install.layout();
                long leaf = table.leafOffset(install.own(KEY_HASH));
                install.memory().putLong(leaf + table.leafVersionOffset(), install.version());
            }
        }

        @Override
        public void unlock(Install install) {
            // Locks are dropped when the whole transaction has finished.
        }
    }

    // ---- the poll --------------------------------------------------------------------------------------------------

    @Override
    public int poll() {
        peers.poll(isBusy());
        forwarder.poll();
        if (deathsSeen != peers.deaths()) {
            deathsSeen = peers.deaths();
            dropDead();
        }
        int work = sequencer.poll() + releaseFinished() + forwardReady() + executeArrived() + tellArrivals();
        active |= work > 0;
        return work;
    }

    private boolean isBusy() {
        return sequencer.isBusy() || participationCount > orphanCount || arrivingCount > 0 || forwarder.isBusy();
    }

    /** Takes in the next submission in the global order: queues for the locks of its keys that are this worker's. */
    private void schedule(long offset) {
        Participation p = null;
        int items = InputMessage.items(buffers, offset);
        long item = InputMessage.firstItem(buffers, offset);
        for (int i = 0; i < items; i++) {
            Table table = InputMessage.table(buffers, item, catalog);
            long keyHash = InputMessage.keyHash(buffers, item);
            if (InputMessage.node(buffers, item, catalog.placement()) == node
                    && InputMessage.worker(table, keyHash, layout.workers()) == worker) {
                if (p == null) {
                    p = newParticipation(InputMessage.id(buffers, offset));
                    long flags = InputMessage.flagsOffset(buffers, offset);
                    long flag = flags + (long) InputMessage.part(buffers, item) * Memory.WORD_BYTES;
                    p.place(flag, InputMessage.resultsOffset(buffers, offset));
                    p.active().number = InputMessage.part(buffers, item);
                }
                p.add(buffers, item, table, i);
                request(p, table, keyHash, InputMessage.intent(buffers, item));
            }
            item = InputMessage.nextItem(buffers, item, catalog);
        }
        if (p != null) {
            if (InputMessage.isFragment(buffers, offset)) {
                ship(p, offset);
            }
            locks.admit(p);
        }
    }

    /** All nodes that hold records which the transaction may write run it; the coordinator writes the records of its own node. */
    private void ship(Participation p, long offset) {
        ActivePart part = p.active();
        part.takeIn(buffers, offset, catalog);
        p.ship();
        for (int i = 0; i < part.items(); i++) {
            if (InputMessage.intent(part.inputs(), part.item(i)) != Intent.READ) {
                p.addTarget(InputMessage.node(part.inputs(), part.item(i), catalog.placement()));
            }
        }
    }

    /** Whether a key exists is its leaf's affair: every transaction shares it that does not change that. */
    private void request(Participation p, Table table, long keyHash, Intent intent) {
        boolean changesLeaf = intent == Intent.INSERT || intent == Intent.DELETE;
        long leaf = table.layout().leafOffset(keyHash);
        locks.request(p, KeyHash.mix(leaf + (2L * table.id() + 1) * LOCK_SPREAD), changesLeaf);
        if (!changesLeaf) {
            locks.request(p, KeyHash.mix(keyHash + (2L * table.id() + 2) * LOCK_SPREAD), intent != Intent.READ);
        }
    }

    private int releaseFinished() {
        int count = 0;
        for (int i = participationCount - 1; i >= 0; i--) {
            Participation p = participations[i];
            if (p.state == Participation.State.HOLDING && isOver(p)) {
                orphanCount -= p.orphan ? 1 : 0; // a dead coordinator's last WRITE has arrived
                locks.release(p);
                recycle(p);
                count++;
            }
        }
        return count;
    }

    /**
     * Whether a transaction has ended; if so, installs the writes that this worker has executed and that have committed. It reads the finished word
     * first: that word is written after the decided word, so a worker that sees the former sees the latter.
     */
    private boolean isOver(Participation p) {
        boolean finished = isFinished(p.id());
        return installDecided(p) || finished;
    }

    /** Installs what this worker has executed, once it is known to have committed. */
    private boolean installDecided(Participation p) {
        if (!p.active().commits || buffers.getAcquire(layout.decidedOffset(p.id(), worker)) != p.id()) {
            return false;
        }
        installs.own = true;
        installer.carryOut(p.active().writes(), 0);
        installs.own = false;
        return true;
    }

    /** Runs the participations whose parts have all arrived, and sends the votes to their coordinators. */
    private int executeArrived() {
        if (runner == null) {
            return 0;
        }
        int count = 0;
        for (int i = 0; i < participationCount; i++) {
            Participation p = participations[i];
            ActivePart part = p.active();
            if (part.phase == ActivePart.Phase.COLLECTING && !p.orphan && haveArrived(p)) {
                part.commits = part.arrivedParts == part.parts() && runner.run(p);
                part.phase = ActivePart.Phase.EXECUTED;
                count++;
            }
            if (part.phase == ActivePart.Phase.EXECUTED && !p.orphan && forwarder.vote(p)) {
                part.phase = ActivePart.Phase.VOTED;
                count++;
            }
        }
        forwarder.post();
        return count;
    }

    /** Whether all parts of a transaction have arrived here, or it is known that one never will. */
    private boolean haveArrived(Participation p) {
        ActivePart part = p.active();
        while (part.arrivedParts < part.parts()) {
            long flag = buffers.getAcquire(layout.inboxOffset(p.id()) + (long) part.arrivedParts * Memory.WORD_BYTES);
            if (flag != p.id()) {
                return flag == ForwardMessage.refused(p.id()) || peers.isDead(part.partNode(part.arrivedParts));
            }
            part.arrivedParts++;
        }
        return true;
    }

    private boolean isFinished(long id) {
        return !Timestamp.isBefore(buffers.getAcquire(layout.finishedOffset(id)), id);
    }

    private int forwardReady() {
        int count = 0;
        for (Participation p = locks.firstReady(); p != null; p = locks.firstReady()) {
            boolean hasHome = !peers.isDead(p.home()) && !isFinished(p.id()); // else it awaits nothing
            if (hasHome && !forwarder.forward(p)) {
                break;
            }
            locks.removeReady();
            if (hasHome && p.state == Participation.State.READY && p.isActive()) {
                p.state = Participation.State.HOLDING;
                if (p.isShipped() && p.home() != node) {
                    p.active().phase = ActivePart.Phase.COLLECTING;
                }
            } else {
                locks.release(p); // a passive participant has done its part
                recycle(p);
            }
            count++;
        }
        forwarder.post();
        return count;
    }

    private int tellArrivals() {
        int count = 0;
        for (int i = arrivingCount - 1; i >= 0; i--) {
            Submission submission = arriving[i];
            if (hasArrived(submission)) {
                arriving[i] = arriving[--arrivingCount];
                arriving[arrivingCount] = null;
                submission.completion.succeed();
                count++;
            }
        }
        return count;
    }

    /** Whether all parts of a submission, or all its votes, have arrived or never will. */
    boolean hasArrived(Submission submission) {
        while (submission.arrivedParts < submission.parts()) {
            int part = submission.arrivedParts;
            if (submission.isAwaited(part, node)
                    && !ForwardMessage.isNoted(buffers.getAcquire(submission.notedOffset(part)), submission.id())
                    && !peers.isDead(submission.partNode(part))) {
                return false;
            }
            submission.arrivedParts++;
        }
        return true;
    }

    /**
     * A coordinator that is dead goes no further. A transaction for which it has been sent nothing cannot have committed,
     * and is dropped. A transaction that it may have committed keeps its locks: only recovery can find its outcome.
     */
    private void dropDead() {
        releaseFinished();
        for (int i = participationCount - 1; i >= 0; i--) {
            Participation p = participations[i];
            if (!peers.isDead(p.home())) {
                continue;
            }
            if (p.state == Participation.State.WAITING) {
                locks.release(p);
                recycle(p);
            } else if (p.state == Participation.State.HOLDING && !p.orphan) {
                orphanCount++;
                locks.orphan(p);
            }
        }
    }

    /**
     * Drops all locks, as no attempt runs in the whole cluster: no transaction needs them, whatever the outcome of lost coordinators' transactions.
     * Returns whether no message that this worker has sent is under way, so that the next configuration finds none of this one. Incarnations of nodes
     * that begin with the next configuration may draw ids anew.
     */
    private boolean freeze() {
        assert arrivingCount == 0 : "an attempt runs";
        releaseFinished(); // decided writes are installed before recovery reads the tuples
        while (participationCount > 0) {
            Participation p = participations[participationCount - 1];
            locks.release(p);
            recycle(p);
        }
        while (locks.firstReady() != null) {
            locks.removeReady(); // participations that became ready as others were released
        }
        orphanCount = 0;
        forwarder.poll();
        boolean sent = sequencer.halt();
        if (!sent || forwarder.isBusy() || !peers.isSettled()) {
            return false;
        }
        layout.clearFinished(buffers, worker);
        return true;
    }

    private Participation newParticipation(long id) {
        Participation p = pooled > 0 ? pool[--pooled] : new Participation();
        p.reset(id);
        if (participationCount == participations.length) {
            participations = Arrays.copyOf(participations, 2 * participationCount);
            pool = Arrays.copyOf(pool, 2 * participationCount);
        }
        p.place = participationCount;
        participations[participationCount++] = p;
        return p;
    }

    private void recycle(Participation p) {
        Participation last = participations[--participationCount];
        participations[participationCount] = null;
        participations[p.place] = last == p ? null : last;
        last.place = p.place;
        pool[pooled++] = p;
    }
}
