package dev.rcc.protocols.locks.dslr;

import dev.rcc.core.memory.RemoteAddress;
import dev.rcc.core.txn.BufferSlice;
import dev.rcc.protocols.locks.LockMode;
import dev.rcc.protocols.locks.LockSite;
import dev.rcc.protocols.locks.LockVerbs;
import java.util.function.IntFunction;

/**
 * The desk at which users without a coroutine request locks on a worker, each lock for itself. Users may hold and await any number of locks, and
 * none takes a coroutine. There is one {@linkplain DslrLane lane} for each node of which locks were requested. Its coroutine looks at all due locks
 * with one request, and a node that does not answer holds up its own locks only.
 *
 * <p>To the locks' words a desk is one requester: of several claims of one lock, only one tries to draw a ticket at a time, so no more than one of
 * its tickets can be from beyond the limit ({@link DslrLayout#checkRequesters}). Drawn tickets wait beside each other.
 *
 * <p>Used on its worker only, except the constructor, which runs before the worker starts.
 */
public final class DslrDesk {
    /** Bytes that each lane keeps. */
    public static final int LANE_BYTES = 8 * 1024;

    private final LockSite site;
    private final DslrTerms terms;
    private final DslrLayout layout;
    private final DslrService service;
    private final IntFunction<BufferSlice> buffers;
    /** By node; null until a lock of the node was requested. */
    private final DslrLane[] lanes;

    /**
     * Creates a desk without claims. The words of locks are served elsewhere ({@link LockVerbs#serve}).
     *
     * @param site the worker; its number of requesters is the number of desks
     * @param buffers gives each lane its slice of the buffers, of {@link #LANE_BYTES}, by the lane's node
     * @throws IllegalArgumentException when there are too many desks: the message has the numbers
     */
    public DslrDesk(LockSite site, Dslr scheme, IntFunction<BufferSlice> buffers) {
        this.site = site;
        this.terms = scheme.terms();
        this.layout = scheme.layout();
        layout.checkRequesters(site.requesters(), terms.slotsMax());
        this.service = new DslrService(site, terms, layout, false);
        this.buffers = buffers;
        this.lanes = new DslrLane[site.nodes()];
    }

    /** Bytes that the desk keeps for the remaining work on tickets, in a cluster of so many nodes: the size of the site's service buffer. */
    public static int serviceBytes(int nodes) {
        return DslrWords.RESULT_BYTES + nodes * LockVerbs.nodeBytes();
    }

    /** The terms of its locks. */
    public DslrTerms terms() {
        return terms;
    }

    /**
     * Requests a lock.
     *
     * @param address the lock's first word
     * @param epoch the first part of the lock's tokens: the configuration since which the lock is at its node
     * @param mode the mode in which it is requested
     * @param slots how many leases long it may be held, 1 to the most
     * @param waitNanos how long to wait for it, from now on; with 0 the desk takes one look
     * @param listener receives the claim's events, not before this method returns
     * @throws IllegalArgumentException when a value is not allowed
     */
    public DslrClaim ask(
            long address, long epoch, LockMode mode, int slots, long waitNanos, DslrClaim.Listener listener) {
        terms.limits().check(mode, slots);
        DslrLane lane = lane(RemoteAddress.node(address));
        long now = site.worker().nanoTime();
        DslrClaim claim = new DslrClaim(lane, listener, epoch);
        claim.ticket.want(address, mode, slots, now);
        claim.deadlineNanos = now + waitNanos;
        lane.add(claim);
        return claim;
    }

    /**
     * The locks of a node are gone, as the node was lost with its memory: ends all claims of them, and does no remaining work on their tickets. Called
     * before the node's next incarnation can be reached.
     */
    public void lose(int node) {
        if (lanes[node] != null) {
            lanes[node].lose();
        }
        service.lose(node);
    }

    private DslrLane lane(int node) {
        if (lanes[node] == null) {
            lanes[node] = new DslrLane(site, terms, layout, service, buffers.apply(node));
        }
        return lanes[node];
    }
}
