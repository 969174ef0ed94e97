package dev.rcc.server.recovery;

import dev.rcc.core.cluster.Placement;
import dev.rcc.core.fabric.PeerUnreachable;
import dev.rcc.core.replication.LogReport;
import dev.rcc.core.replication.ReplicationProvider;
import dev.rcc.core.time.Timestamp;
import dev.rcc.server.config.ClusterConfig;
import dev.rcc.server.config.Replications;
import dev.rcc.server.durability.CopyDigests;
import dev.rcc.server.durability.DataConfiguration;
import dev.rcc.server.durability.RecoveredNode;
import dev.rcc.server.membership.Configuration;
import dev.rcc.server.node.NodeGroup;
import dev.rcc.server.recovery.DiskExchange.Phase;
import dev.rcc.transport.control.Control;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;

/**
 * Starts the node of this process together with the other nodes, each from its disk. The nodes ask each other for the outcome of the
 * transactions that no node can decide alone ({@link DiskExchange}). They replay; then the primaries take the backups' data. No transaction
 * begins before all nodes are done with that.
 *
 * <p>A node that dies meanwhile and is started again begins at the start. The other nodes wait for it, and it finds the same outcomes as
 * before.
 *
 * <p>Each node writes the data of its copies to its disk as a proposal. Once all nodes have, the proposals count. The first start of a cluster
 * takes the same steps: if it ends before that, the next start is the cluster's first again.
 *
 * <p>Where dead nodes are replaced, only the members of the configuration that was agreed on last restart from their disks, as no other
 * node has the newest data. They do so once none of them is in the incarnation of that configuration any more ({@link RestartMembers}). A
 * node that was not a member, or that finds living members, is a newcomer: it does not use the data on its disk, and waits to be given
 * copies.
 */
public final class ProcessRestart {
    private static final long FORGET_MILLIS = 200;
    /** The pause before data is taken again. */
    private static final long AGAIN_MILLIS = 20;

    private final Control control;
    private final Placement home;
    private final ReplicationProvider replication;
    private final NodeGroup group;
    private final DiskRecovery recovery;
    private final DiskExchange exchange;
    /** Null if dead nodes are not replaced. */
    private final NodeMembership membership;
    /** Null until it was read, and again when all nodes have the data that they need from it. */
    private volatile RecoveredNode disk;

    private List<Integer> members;

    /**
     * Answers the peers' questions as soon as they are let in; closes the node if its disk cannot be read.
     *
     * @param group has this node only
     * @param membership present if dead nodes are replaced
     */
    public ProcessRestart(Control control, ClusterConfig config, NodeGroup group, Optional<NodeMembership> membership) {
        this.control = control;
        this.home = config.home();
        this.replication = Replications.of(config);
        this.group = group;
        this.recovery = new DiskRecovery(group, config.protocol());
        this.membership = membership.orElse(null);
        this.members = IntStream.range(0, control.nodes()).boxed().toList();
        this.exchange = new DiskExchange(
                control, () -> membership.map(m -> m.configuration().epoch()).orElse(0L));
        group.loader().refuse(); // whether there is data is known only when the nodes have met
        if (membership.isEmpty()) {
            readAlone();
        }
    }

    private void readAlone() {
        try {
            read(recovery.only());
        } catch (RuntimeException | Error e) {
            group.close();
            throw e;
        }
    }

    private void read(DataConfiguration data) {
        disk = recovery.read(data).getFirst();
        exchange.offer(disk, data.epoch());
    }

    /**
     * Takes all steps of the restart, once all peers are connected or, where dead nodes are replaced, all needed peers.
     *
     * @return whether the node runs; false if this incarnation of it is over, as the other nodes have gone on without it
     * @throws IllegalStateException when the data of the nodes does not fit together, or other nodes already run transactions
     */
    public boolean run() throws InterruptedException {
        if (membership == null) {
            runTogether();
            return true;
        }
        RestartMembers needed = new RestartMembers(control, membership);
        Optional<Configuration> last = needed.await();
        if (last.isEmpty()) {
            group.start();
            membership.ready();
            return true;
        }
        members = needed.of(last.get());
        try {
            runAsMember(last.get());
            return true;
        } catch (DiskExchange.Overtaken e) {
            forget();
            membership.beginAnew("the other nodes agreed on a later configuration while this node restarted");
            return false;
        }
    }

    private void runTogether() throws InterruptedException {
        for (int peer : members) {
            if (peer != control.node() && exchange.hasReached(peer, Phase.RUNNING)) {
                throw new IllegalStateException("node " + peer + " already runs transactions without node "
                        + control.node() + ": stop all nodes, and start them together");
            }
        }
        recoverOrBeginAnew();
        recovery.open(recovery.only());
        Map<Integer, Long> replayed = enter(Phase.REPLAYED);
        recovery.agree(recovery.only());
        takeFromBackups(replayed);
        exchange.reach(Phase.RUNNING); // before a transaction begins: a peer that starts now must not take part
        recovery.release();
        forget();
    }

    private void runAsMember(Configuration last) throws InterruptedException {
        DataConfiguration data = new DataConfiguration(last.epoch(), last.placement(home));
        read(data);
        recoverOrBeginAnew();
        recovery.open(new DataConfiguration(data.epoch() + 1, data.placement()));
        takeFromBackups(enter(Phase.REPLAYED));
        membership.ready(data.epoch());
        Thread.startVirtualThread(() -> forgetWhenFormed(data.epoch()));
    }

    /** Drops the disk's data after the next configuration is agreed on: until then, a member that dies and is started again asks for it. */
    private void forgetWhenFormed(long configEpoch) {
        try {
            while (control.isUp(control.node()) && membership.configuration().epoch() <= configEpoch) {
                TimeUnit.MILLISECONDS.sleep(FORGET_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        forget();
    }

    private void forget() {
        exchange.forget();
        recovery.forget();
        disk = null;
    }

    /**
     * Takes the backups' data, and takes it again until no member has been started again meanwhile: the memory of such a member had no
     * data before it replayed.
     *
     * @param replayed by member: the incarnation that has replayed
     */
    private void takeFromBackups(Map<Integer, Long> replayed) throws InterruptedException {
        recovery.start();
        Map<Integer, Long> before = replayed;
        while (!haveTaken(before)) {
            TimeUnit.MILLISECONDS.sleep(AGAIN_MILLIS);
            before = exchange.awaitAll(members, Phase.REPLAYED);
        }
        enter(Phase.TAKEN);
    }

    /** Takes the backups' data; returns false if a backup could not be reached, or a member was started again meanwhile. */
    private boolean haveTaken(Map<Integer, Long> replayed) throws InterruptedException {
        try {
            recovery.takeFromBackups().get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof PeerUnreachable) {
                return false;
            }
            throw new IllegalStateException("the data of the backups cannot be taken: " + e.getCause(), e.getCause());
        }
        return exchange.awaitAll(members, Phase.REPLAYED).equals(replayed);
    }

    /** Enters a phase, and waits until all members have reached it at one time; returns their incarnations. */
    private Map<Integer, Long> enter(Phase phase) throws InterruptedException {
        exchange.reach(phase);
        return exchange.awaitAll(members, phase);
    }

    // ---- committed transactions -----------------------------------------------------------------------------------

    private void recoverOrBeginAnew() throws InterruptedException {
        Map<Integer, DiskExchange.State> states = new TreeMap<>();
        for (int peer : members) {
            states.put(peer, exchange.state(peer));
        }
        Map<Integer, RecoveredNode.Data> found = new TreeMap<>();
        states.forEach((peer, state) -> found.put(peer, state.data()));
        if (DiskRecovery.recovers(found)) {
            recover(states);
        } else {
            recovery.beginAnew();
        }
    }

    /** Replays the committed transactions. */
    private void recover(Map<Integer, DiskExchange.State> states) throws InterruptedException {
        Set<Long> committed = committed(states);
        takeMissing(committed);
        recovery.replay(
                committed, max(states, DiskExchange.State::bound), max(states, DiskExchange.State::commitBound));
        checkCopies();
    }

    private static long max(Map<Integer, DiskExchange.State> states, ToLongFunction<DiskExchange.State> bound) {
        return states.values().stream().mapToLong(bound).reduce(Timestamp.NONE, Timestamp::max);
    }

    private Set<Long> committed(Map<Integer, DiskExchange.State> states) throws InterruptedException {
        List<RecoveredNode.Undecided> undecided = new ArrayList<>();
        states.values().forEach(each -> undecided.addAll(each.undecided()));
        Map<Integer, LogReport> reports = new HashMap<>();
        for (int peer : members) {
            reports.put(peer, exchange.report(peer, undecided));
        }
        return replication.committedOnDisks(reports, group.catalog().placement());
    }

    /** Takes committed transactions that this node's log has lost, or never had, from the other backups' logs. */
    private void takeMissing(Set<Long> committed) throws InterruptedException {
        for (int peer : members) {
            if (peer != control.node()) {
                exchange.entries(peer, disk.missing(exchange.logged(peer), committed), disk::adopt);
            }
        }
    }

    /** Checks that all backups of a partition have recovered the same data, before any of them discards its former data. */
    private void checkCopies() throws InterruptedException {
        Map<Integer, CopyDigests.Digests> digests = new TreeMap<>();
        for (int peer : members) {
            digests.put(peer, exchange.digests(peer));
        }
        CopyDigests.check(digests, group.catalog().placement());
    }
}
