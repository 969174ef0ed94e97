package dev.rcc.protocols.rings;

import dev.rcc.core.replication.LogReport;
import dev.rcc.core.replication.LogStage;
import dev.rcc.core.replication.LoggedTransaction;
import dev.rcc.core.replication.WorkerReplication;
import dev.rcc.core.time.Timestamp;
import dev.rcc.core.txn.Transaction;
import dev.rcc.core.txn.WorkerSite;
import dev.rcc.core.worker.Completion;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A worker's log rings: the write ends of its own rings, and the read ends of the rings that it looks after. */
public final class RingWorker implements WorkerReplication {
    private final int index;
    private final LogTails tails;
    private final LogRings rings;
    private final LogRingLayout layout;

    /**
     * The rings of a worker.
     *
     * @param index the worker's number on its node
     * @param tails the write ends of the rings that this worker's transactions are logged to
     * @param rings the read ends: the rings on this node that the worker looks after, as a backup of other nodes
     */
    RingWorker(int index, LogTails tails, LogRings rings) {
        this.index = index;
        this.tails = tails;
        this.rings = rings;
        this.layout = tails.layout();
    }

    /** The write ends of the rings that this worker's transactions are logged to. */
    LogTails tails() {
        return tails;
    }

    /** The read ends: the rings on this node that the worker looks after. */
    public LogRings rings() {
        return rings;
    }

    @Override
    public int poll() {
        return rings.poll();
    }

    @Override
    public LogStage stage(WorkerSite site, Transaction txn, boolean oneSided) {
        return new RingStage(site, tails, txn, oneSided);
    }

    @Override
    public void serve(WorkerSite site, boolean oneSided) {
        RingService.serve(site, tails, rings, oneSided);
    }

    @Override
    public boolean isLost(int node) {
        return tails.isLost(node);
    }

    /** Announces the bound by a WRITE into the header of this worker's ring on each node. */
    @Override
    public void announceReadBound(WorkerSite site, long bound, Completion completion) {
        for (int node = 0; node < site.catalog().placement().nodes(); node++) {
            if (!tails.isLost(node)) {
                site.endpoint()
                        .batch(node)
                        .writeWord(bound, tails.boundAddress(tails.tail(node)))
                        .post(completion);
            }
        }
    }

    @Override
    public long logged(int node) {
        return tails.tail(node).tail();
    }

    @Override
    public void lose(int node) {
        tails.lose(node);
    }

    @Override
    public void settle(Runnable whenSettled) {
        tails.settle(whenSettled);
    }

    @Override
    public LogReport report(BitSet lost) {
        List<LoggedTransaction> logged = new ArrayList<>();
        Map<Integer, long[]> replayed = new HashMap<>();
        lost.stream().forEach(writer -> {
            int ring = layout.ring(writer, index);
            long[] ids = new long[Timestamp.MAX_COROUTINE + 1];
            for (int coroutine = 0; coroutine < ids.length; coroutine++) {
                ids[coroutine] = rings.replayedId(ring, coroutine);
            }
            logged.addAll(rings.survey(writer));
            replayed.put(ring, ids);
        });
        return new LogReport(logged, replayed);
    }

    @Override
    public void decide(LogReport report, BitSet lost, Set<Long> committed) {
        Map<Integer, List<Long>> positions = new HashMap<>();
        lost.stream().forEach(writer -> positions.put(layout.ring(writer, index), new ArrayList<>()));
        for (LoggedTransaction txn : report.logged()) {
            boolean mine = txn.log() % layout.workers() == index;
            if (mine && txn.undecided() && !txn.aborted()) {
                if (committed.contains(txn.id())) {
                    positions.get(txn.log()).add(txn.position());
                } else {
                    rings.markAborted(txn.log(), txn.position());
                }
            }
        }
        positions.forEach(rings::adopt);
    }

    @Override
    public boolean isDrained() {
        return rings.isDrained();
    }

    @Override
    public boolean isDamaged() {
        return rings.isBroken();
    }

    @Override
    public List<String> waiting() {
        return rings.waiting();
    }

    @Override
    public Map<Integer, long[]> replayedBefore(long[] ends) {
        return rings.replayedBefore(ends);
    }

    @Override
    public void welcome(int node) {
        tails.regain(node);
        rings.restart(layout.ring(node, index));
    }

    @Override
    public void observeReadBound(long bound) {
        for (int ring = index; ring < layout.rings(); ring += layout.workers()) {
            rings.memory().putRelease(layout.boundOffset(ring), bound);
        }
    }
}
