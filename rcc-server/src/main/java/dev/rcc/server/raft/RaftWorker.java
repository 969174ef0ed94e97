package dev.rcc.server.raft;

import dev.rcc.core.cluster.Placement;
import dev.rcc.core.memory.RemoteAddress;
import dev.rcc.core.replication.LogReport;
import dev.rcc.core.replication.LogStage;
import dev.rcc.core.replication.WorkerReplication;
import dev.rcc.core.store.Catalog;
import dev.rcc.core.txn.Transaction;
import dev.rcc.core.txn.WorkerSite;
import dev.rcc.core.worker.Completion;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A worker's part. For its coordinators, it keeps the leaders of groups, and the decisions of which groups have not been notified. On a
 * node that holds copies, it looks after the partitions whose numbers, modulo the number of workers, are its own.
 */
final class RaftWorker implements WorkerReplication {
    private final RaftNode node;
    private final int index;
    private final int log;
    private final BitSet lost = new BitSet();
    /** By node: the number of logged entries that the node backs up. */
    private final long[] logged;

    private final Leaders leaders;
    private final Decisions decisions;
    private RaftService service;

    RaftWorker(RaftNode node, int index) {
        int nodes = node.logs() / node.workers();
        this.node = node;
        this.index = index;
        this.log = node.log(node.node(), index);
        this.logged = new long[nodes];
        this.leaders = new Leaders(nodes);
        this.decisions = new Decisions(nodes);
    }

    /** The number of the log of this worker's transactions. */
    int log() {
        return log;
    }

    RaftNode node() {
        return node;
    }

    Leaders leaders() {
        return leaders;
    }

    Decisions decisions() {
        return decisions;
    }

    /** A transaction that writes a partition is decided: its backups will replay it. */
    void decided(Placement placement, int partition) {
        for (int i = 0; i < placement.backups(partition); i++) {
            logged[placement.backup(partition, i)]++;
        }
    }

    /** The memberships that this worker looks after. */
    List<RaftGroups.Member> members() {
        List<RaftGroups.Member> mine = new ArrayList<>();
        for (RaftGroups.Member member : node.groups().members()) {
            if (member.partition() % node.workers() == index) {
                mine.add(member);
            }
        }
        return mine;
    }

    @Override
    public int poll() {
        return 0; // the groups' threads replay
    }

    @Override
    public LogStage stage(WorkerSite site, Transaction txn, boolean oneSided) {
        return new RaftStage(site, this, txn);
    }

    @Override
    public void serve(WorkerSite site, boolean oneSided) {
        service = RaftService.serve(site, this);
    }

    @Override
    public boolean isLost(int peer) {
        return lost.get(peer);
    }

    @Override
    public void announceReadBound(WorkerSite site, long bound, Completion completion) {
        for (int peer = 0; peer < logged.length; peer++) {
            if (!lost.get(peer)) {
                site.endpoint()
                        .batch(peer)
                        .writeWord(bound, RemoteAddress.of(peer, Catalog.LOG_REGION, RaftNode.boundOffset(log)))
                        .post(completion);
            }
        }
    }

    @Override
    public long logged(int peer) {
        return logged[peer];
    }

    @Override
    public void lose(int peer) {
        lost.set(peer);
    }

    @Override
    public void settle(Runnable whenSettled) {
        service.settle(whenSettled);
    }

    @Override
    public void seal(Runnable whenSealed) {
        service.seal(whenSealed);
    }

    @Override
    public LogReport report(BitSet lostNodes) {
        return LogReport.of(members().stream()
                .map(member -> member.state().report(lostNodes))
                .toList());
    }

    @Override
    public void decide(LogReport report, BitSet lostNodes, Set<Long> committed) {
        members().forEach(member -> member.state().decide(lostNodes, committed));
    }

    @Override
    public boolean isDrained() {
        return members().stream().allMatch(member -> member.state().isDrained());
    }

    @Override
    public boolean isDamaged() {
        return members().stream().anyMatch(member -> member.state().isDamaged());
    }

    @Override
    public List<String> waiting() {
        return members().stream()
                .flatMap(member -> member.state().waiting().stream())
                .toList();
    }

    @Override
    public Map<Integer, long[]> replayedBefore(long[] ends) {
        Map<Integer, long[]> ids = new HashMap<>();
        members().forEach(member -> ids.putAll(member.state().beginSnapshot()));
        return ids;
    }

    @Override
    public void welcome(int peer) {
        lost.clear(peer);
        logged[peer] = 0;
        node.restart(node.log(peer, index));
    }

    @Override
    public void observeReadBound(long bound) {
        for (int each = index; each < node.logs(); each += node.workers()) {
            node.observeReadBound(each, bound);
        }
    }
}
