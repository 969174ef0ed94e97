package dev.rcc.protocols.locks.ncosed;

import dev.rcc.core.worker.Alarm;
import dev.rcc.core.worker.Completion;
import dev.rcc.core.worker.Coroutine;
import dev.rcc.protocols.locks.LockMode;
import dev.rcc.protocols.locks.LockVerbs;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * The places of a worker. A queue has no way out but through the lock, so a place that was given up stays in its queue, and the worker's
 * service coroutine passes it on when its turn comes; unless a requester of the worker wants the same lock in the same mode before that, which takes it over.
 * So a worker has about as many places at a lock as requesters, however often these try, and what waits behind a dead holder takes none from other locks.
 */
final class NCosedPlaces {
    /** Between two looks at places that were given up. */
    private static final long LOOK_NANOS = 2_000;
    /** Who has waited for so long waits behind a holder that is dead or in a deadlock, and looks less often. */
    private static final long LONG_NANOS = 10_000_000;

    private static final long LOOK_NANOS_MAX = 200_000;

    private final NCosedServer server;
    private final Alarm alarm;
    private final List<NCosedPlace> all = new ArrayList<>();
    private final ArrayDeque<NCosedPlace> free = new ArrayDeque<>();
    private final List<NCosedPlace> givenUp = new ArrayList<>();
    private final List<NCosedPlace> lost = new ArrayList<>();
    /** Made on the coroutine. */
    private NCosedReleases releases;
    /** When a place was given up or passed on for the last time. */
    private long changedNanos;

    NCosedPlaces(NCosedServer server) {
        this.server = server;
        this.alarm =
                new Alarm(server.site.worker(), server.site.serviceCoroutine(), LOOK_NANOS, this::passOnWhatWasGivenUp);
    }

    /** The place with a name. */
    NCosedPlace named(long id) {
        NCosedPlace place = all.get(NCosedLayout.index(id));
        assert place.isExclusive() && place.state != NCosedPlace.State.FREE : "nobody has the place that is meant";
        return place;
    }

    /**
     * Takes a place: one that was given up at this lock, or that was lost at it; or one that is free.
     *
     * @return null if there is none
     */
    NCosedPlace take(long address, LockMode mode, Coroutine coroutine) {
        for (int i = 0; i < lost.size(); i++) {
            if (lost.get(i).address == address) {
                return lost.get(i);
            }
        }
        for (int i = 0; i < givenUp.size(); i++) {
            NCosedPlace place = givenUp.get(i);
            if (place.address == address && place.mode == mode) {
                givenUp.remove(i);
                return place;
            }
        }
        NCosedPlace place = takeFree(coroutine);
        if (place != null) {
            place.want(address, mode);
        }
        return place;
    }

    private NCosedPlace takeFree(Coroutine coroutine) {
        if (!free.isEmpty() && !free.peek().isCalling()) {
            return free.poll();
        }
        if (all.size() == NCosedLayout.PLACES_MAX) {
            return null;
        }
        long id = NCosedLayout.place(
                server.site.worker().node(), server.site.worker().index(), all.size());
        long buffer = server.site.serviceBuffer().keep(NCosedPlace.bufferBytes());
        NCosedPlace made = new NCosedPlace(id, buffer, new Completion(coroutine));
        all.add(made);
        return made;
    }

    /** Nobody means the place any more. */
    void giveBack(NCosedPlace place) {
        assert place.sharers.isEmpty() : "somebody waits for a place that is given back";
        place.state = NCosedPlace.State.FREE;
        free.add(place);
    }

    /** Between two looks at a place that has waited for a time. */
    static long untilNextLook(long nanos, long waitedNanos) {
        return waitedNanos < LONG_NANOS ? nanos : LOOK_NANOS_MAX;
    }

    /** Nobody wants the place any more, and it has not come to its turn. */
    void giveUp(NCosedPlace place) {
        givenUp.add(place);
        changedNanos = server.site.worker().nanoTime();
        alarm.in(LOOK_NANOS);
    }

    /** What was asked about the place has not been answered. */
    void lose(NCosedPlace place) {
        place.state = NCosedPlace.State.LOST;
        lost.add(place);
        server.site.unsettled().run();
    }

    /** Nobody means any of them any more, nor waits for one. */
    void forgetAll() {
        for (NCosedPlace place : all) {
            if (place.state != NCosedPlace.State.FREE) {
                for (NCosedMessage.Caller sharer : place.sharers) {
                    sharer.refuse(server.site);
                }
                place.sharers.clear();
                if (place.successor != null) {
                    place.successor.refuse(server.site);
                    place.successor = null;
                }
                giveBack(place);
            }
        }
        givenUp.clear();
        lost.clear();
    }

    private void passOnWhatWasGivenUp(Coroutine coroutine) {
        server.begin();
        if (releases == null) {
            releases = new NCosedReleases(server, LockVerbs.of(server.site, coroutine, server.site.serviceBuffer()));
        }
        for (int i = givenUp.size() - 1; i >= 0; i--) {
            NCosedPlace place = givenUp.get(i);
            server.advance(place);
            if (place.isHeld()) {
                givenUp.remove(i);
                releases.add(place);
                changedNanos = server.site.worker().nanoTime();
            } else if (place.state == NCosedPlace.State.LOST) {
                givenUp.remove(i);
            }
        }
        releases.run();
        if (!givenUp.isEmpty()) {
            alarm.in(untilNextLook(LOOK_NANOS, server.site.worker().nanoTime() - changedNanos));
        }
    }
}
