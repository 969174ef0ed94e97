package dev.rcc.protocols.locks.ncosed;

import dev.rcc.core.txn.BufferSlice;
import dev.rcc.core.worker.Completion;
import dev.rcc.core.worker.Coroutine;
import dev.rcc.core.worker.Worker;
import dev.rcc.protocols.locks.LockCounters;
import dev.rcc.protocols.locks.LockLimits;
import dev.rcc.protocols.locks.LockOutcome;
import dev.rcc.protocols.locks.LockRound;
import dev.rcc.protocols.locks.LockVerbs;
import dev.rcc.protocols.locks.RequestedLock;

/** A coroutine's locks by N-CoSED: for each, an atomic that takes the lock or a place in its queue, and a message to the place in front if any. */
final class NCosedManager extends LockRound<NCosedManager.Wish> {
    /** The interval between two looks at places that wait. A look sends nothing. */
    private static final long LOOK_NANOS = 1_000;

    /** A lock of the round. */
    static final class Wish extends RequestedLock {
        /** Null until the lock has a place. */
        private NCosedPlace place;

        private boolean hasWaited;

        @Override
        public boolean isHeld() {
            return place != null && place.isHeld();
        }
    }

    private final NCosedServer server;
    private final Coroutine coroutine;
    private final Worker worker;
    private final LockVerbs verbs;
    private final NCosedReleases releases;
    private final LockCounters counters;
    private final long timeoutNanos;
    /** How many of the round's locks are held; the locks behind them were added since. */
    private int granted;

    /** Whether requests that put the wanted places into words are under way. */
    private boolean isAsking;

    private long beganNanos;
    /** How long the round waits before it counts as deadlocked. */
    private long patienceNanos;

    NCosedManager(
            NCosedServer server, long timeoutNanos, Coroutine coroutine, Completion completion, BufferSlice buffer) {
        super(LockLimits.NO_UPDATES);
        this.server = server;
        this.coroutine = coroutine;
        this.worker = coroutine.worker();
        this.verbs = LockVerbs.of(server.site, completion, buffer);
        this.releases = new NCosedReleases(server, verbs);
        this.counters = server.site.counters();
        this.timeoutNanos = timeoutNanos;
    }

    @Override
    protected Wish newLock() {
        return new Wish();
    }

    @Override
    protected void reserve(long address) {
        verbs.reserve(address);
    }

    @Override
    protected void want(Wish wish, int slots) {
        wish.place = null;
        wish.hasWaited = false;
    }

    // ---- acquire ---------------------------------------------------------------------------------------------------

    @Override
    public void post() {
        if (begin()) {
            server.begin();
            beganNanos = worker.nanoTime();
            // With equal patience, two deadlocked rounds would give up and ask again together, for ever.
            patienceNanos = timeoutNanos + Math.unsignedMultiplyHigh(worker.random(), timeoutNanos / 2);
            append();
            verbs.post();
        }
    }

    /** Appends the requests that put places into words. The READs come last: an atomic behind a READ would wait for it. */
    private void append() {
        for (int i = 0; i < count(); i++) {
            Wish wish = lock(i);
            if (wish.place == null) {
                wish.place = server.places().take(wish.address, wish.mode, coroutine);
            }
            if (isWanted(wish)) {
                isAsking = true;
                appendAtomic(wish.place);
            }
        }
        for (int i = 0; isAsking && i < count(); i++) {
            if (isWanted(lock(i))) {
                verbs.read(NCosedLayout.holdsAddress(lock(i).address), 1, lock(i).place.holdsResult);
            }
        }
    }

    private static boolean isWanted(Wish wish) {
        return wish.place != null && wish.place.state == NCosedPlace.State.WANTED;
    }

    private void appendAtomic(NCosedPlace place) {
        if (place.isExclusive()) {
            verbs.cas(place.address, place.expected, NCosedLayout.word(place.id, 0), place.foundResult);
        } else {
            verbs.fetchAdd(place.address, 1, place.foundResult);
        }
    }

    @Override
    public LockOutcome await(long waitNanos) {
        long deadline = worker.nanoTime() + waitNanos;
        post();
        while (true) {
            if (!collect()) {
                return fail(LockOutcome.UNREACHABLE);
            }
            if (isWithinLease()) {
                return grant();
            }
            long now = worker.nanoTime();
            if (now - beganNanos >= patienceNanos) {
                counters.lost++;
                return fail(LockOutcome.LOST);
            }
            if (now - deadline >= 0) {
                counters.timeouts++;
                return fail(LockOutcome.TIMED_OUT);
            }
            append();
            if (!isAsking) {
                coroutine.sleep(server.untilNextLook(LOOK_NANOS, youngestNanos(now)));
            }
        }
    }

    /** The shortest waiting time of the round's places that are not held yet. */
    private long youngestNanos(long now) {
        long youngest = Long.MAX_VALUE;
        for (int i = 0; i < count(); i++) {
            NCosedPlace place = lock(i).place;
            if (place == null || !place.isHeld()) {
                youngest = Math.min(youngest, place == null ? 0 : now - place.wantedNanos);
            }
        }
        return youngest;
    }

    /** Evaluates all answers. Returns whether no place is lost. */
    private boolean collect() {
        boolean answered = verbs.await();
        boolean isNoneLost = true;
        for (int i = 0; i < count(); i++) {
            Wish wish = lock(i);
            if (isAsking && isWanted(wish)) {
                takeIn(wish.place, answered || !verbs.hasFailed(wish.address));
            } else if (wish.place != null) {
                server.advance(wish.place);
            }
            if (wish.place != null) {
                wish.hasWaited |= !wish.place.isHeld();
                isNoneLost &= wish.place.state != NCosedPlace.State.LOST;
            }
        }
        isAsking = false;
        return isNoneLost;
    }

    private void takeIn(NCosedPlace place, boolean isAnswered) {
        long found = isAnswered ? verbs.word(place.foundResult) : 0;
        if (!isAnswered) {
            server.places().lose(place);
        } else if (place.isExclusive() && found != place.expected) {
            place.expected = found;
        } else {
            server.enter(place, found, verbs.word(place.holdsResult));
        }
    }

    private LockOutcome grant() {
        counters.grants += count() - granted;
        for (; granted < count(); granted++) {
            counters.waits += lock(granted).hasWaited ? 1 : 0;
        }
        return granted();
    }

    // ---- hold ------------------------------------------------------------------------------------------------------

    @Override
    public long token(int lock) {
        NCosedPlace place = held(lock).place;
        return NCosedLayout.token(server.site.configEpoch().getAsLong(), place.holds, place.isExclusive());
    }

    // ---- release ---------------------------------------------------------------------------------------------------

    @Override
    public void release() {
        boolean _ = !isPosted() || collect();
        for (int i = 0; i < count(); i++) {
            if (lock(i).place != null) {
                drop(lock(i).place);
                lock(i).place = null;
            }
        }
        releases.run();
        verbs.endReservations();
        granted = 0;
        end();
    }

    private void drop(NCosedPlace place) {
        switch (place.state) {
            case HELD -> releases.add(place);
            case WANTED -> server.places().giveBack(place);
            case QUEUED, DRAINING -> server.places().giveUp(place);
            case FREE, PASSING_ON, LEAVING, LOST -> {}
        }
    }
}
