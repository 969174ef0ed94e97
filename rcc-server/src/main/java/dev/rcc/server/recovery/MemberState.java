package dev.rcc.server.recovery;

import dev.rcc.core.txn.Lease;
import dev.rcc.server.membership.Configuration;
import dev.rcc.transport.control.Control;
import dev.rcc.transport.control.ControlFailure;
import java.util.Arrays;
import java.util.BitSet;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether this incarnation of a node is a member, and the node's promises to its peers: the leases that it granted, the peers that it
 * grants none, and the peers that leave. One lock guards all of this, as the parts depend on each other.
 *
 * <pre>
 *  OUTSIDE -- goInto --> MEMBER -- leave --> LEAVING
 *  OUTSIDE, MEMBER -- beginAnew --> OVER     the node begins another incarnation
 *  MEMBER, LEAVING -- goneOn ----> OVER      the other nodes have gone on without it
 * </pre>
 */
final class MemberState {
    private static final Logger LOG = LoggerFactory.getLogger(MemberState.class);

    private final Control control;
    private final Supplier<Configuration> agreed;
    private final Lease lease;
    private final Runnable whenExpelled;
    /** By peer: when the last lease that this node granted to it is over. */
    private final long[] granted;

    /** By peer: its last incarnation that gives up its place; 0 if none has. Another incarnation of it stays. */
    private final long[] leaving;

    /** The nodes that are being taken out. */
    private final BitSet refused = new BitSet();
    /** The epoch of the last configuration that this node has entered, or was notified of without being a member. */
    private long heard;

    private volatile boolean over;
    private volatile long memberSince;

    /**
     * The state of the control's node, which is no member yet.
     *
     * @param agreed supplies the configuration that the nodes have agreed on last
     * @param lease the node's lease; ends as soon as the node has no place any more
     * @param whenExpelled called once, on a thread of its own, when this incarnation of the node is over; not if it leaves
     */
    MemberState(Control control, Supplier<Configuration> agreed, Lease lease, Runnable whenExpelled) {
        this.control = control;
        this.agreed = agreed;
        this.lease = lease;
        this.whenExpelled = whenExpelled;
        this.granted = new long[control.nodes()];
        this.leaving = new long[control.nodes()];
        Arrays.fill(granted, System.nanoTime());
    }

    Configuration configuration() {
        return agreed.get();
    }

    /** Whether this incarnation of the node is a member, or was one and has not been notified of the end. */
    boolean isMember() {
        return memberSince > 0 && !over;
    }

    /** Whether this incarnation of the node is or was a member, even if the other nodes have gone on without it. */
    boolean wasMember() {
        return memberSince > 0;
    }

    /** Whether this incarnation of the node has ended. */
    boolean isOver() {
        return over;
    }

    /** Whether the cluster has formed without this incarnation of the node. */
    boolean isOutside() {
        Configuration configuration = configuration();
        return configuration.hasFormed() && !configuration.isMember(control.node(), control.incarnation());
    }

    /** Whether the node may serve. */
    boolean holdsLease() {
        return lease.holds(System.nanoTime());
    }

    // ---- configurations --------------------------------------------------------------------------------------------

    /** Whether the node has entered a configuration or a later one, or was notified that it is not a member of it. */
    synchronized boolean hasHeardOf(long configEpoch) {
        return heard >= configEpoch;
    }

    /**
     * The node enters a configuration of which it is a member.
     *
     * @param resume lets its workers go on; the next change begins after that
     */
    synchronized void goInto(Configuration configuration, Runnable resume) {
        refused.clear();
        memberSince = memberSince == 0 ? configuration.epoch() : memberSince;
        resume.run();
        heard = configuration.epoch(); // now the next change may begin
    }

    /** The other nodes have gone on without this incarnation of the node. */
    synchronized void goneOn(Configuration configuration) {
        refused.clear();
        heard = configuration.epoch();
        if (isMember()) {
            end();
            if (!leaves()) {
                LOG.warn(
                        "event=node_expelled node={} epoch={}: the other nodes go on without this one; it serves again when it has rejoined with fresh copies",
                        control.node(),
                        configuration.epoch());
                Thread.startVirtualThread(whenExpelled);
            }
        }
    }

    /** Ends this incarnation of the node, so that another one begins. */
    void beginAnew(String why) {
        synchronized (this) {
            if (over || leaves()) {
                return;
            }
            end();
        }
        LOG.warn("event=node_restarting node={}: {}", control.node(), why);
        Thread.startVirtualThread(whenExpelled);
    }

    private void end() {
        over = true;
        lease.prolong(System.nanoTime() - 1);
    }

    // ---- orders ----------------------------------------------------------------------------------------------------

    /**
     * Takes an order, and from then on grants no lease to a node that the order takes out.
     *
     * @throws ControlFailure when the order is for another incarnation of the node or belongs to a past round or configuration, or when
     *     this incarnation is over
     */
    synchronized void accept(RecoveryOrder order, RecoveryRounds rounds) {
        if (order.incarnation() != control.incarnation()) {
            throw new ControlFailure("the order for configuration " + order.configEpoch()
                    + " is for another incarnation of node " + control.node());
        }
        if (order.configEpoch() <= configuration().epoch() || over) {
            throw new ControlFailure("node " + control.node() + " has already entered configuration "
                    + order.configEpoch() + " or a later one, or this incarnation of it has ended");
        }
        rounds.accept(order);
        if (order.step() == RecoveryOrder.Step.FREEZE) {
            refused.or(order.nodes());
        }
    }

    // ---- leases ----------------------------------------------------------------------------------------------------

    /**
     * Grants a peer a lease from now on, if it asks with the epoch of this node's configuration and both nodes are members of that. Grants
     * none to a peer that is being taken out or leaves.
     *
     * @param incarnation the incarnation that asks
     * @param epoch the epoch of the peer's configuration
     * @return whether the lease was granted
     */
    synchronized boolean grant(int peer, long incarnation, long epoch, long nanos) {
        Configuration configuration = configuration();
        boolean bothMembers = epoch == configuration.epoch()
                && configuration.isMember(peer, incarnation)
                && configuration.isMember(control.node(), control.incarnation());
        if (!bothMembers || refused.get(peer) || isLeaving(peer, incarnation)) {
            return false;
        }
        granted[peer] = System.nanoTime() + nanos;
        return true;
    }

    /** The time until the last lease that this node granted to any of {@code nodes} is over, in nanoseconds; 0 if none is left. */
    synchronized long untilLeasesAreOver(BitSet nodes) {
        long nanos = 0;
        for (int peer = nodes.nextSetBit(0); peer >= 0; peer = nodes.nextSetBit(peer + 1)) {
            nanos = Math.max(nanos, granted[peer] - System.nanoTime());
        }
        return nanos;
    }

    /** The node may serve until {@code end}, if it still has its place. */
    synchronized void prolong(long end) {
        if (isMember() && !leaves()) {
            lease.prolong(end);
        }
    }

    // ---- leaving --------------------------------------------------------------------------------------------------

    /** Whether a node has announced, in that incarnation, that it gives up its place. */
    synchronized boolean isLeaving(int peer, long incarnation) {
        return incarnation != 0 && leaving[peer] == incarnation;
    }

    /** Whether this incarnation of the node gives up its place. */
    boolean leaves() {
        return isLeaving(control.node(), control.incarnation());
    }

    /** A peer gives up its place. */
    synchronized void hearLeave(int peer, long incarnation) {
        leaving[peer] = Math.max(leaving[peer], incarnation);
        if (configuration().isMember(peer, incarnation)) {
            granted[peer] = System.nanoTime(); // it has given its lease back
        }
    }

    /** This incarnation of the node gives up its place. */
    synchronized void leave() {
        leaving[control.node()] = control.incarnation();
        lease.prolong(System.nanoTime() - 1);
    }
}
