package dev.rcc.protocols.locks.ncosed;

import dev.rcc.core.fabric.RpcRequest;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.RemoteAddress;
import dev.rcc.protocols.locks.LockSite;
import dev.rcc.protocols.locks.LockSpace;
import java.util.List;

/**
 * A worker's part in the queues: it sends its places' messages, and handles the messages of other places to them. Used on that worker. Another worker
 * of the node that receives a message for it hands the message over.
 */
final class NCosedServer {
    /** A place is looked at again after its time of waiting divided by this. */
    private static final int WAITS_BEFORE_A_LOOK = 16;

    final LockSite site;
    private final List<NCosedServer> siblings;
    private final int workers;
    private final long lookNanosMax;
    private final NCosedPlaces places;
    private final NCosedDrains drains;
    /** The configuration of the places and drains. */
    private long epoch;

    /**
     * Serves a worker.
     *
     * @param siblings the servers of all workers of the node, this one included once all are there
     * @param lookNanosMax see {@link NCosed#NCosed(long, long)}
     */
    NCosedServer(LockSite site, List<NCosedServer> siblings, int workers, long lookNanosMax) {
        this.lookNanosMax = lookNanosMax;
        this.site = site;
        this.siblings = siblings;
        this.workers = workers;
        this.drains = new NCosedDrains(site);
        this.places = new NCosedPlaces(this);
        site.endpoint().handle(NCosedMessage.RPC_ID, this::receive);
    }

    NCosedPlaces places() {
        return places;
    }

    /** The interval between two looks at a place that has waited for so long. */
    long untilNextLook(long first, long waitedNanos) {
        return Math.max(first, Math.min(waitedNanos / WAITS_BEFORE_A_LOOK, lookNanosMax));
    }

    /** The configuration of this worker's queues. */
    long epoch() {
        return epoch;
    }

    /** Begins anew, without queues, if the worker is in another configuration. */
    void begin() {
        begin(site.configEpoch().getAsLong());
    }

    /**
     * Drops the queues of an older configuration: their requesters' transactions have ended, and recovery has freed the words. A
     * message from a node that is in the next configuration already may be the first sign of it.
     */
    private void begin(long newEpoch) {
        if (newEpoch > epoch) {
            epoch = newEpoch;
            places.forgetAll();
            drains.forgetAll();
        }
    }

    // ---- for a place of this worker --------------------------------------------------------------------------------

    /** Advances a place that was put into the lock's word, behind the tail and the sharers found there. */
    void enter(NCosedPlace place, long found, long holds) {
        long tail = NCosedLayout.tail(found);
        place.holds = holds; // valid if the tail is 0: then there is no exclusive holder to change it
        if (place.isExclusive()) {
            place.sharersBefore = NCosedLayout.sharers(found);
            if (tail == 0) {
                drain(place);
            } else {
                queue(place, tail, NCosedMessage.SUCCEED, place.sharersBefore);
            }
        } else if (tail == 0) {
            place.expected = found + 1;
            place.state = NCosedPlace.State.HELD;
        } else {
            place.expected = NCosedLayout.word(0, 1);
            queue(place, tail, NCosedMessage.SHARE, 0);
        }
    }

    private void queue(NCosedPlace place, long tail, int what, long sharers) {
        place.state = NCosedPlace.State.QUEUED;
        call(place, NCosedLayout.node(tail), what, tail, sharers);
    }

    private void drain(NCosedPlace place) {
        if (place.sharersBefore == 0) {
            place.state = NCosedPlace.State.HELD;
        } else {
            place.state = NCosedPlace.State.DRAINING;
            call(place, RemoteAddress.node(place.address), NCosedMessage.DRAIN, place.address, place.sharersBefore);
        }
    }

    /** Releases a shared place of a lock for which an exclusive requester waits. */
    void leave(NCosedPlace place) {
        place.state = NCosedPlace.State.LEAVING;
        call(place, RemoteAddress.node(place.address), NCosedMessage.LEAVE, place.address, 0);
        places.leave(place);
    }

    /** Whether the last message of a place, which is not under way any more, was answered. */
    boolean isAnswered(NCosedPlace place) {
        return site.serviceBuffer().memory().getLong(place.reply + NCosedMessage.ANSWERED) != 0;
    }

    /** Handles the reply for which a place waits, if it has come. */
    void advance(NCosedPlace place) {
        boolean isWaiting = place.state == NCosedPlace.State.QUEUED || place.state == NCosedPlace.State.DRAINING;
        if (!isWaiting || place.isCalling()) {
            return;
        }
        Memory buffers = site.serviceBuffer().memory();
        if (!isAnswered(place)) {
            places.lose(place);
        } else if (place.state == NCosedPlace.State.DRAINING) {
            place.state = NCosedPlace.State.HELD;
        } else {
            place.holds = buffers.getLong(place.reply + NCosedMessage.HOLDS);
            place.hasSuccessor = buffers.getLong(place.reply + NCosedMessage.HAS_SUCCESSOR) != 0;
            drain(place);
        }
    }

    private void call(NCosedPlace place, int node, int what, long to, long sharers) {
        Memory buffers = site.serviceBuffer().memory();
        buffers.putLong(place.request + NCosedMessage.WHAT, what);
        buffers.putLong(place.request + NCosedMessage.TO, to);
        buffers.putLong(place.request + NCosedMessage.SHARERS, sharers);
        buffers.putLong(place.request + NCosedMessage.EPOCH, epoch);
        buffers.putLong(place.reply + NCosedMessage.ANSWERED, 0);
        site.counters().messages++;
        site.endpoint()
                .call(
                        node,
                        NCosedMessage.RPC_ID,
                        place.request,
                        NCosedMessage.REQUEST_BYTES,
                        place.reply,
                        NCosedMessage.REPLY_BYTES,
                        place.message);
    }

    // ---- for other requesters -------------------------------------------------------------------------------------

    private void receive(RpcRequest request) {
        Memory from = request.payload();
        long offset = request.payloadOffset();
        int what = (int) from.getLong(offset + NCosedMessage.WHAT);
        long to = from.getLong(offset + NCosedMessage.TO);
        long sharers = from.getLong(offset + NCosedMessage.SHARERS);
        long of = from.getLong(offset + NCosedMessage.EPOCH);
        boolean isToPlace = what == NCosedMessage.SUCCEED || what == NCosedMessage.SHARE;
        int worker =
                isToPlace ? NCosedLayout.worker(to) : (int) (RemoteAddress.offset(to) / LockSpace.LOCK_BYTES % workers);
        NCosedServer receiver = siblings.get(worker);
        NCosedMessage.Caller caller = new NCosedMessage.Caller(request, site);
        if (receiver == this) {
            take(what, to, sharers, of, caller);
        } else {
            receiver.site.worker().execute(() -> receiver.take(what, to, sharers, of, caller));
        }
    }

    private void take(int what, long to, long sharers, long of, NCosedMessage.Caller caller) {
        begin(Math.max(of, site.configEpoch().getAsLong()));
        if (of < epoch) {
            caller.refuse(site);
            return;
        }
        switch (what) {
            case NCosedMessage.SUCCEED -> {
                NCosedPlace place = places.named(to);
                place.successor = caller;
                place.owedSharers = sharers;
                passOn(place);
            }
            case NCosedMessage.SHARE -> {
                NCosedPlace place = places.named(to);
                place.sharers.add(caller);
                passOn(place);
            }
            case NCosedMessage.DRAIN -> drains.await(to, sharers, caller);
            default -> {
                caller.answer(site, 0, false);
                drains.leave(to);
            }
        }
    }

    /** Gives the lock of a released exclusive place to the requesters behind it that have asked for it. Once all have asked, frees the place. */
    void passOn(NCosedPlace place) {
        if (place.state != NCosedPlace.State.PASSING_ON || place.owedSharers == NCosedPlace.UNKNOWN) {
            return;
        }
        long holds = place.holds + 1;
        boolean hasSuccessor = place.successor != null;
        while (place.owedSharers > 0 && !place.sharers.isEmpty()) {
            place.sharers.removeLast().answer(site, holds, hasSuccessor);
            place.owedSharers--;
        }
        if (place.owedSharers == 0) {
            if (hasSuccessor) {
                place.successor.answer(site, holds, false);
            }
            places.giveBack(place);
        }
    }
}
