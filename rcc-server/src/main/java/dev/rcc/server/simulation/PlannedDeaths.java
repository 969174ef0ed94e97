package dev.rcc.server.simulation;

import dev.rcc.core.cluster.Zones;
import dev.rcc.core.replication.LogReport;
import dev.rcc.server.node.Node;
import dev.rcc.server.node.NodeGroup;
import dev.rcc.server.recovery.RecoveryStep;
import dev.rcc.server.recovery.RecoveryWatch;
import dev.rcc.transport.sim.LinkWatch;
import dev.rcc.transport.sim.SimNetwork;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.stream.IntStream;

/**
 * Stops nodes of a simulated cluster at moments that were planned ({@link MomentWatch}), one after the other, and has the windows
 * counted that the deaths hit ({@link WindowCounter}).
 */
public final class PlannedDeaths implements RecoveryWatch, LinkWatch {
    private final NodeGroup group;
    private final SimNetwork network;
    private final Killer killer;
    private final RecoveryProgress progress = new RecoveryProgress();
    private final MomentWatch moments;
    private final WindowCounter counter;
    private final Queue<Death> plan = new ArrayDeque<>();
    /** Null if no node is to die any more. */
    private Death next;

    private int victim;
    private long armedNanos;
    private boolean dying;

    /** Stops nodes. */
    public interface Killer {
        /** Has a node die. */
        void kill(int node, Death death);

        /** A node takes part again. */
        void rejoined(int node);

        /** Whether copies of everything are left when a node dies, and some node has the outcome of everything that is half-written. */
        boolean mayDie(int node);
    }

    /**
     * No node dies yet.
     *
     * @param group has all nodes of the cluster
     */
    public PlannedDeaths(NodeGroup group, SimNetwork network, UnfreedSlots unfreed, Killer killer) {
        this.group = group;
        this.network = network;
        this.killer = killer;
        this.moments = new MomentWatch(group, network, unfreed, progress);
        this.counter = new WindowCounter(group, unfreed, progress);
    }

    /** The windows that were hit so far. */
    public Windows windows() {
        return counter.windows();
    }

    /** Plans deaths, before the cluster starts. */
    public void plan(List<Death> deaths) {
        plan.addAll(deaths);
    }

    /** The faults begin. */
    public void begin() {
        if (!plan.isEmpty()) {
            network.simulation().observe(this::look);
            arm();
        }
    }

    /** No node dies any more. */
    public void end() {
        plan.clear();
        next = null;
    }

    private void arm() {
        next = plan.poll();
        if (next == null) {
            return;
        }
        armedNanos = network.simulation().now();
        dying = false;
        moments.await(next.moment());
        victim = victim();
        if (victim == NO_NODE) {
            end();
            return;
        }
        moments.watch(victim);
    }

    private int victim() {
        int byEntry = switch (next.victim()) {
            case NODE -> NO_NODE;
            case LACKS_ENTRY -> counter.lacking();
            case HAS_ENTRY -> counter.having();
        };
        if (byEntry != NO_NODE && !group.isStopped(byEntry)) {
            return byEntry;
        }
        List<Node> nodes = group.nodes();
        for (int i = 0; i < nodes.size(); i++) {
            int node = (next.node() + i) % nodes.size();
            if (!group.isStopped(node) && group.running().size() > 1) {
                return node;
            }
        }
        return NO_NODE;
    }

    /** Called between events. */
    private void look() {
        if (next == null) {
            return;
        }
        moments.look();
        long since = network.simulation().now() - armedNanos;
        if (!dying && (moments.hasCome(since) || since >= next.latestNanos())) {
            dying = true;
            Death death = next;
            network.later(death.delayNanos(), () -> die(death));
        }
    }

    private void die(Death death) {
        if (next == null) {
            return; // the deaths have ended
        }
        if (group.isStopped(victim) || !killer.mayDie(victim)) {
            moments.heal();
            arm();
            return;
        }
        counter.dies(victim, death, moments.logged(), moments.hasJustPassed());
        network.later(death.noticeNanos(), counter::noticed);
        killer.kill(victim, death);
        if (death.takesZone()) {
            killRestOfZone(death);
        }
        moments.heal();
        arm();
    }

    private void killRestOfZone(Death death) {
        Zones zones = group.catalog().home().zones();
        for (int node : zones.nodes(zones.zone(victim))) {
            if (node != victim && !group.isStopped(node) && killer.mayDie(node)) {
                counter.diesAlong(node, death);
                killer.kill(node, death);
            }
        }
        counter.zoneDied(death);
    }

    /** A node that was counted as dead, and lived, is about to begin another incarnation. */
    public void suspectedEnds(int node) {
        counter.suspectedEnds(node);
    }

    /**
     * A node begins another incarnation: the records of its rings and of its coordinators do not count any more. As the other nodes stay
     * frozen until it takes part, no entry of theirs is on its way then.
     */
    public void returns(int node, boolean isNoticed) {
        counter.returns(node, isNoticed);
        moments.forget();
        if (next != null) {
            moments.watch(victim);
        }
    }

    // ---- steps of the nodes that are left -------------------------------------------------------------------------

    @Override
    public void begins(int joiner) {
        progress.begins(joiner);
        boolean isTimed = next != null && next.moment() instanceof Moment.Joining && !dying;
        if (isTimed && joiner != NO_NODE) {
            progress.reset();
            victim = ((Moment.Joining) next.moment()).isJoiner() ? joiner : member(joiner);
            moments.watch(victim);
        }
    }

    private int member(int joiner) {
        return IntStream.range(0, group.nodes().size())
                .map(i -> (next.node() + i) % group.nodes().size())
                .filter(node -> node != joiner && !group.isStopped(node))
                .findFirst()
                .orElse(joiner);
    }

    @Override
    public void joined(int node) {
        counter.joined(node);
        if (next != null && next.node() == node && !dying && !(next.moment() instanceof Moment.Joining)) {
            victim = node;
            moments.watch(node);
        }
        killer.rejoined(node);
    }

    @Override
    public void began(RecoveryStep step) {
        if (step == RecoveryStep.FREEZE) {
            counter.freezes();
        } else if (step == RecoveryStep.REPLAY) {
            counter.replays();
        }
        progress.began(step);
    }

    @Override
    public void ended(RecoveryStep step) {
        progress.ended(step);
    }

    @Override
    public void reported(int node, LogReport report) {
        counter.reported(node, report);
    }

    @Override
    public void cut() {
        counter.cut();
    }

    @Override
    public void healed() {
        counter.healed();
    }
}
