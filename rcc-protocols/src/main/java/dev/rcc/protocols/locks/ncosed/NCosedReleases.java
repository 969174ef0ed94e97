package dev.rcc.protocols.locks.ncosed;

import dev.rcc.protocols.locks.LockVerbs;
import java.util.ArrayList;
import java.util.List;

/** Releases places that hold their locks, several at a time. Used on one coroutine. */
final class NCosedReleases {
    private final NCosedServer server;
    private final LockVerbs verbs;
    private final List<NCosedPlace> releasing = new ArrayList<>();

    NCosedReleases(NCosedServer server, LockVerbs verbs) {
        this.server = server;
        this.verbs = verbs;
    }

    /** Adds a place. If its successor is known, no request goes to the word. */
    void add(NCosedPlace place) {
        if (!place.isExclusive()) {
            if (place.hasSuccessor) {
                server.leave(place);
            } else {
                releasing.add(place);
            }
        } else if (place.successor != null) {
            passOn(place);
        } else {
            place.expected = NCosedLayout.word(place.id, place.sharers.size());
            // in front of the CAS, behind which the next one reads it
            verbs.write(NCosedLayout.holdsAddress(place.address), place.holds + 1);
            releasing.add(place);
        }
    }

    /** Releases the added places. */
    void run() {
        long epoch = server.epoch();
        while (!releasing.isEmpty()) {
            for (int i = 0; i < releasing.size(); i++) {
                append(releasing.get(i));
            }
            boolean answered = verbs.await();
            if (server.epoch() != epoch) {
                releasing.clear(); // in the next configuration these are free, or other requesters'
                return;
            }
            if (!answered) {
                server.site.unsettled().run();
            }
            for (int i = releasing.size() - 1; i >= 0; i--) {
                NCosedPlace place = releasing.get(i);
                if (isReleased(place, answered || !verbs.hasFailed(place.address))) {
                    releasing.remove(i);
                }
            }
        }
    }

    private void append(NCosedPlace place) {
        long desired =
                place.isExclusive() ? NCosedLayout.word(0, NCosedLayout.sharers(place.expected)) : place.expected - 1;
        verbs.cas(place.address, place.expected, desired, place.foundResult);
    }

    private boolean isReleased(NCosedPlace place, boolean isAnswered) {
        long found = isAnswered ? verbs.word(place.foundResult) : 0;
        return place.isExclusive()
                ? isExclusiveReleased(place, isAnswered, found)
                : isSharedReleased(place, isAnswered, found);
    }

    private boolean isExclusiveReleased(NCosedPlace place, boolean isAnswered, long found) {
        if (isAnswered && found == place.expected) {
            place.owedSharers = NCosedLayout.sharers(found);
        } else if (NCosedLayout.tail(found) == place.id) {
            place.expected = found;
            return false;
        }
        passOn(place); // at once, or when the messages of the places behind it arrive
        return true;
    }

    private void passOn(NCosedPlace place) {
        place.state = NCosedPlace.State.PASSING_ON;
        server.passOn(place);
    }

    private boolean isSharedReleased(NCosedPlace place, boolean isAnswered, long found) {
        boolean isFreed = NCosedLayout.word(0, 0) == found; // by recovery, on the way to the next configuration
        if (!isAnswered || found == place.expected || isFreed) {
            server.places().giveBack(place);
            return true;
        }
        if (NCosedLayout.tail(found) == 0) {
            place.expected = found;
            return false;
        }
        server.leave(place); // an exclusive requester has counted this place among its sharers
        return true;
    }
}
