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
 * The places of a worker. A place leaves a queue only through the lock, so a place that was given up stays in its queue. When its turn comes, the
 * worker's service coroutine passes it on. A requester of the worker that wants the same lock in the same mode before that takes it over. So a
 * worker has about as many places at a lock as requesters, however often these try, and waiting behind a dead holder takes none from other locks.
 */
final class NCosedPlaces {
    /** The interval between two looks at places that were given up. */
    private static final long LOOK_NANOS = 2_000;

    private final NCosedServer server;
    private final Alarm alarm;
    private final List<NCosedPlace> all = new ArrayList<>();
    private final ArrayDeque<NCosedPlace> free = new ArrayDeque<>();
    private final List<NCosedPlace> givenUp = new ArrayList<>();
    private final List<NCosedPlace> leaving = new ArrayList<>();
    private final List<NCosedPlace> lost = new ArrayList<>();
    /** Created on the service coroutine. */
    private NCosedReleases releases;

    NCosedPlaces(NCosedServer server) {
        this.server = server;
        this.alarm = new Alarm(server.site.worker(), server.site.serviceCoroutine(), LOOK_NANOS, this::lookAround);
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
            place.want(address, mode, server.site.worker().nanoTime());
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

    /** Frees a place that no word or message names any more. */
    void giveBack(NCosedPlace place) {
        assert place.sharers.isEmpty() : "somebody waits for a place that is given back";
        place.state = NCosedPlace.State.FREE;
        free.add(place);
    }

    /** Gives up a place that no requester wants any more, and whose turn has not come. */
    void giveUp(NCosedPlace place) {
        givenUp.add(place);
        alarm.in(LOOK_NANOS);
    }

    /** Awaits the reply to a place's LEAVE message, which is under way. If it gets lost, an exclusive requester waits in vain. */
    void leave(NCosedPlace place) {
        leaving.add(place);
        alarm.in(LOOK_NANOS);
    }

    /** Notes that a request for the place has not been answered. */
    void lose(NCosedPlace place) {
        place.state = NCosedPlace.State.LOST;
        lost.add(place);
        server.site.unsettled().run();
    }

    /** Refuses all requesters that wait for a place, and frees all places. */
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
        leaving.clear();
        lost.clear();
    }

    private void lookAround(Coroutine coroutine) {
        server.begin();
        giveBackWhatHasLeft();
        passOnWhatWasGivenUp(coroutine);
        if (!givenUp.isEmpty() || !leaving.isEmpty()) {
            alarm.in(server.untilNextLook(LOOK_NANOS, youngestNanos()));
        }
    }

    private void giveBackWhatHasLeft() {
        for (int i = leaving.size() - 1; i >= 0; i--) {
            NCosedPlace place = leaving.get(i);
            if (!place.isCalling()) {
                leaving.remove(i);
                if (!server.isAnswered(place)) {
                    server.site.unsettled().run();
                }
                giveBack(place);
            }
        }
    }

    private void passOnWhatWasGivenUp(Coroutine coroutine) {
        if (releases == null) {
            releases = new NCosedReleases(server, LockVerbs.of(server.site, coroutine, server.site.serviceBuffer()));
        }
        for (int i = givenUp.size() - 1; i >= 0; i--) {
            NCosedPlace place = givenUp.get(i);
            server.advance(place);
            if (place.isHeld()) {
                givenUp.remove(i);
                releases.add(place);
            } else if (place.state == NCosedPlace.State.LOST) {
                givenUp.remove(i);
            }
        }
        releases.run();
    }

    /** The shortest time that a given-up place has waited. */
    private long youngestNanos() {
        long now = server.site.worker().nanoTime();
        long youngest = Long.MAX_VALUE;
        for (int i = 0; i < givenUp.size(); i++) {
            youngest = Math.min(youngest, now - givenUp.get(i).wantedNanos);
        }
        return youngest;
    }
}
