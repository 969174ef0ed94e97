package dev.rcc.server.recovery;

import dev.rcc.core.cluster.Placement;
import dev.rcc.core.txn.Lease;
import dev.rcc.server.config.ClusterConfig;
import dev.rcc.server.durability.DataConfiguration;
import dev.rcc.server.membership.Configuration;
import dev.rcc.server.membership.Membership;
import dev.rcc.server.membership.MembershipOptions;
import dev.rcc.server.node.Node;
import dev.rcc.transport.control.Control;
import java.util.BitSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node's part in a cluster that replaces its dead nodes. The node takes its place in configurations that the nodes agree on. It carries
 * out leaders' orders on the way from one configuration to the next ({@link OrderHandler}). It serves only while it is certain that no
 * other node has taken its place ({@link Leases}). These parts share the state of the node's place, one {@link MemberState}.
 *
 * <p>One thread asks for leases, and sends everything else that can wait; orders arrive on the control channel's threads. A defect that ends this
 * thread or the leader's is reported: a node without either keeps its place, and does not do its part.
 */
public final class NodeMembership implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(NodeMembership.class);
    private static final int ASKS_A_LEASE = 5;
    /** A member that is not reached any more is reported after this part of the time in which a node that joins must be reached. */
    private static final int REPORTS_IN_REACH = 3;

    private final Control control;
    private final MembershipOptions options;
    private final Placement home;
    private final Node node;
    private final NodeRecovery recovery;
    private final Membership membership;
    private final MemberState state;
    private final Leases leases;
    private final Readiness readiness;
    private final LostLinks links;
    private final ClusterLeader leader;
    private final Departure departure;
    private final ScheduledExecutorService thread;
    private volatile Consumer<Throwable> whenFailed;

    /**
     * The part of the control's node; the control has not been started.
     *
     * @param cluster distinguishes this cluster from other clusters that the nodes belonged to, or will belong to
     * @param whenExpelled called once, on a thread of its own, when the other nodes have gone on without this incarnation of the node, or it
     *     must begin another one; not if it leaves
     */
    public NodeMembership(
            Control control,
            String cluster,
            ClusterConfig config,
            MembershipOptions options,
            Node node,
            Lease lease,
            Runnable whenExpelled) {
        this.control = control;
        this.options = options;
        this.home = config.home();
        this.node = node;
        this.recovery = new NodeRecovery(node, config.protocol());
        this.thread = Executors.newSingleThreadScheduledExecutor(Thread.ofPlatform()
                .daemon()
                .name("rcc-node" + control.node() + "-lease")
                .factory());
        this.membership = new Membership(
                control,
                cluster,
                home,
                options.directory(),
                configuration -> reporting(() -> agreed(configuration)).run(),
                this::logFailed);
        if (node.durability() == null) {
            node.replication().whenFailed(this::logFailed);
        }
        this.state = new MemberState(control, membership::configuration, lease, whenExpelled);
        this.leases = new Leases(control, state, options.lease());
        this.readiness = new Readiness(control, state);
        this.links = new LostLinks(control, node::isReachable, options.reach().dividedBy(REPORTS_IN_REACH));
        this.whenFailed = why -> LOG.error("event=node_failed node={}", control.node(), why);
        this.leader = new ClusterLeader(
                control, membership, options, config, state, readiness, links, why -> whenFailed.accept(why));
        this.departure = new Departure(control, state, leader::incarnation, leader::lookSoon);
        control.listen(leader);
        OrderHandler _ = new OrderHandler(control, home, node, recovery, state, leases);
        node.sweeper(new SweepRequests(control, state, leader::sweep, thread)::askLater);
    }

    /** Sets the listener that is called, on a thread of this object, with a defect that ends that thread, in place of a line in the log. */
    public void whenFailed(Consumer<Throwable> listener) {
        whenFailed = listener;
    }

    /** A task that reports a defect, since those that run the task only log it, or run the task no more. */
    private Runnable reporting(Runnable task) {
        return () -> {
            try {
                task.run();
            } catch (RuntimeException | Error e) {
                whenFailed.accept(e);
                throw e;
            }
        };
    }

    /** Begins to take part; the control has been started. */
    public void start() {
        membership.start();
        leader.start();
        long every = options.lease().toNanos() / ASKS_A_LEASE;
        ScheduledFuture<?> _ = thread.scheduleAtFixedRate(reporting(leases::ask), 0, every, TimeUnit.NANOSECONDS);
        ScheduledFuture<?> _ = thread.scheduleAtFixedRate(
                reporting(links::tell), LostLinks.TELL_MILLIS, LostLinks.TELL_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** The node's workers run: it can be taken into a configuration. */
    public void ready() {
        readiness.ready();
    }

    /** As {@link #ready}: the node has recovered the data of a configuration from its disk, together with all members of that configuration. */
    void ready(long configEpoch) {
        readiness.ready(configEpoch);
    }

    /** Ends this incarnation of the node, so that another one begins. */
    void beginAnew(String why) {
        state.beginAnew(why);
    }

    /** The incarnation that a node is in, 0 if it is not connected. */
    long incarnation(int peer) {
        return leader.incarnation(peer);
    }

    /** The configuration that was agreed on last, from a peer that leads. */
    CompletableFuture<Configuration> last(int peer) {
        return membership.last(peer);
    }

    /** The configuration that the nodes have agreed on last, as far as this node has received it. */
    public Configuration configuration() {
        return membership.configuration();
    }

    /** Whether the cluster has formed without this incarnation of the node. */
    public boolean isOutside() {
        return state.isOutside();
    }

    /** Whether the node may serve. */
    public boolean holdsLease() {
        return state.holdsLease();
    }

    /** Gives up the node's place, once it has ended its transactions; waits up to {@code patienceNanos} for the other nodes to go on without it. */
    public void leave(long patienceNanos) throws InterruptedException {
        departure.leave(patienceNanos);
    }

    /** Called on a thread of the membership group. */
    private void agreed(Configuration configuration) {
        if (configuration.changing()) {
            return;
        }
        if (!configuration.isMember(control.node(), control.incarnation())) {
            if (node.durability() != null) {
                node.durability().withdraw(configuration.epoch()); // a change that was to take it in was given up
            }
            state.goneOn(configuration);
        } else if (keeps(configuration)) {
            LOG.info(
                    "event=configuration node={} epoch={} members={} holders={}",
                    control.node(),
                    configuration.epoch(),
                    configuration.members(),
                    configuration.holders());
            state.goInto(configuration, () -> resume(configuration));
        }
    }

    private void resume(Configuration configuration) {
        if (node.durability() != null) {
            node.durability().thaw();
        }
        BitSet absent = new BitSet();
        absent.set(0, control.nodes());
        absent.andNot(configuration.members());
        letInOnly(configuration);
        CompletableFuture<Void> _ = recovery.resume(configuration.epoch(), absent);
    }

    /**
     * From now on, messages to a member reach the incarnation that is a member, or none. Another incarnation of it has other rings: it must
     * not get the entries of this configuration before it is a part of one.
     */
    private void letInOnly(Configuration configuration) {
        configuration.members().stream()
                .filter(peer -> peer != control.node())
                .forEach(peer -> node.admit(peer, configuration.incarnations().get(peer)));
    }

    /** Makes a configuration the one in force on the node's disk, if it has a disk; returns false if that fails. */
    private boolean keeps(Configuration configuration) {
        if (node.durability() == null) {
            return true;
        }
        try {
            Placement placement = configuration.placement(home);
            node.durability().agree(new DataConfiguration(configuration.epoch(), placement));
            return true;
        } catch (RuntimeException e) {
            node.durability().giveUp(e);
            return false;
        }
    }

    /** A group's log cannot be written: the node has no part in the group any more, so it must not keep its place. */
    private void logFailed(Throwable cause) {
        if (node.durability() != null) {
            node.durability().giveUp(cause);
            return;
        }
        LOG.error(
                "event=disk_failed node={} directory={}: the log of a group cannot be written",
                control.node(),
                options.directory(),
                cause);
        beginAnew("it cannot take part in a group without a log");
    }

    @Override
    public void close() {
        leader.close();
        thread.shutdownNow();
        membership.close();
    }
}
