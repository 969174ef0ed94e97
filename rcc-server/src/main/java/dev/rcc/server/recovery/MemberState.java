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
 * Whether this incarnation of a node is a member, and what the node has promised its peers: the peers that hold its leases, those that it
 * grants none, and those that leave. One lock guards all of it, as each of these depends on others.
 *
 * <pre>
 *  OUTSIDE -- goInto --> MEMBER -- leave --> LEAVING
 *  OUTSIDE, MEMBER -- beginAnew --> OVER     the node begins another incarnation
 *  MEMBER, LEAVING -- goneOn ----> OVER      the others have gone on without it
 * </pre>
 */
final class MemberState {
    private static final Logger LOG = LoggerFactory.getLogger(MemberState.class);

    private final Control control;
    private final Supplier<Configuration> agreed;
    private final Lease lease;
    private final Runnable whenExpelled;
    /** By peer: when the last lease that was granted to it is over. */
    private final long[] granted;

    /** By peer: the last of its incarnations that gives its place up; 0 if none has. Another incarnation of it stays. */
    private final long[] leaving;

    /** Those that are being taken out. */
    private final BitSet refused = new BitSet();
    /** The last configuration that this node has gone into, or has heard of as no member. */
    private long heard;

    private volatile boolean over;
    private volatile long memberSince;

    /**
     * The state of the control's node, which is no member yet.
     *
     * @param agreed what the nodes have agreed on last
     * @param lease is over as soon as the node has no place any more
     * @param whenExpelled called once when this incarnation of the node is over, away from the nodes' threads
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

    /** Whether this incarnation of the node is a member, or was and does not know better. */
    boolean isMember() {
        return memberSince > 0 && !over;
    }

    /** Whether this incarnation of the node has been in a configuration, even if it has not heard yet that the others have gone on without it. */
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

    /** Whether the node has gone into a configuration, or has heard that it is no member of it. */
    synchronized boolean hasHeardOf(long configEpoch) {
        return heard >= configEpoch;
    }

    /**
     * The node goes into a configuration, whose member it is.
     *
     * @param resume lets its workers go on; the next change begins after that
     */
    synchronized void goInto(Configuration configuration, Runnable resume) {
        refused.clear();
        memberSince = memberSince == 0 ? configuration.epoch() : memberSince;
        resume.run();
        heard = configuration.epoch(); // now the next change may begin
    }

    /** The others have gone on without this incarnation of the node. */
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
     * @throws ControlFailure when the order is for another incarnation of the node, or of a round or for a configuration that is past
     */
    synchronized void accept(RecoveryOrder order, RecoveryRounds rounds) {
        if (order.incarnation() != control.incarnation()) {
            throw new ControlFailure(
                    "node " + control.node() + " is in another incarnation than the one that was to go to"
                            + " configuration " + order.configEpoch());
        }
        if (order.configEpoch() <= configuration().epoch() || over) {
            throw new ControlFailure("node " + control.node() + " is past configuration " + order.configEpoch());
        }
        rounds.accept(order);
        if (order.step() == RecoveryOrder.Step.FREEZE) {
            refused.or(order.nodes());
        }
    }

    // ---- leases ----------------------------------------------------------------------------------------------------

    /**
     * Grants a peer a lease from now on, if both are members of the configuration that the peer knows, and no node is to take its place.
     *
     * @param incarnation the incarnation that asks
     * @param epoch the configuration that it knows
     * @return whether it was granted
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

    /** Until the last lease is over that was granted to one of some nodes, in nanoseconds; 0 if none is left. */
    synchronized long untilLeasesAreOver(BitSet nodes) {
        long nanos = 0;
        for (int peer = nodes.nextSetBit(0); peer >= 0; peer = nodes.nextSetBit(peer + 1)) {
            nanos = Math.max(nanos, granted[peer] - System.nanoTime());
        }
        return nanos;
    }

    /** The node may serve until {@code end}, if it has its place still. */
    synchronized void prolong(long end) {
        if (isMember() && !leaves()) {
            lease.prolong(end);
        }
    }

    // ---- going on purpose ------------------------------------------------------------------------------------------

    /** Whether a node has said, in that incarnation, that it gives its place up. */
    synchronized boolean isLeaving(int peer, long incarnation) {
        return incarnation != 0 && leaving[peer] == incarnation;
    }

    /** Whether this incarnation of the node gives its place up. */
    boolean leaves() {
        return isLeaving(control.node(), control.incarnation());
    }

    /** A peer gives its place up. */
    synchronized void hearLeave(int peer, long incarnation) {
        leaving[peer] = Math.max(leaving[peer], incarnation);
        if (configuration().isMember(peer, incarnation)) {
            granted[peer] = System.nanoTime(); // it has given its lease back
        }
    }

    /** This incarnation of the node gives its place up. */
    synchronized void leave() {
        leaving[control.node()] = control.incarnation();
        lease.prolong(System.nanoTime() - 1);
    }
}
