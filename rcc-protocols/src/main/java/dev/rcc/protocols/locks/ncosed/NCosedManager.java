package dev.rcc.protocols.locks.ncosed;

import dev.rcc.core.txn.BufferSlice;
import dev.rcc.core.worker.Completion;
import dev.rcc.core.worker.Coroutine;
import dev.rcc.core.worker.Worker;
import dev.rcc.protocols.locks.LockCounters;
import dev.rcc.protocols.locks.LockManager;
import dev.rcc.protocols.locks.LockMode;
import dev.rcc.protocols.locks.LockOutcome;
import dev.rcc.protocols.locks.LockVerbs;
import java.util.Arrays;

/** A coroutine's locks by N-CoSED: an atomic for each to take it or a place behind others, and a message to those others if there are any. */
final class NCosedManager implements LockManager {
    private static final int INITIAL_LOCKS = 4;
    /** Between two looks at places that wait. Nothing travels for it. */
    private static final long LOOK_NANOS = 1_000;

    /** A lock of the round. Reused. */
    private static final class Wish {
        private long address;
        private LockMode mode;
        /** Null until there is one. */
        private NCosedPlace place;

        private boolean hasWaited;
    }

    private final NCosedServer server;
    private final Coroutine coroutine;
    private final Worker worker;
    private final LockVerbs verbs;
    private final NCosedReleases releases;
    private final LockCounters counters;
    private final long timeoutNanos;
    private Wish[] wishes = {};
    private int count;
    /** How many of them were held when the round grew. */
    private int granted;

    private boolean isPosted;
    /** Whether what puts the places that are wanted into words is under way. */
    private boolean isAsking;

    private long beganNanos;
    /** How long the round waits before it counts as deadlocked. */
    private long patienceNanos;

    NCosedManager(
            NCosedServer server, long timeoutNanos, Coroutine coroutine, Completion completion, BufferSlice buffer) {
        this.server = server;
        this.coroutine = coroutine;
        this.worker = coroutine.worker();
        this.verbs = LockVerbs.of(server.site, completion, buffer);
        this.releases = new NCosedReleases(server, verbs);
        this.counters = server.site.counters();
        this.timeoutNanos = timeoutNanos;
        grow();
    }

    private void grow() {
        int old = wishes.length;
        wishes = Arrays.copyOf(wishes, Math.max(INITIAL_LOCKS, 2 * old));
        for (int i = old; i < wishes.length; i++) {
            wishes[i] = new Wish();
        }
    }

    @Override
    public int request(long address, LockMode mode, int slots) {
        if (isPosted) {
            throw new IllegalStateException("a round of locks has begun: await it before it grows");
        }
        if (mode == LockMode.UPDATE) {
            throw new IllegalArgumentException("got an update lock, allowed: shared and exclusive ones");
        }
        if (slots < 1) {
            throw new IllegalArgumentException("slots: got " + slots + ", allowed: at least 1");
        }
        for (int i = 0; i < count; i++) {
            if (wishes[i].address == address) {
                throw new IllegalArgumentException("the round has the lock already as number " + i);
            }
        }
        if (count == wishes.length) {
            grow();
        }
        verbs.reserve(address);
        Wish wish = wishes[count];
        wish.address = address;
        wish.mode = mode;
        wish.place = null;
        wish.hasWaited = false;
        return count++;
    }

    // ---- acquire ---------------------------------------------------------------------------------------------------

    @Override
    public void post() {
        if (!isPosted) {
            isPosted = true;
            server.begin();
            beganNanos = worker.nanoTime();
            // Two in a deadlock with the same patience would give up, and ask again, at a time, for ever.
            patienceNanos = timeoutNanos + Math.unsignedMultiplyHigh(worker.random(), timeoutNanos / 2);
            append();
            verbs.post();
        }
    }

    /** Appends what puts places into words. The READs come last: an atomic behind one would wait for it. */
    private void append() {
        for (int i = 0; i < count; i++) {
            Wish wish = wishes[i];
            if (wish.place == null) {
                wish.place = server.places().take(wish.address, wish.mode, coroutine);
            }
            if (isWanted(wish)) {
                isAsking = true;
                appendAtomic(wish.place);
            }
        }
        for (int i = 0; isAsking && i < count; i++) {
            if (isWanted(wishes[i])) {
                verbs.read(NCosedLayout.holdsAddress(wishes[i].address), 1, wishes[i].place.holdsResult);
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

    /** For how long the place that the round waits for has waited, and of several the one that has least. */
    private long youngestNanos(long now) {
        long youngest = Long.MAX_VALUE;
        for (int i = 0; i < count; i++) {
            NCosedPlace place = wishes[i].place;
            if (place == null || !place.isHeld()) {
                youngest = Math.min(youngest, place == null ? 0 : now - place.wantedNanos);
            }
        }
        return youngest;
    }

    /** Takes in all answers. Returns whether no place is lost. */
    private boolean collect() {
        boolean answered = verbs.await();
        boolean isNoneLost = true;
        for (int i = 0; i < count; i++) {
            Wish wish = wishes[i];
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
        counters.grants += count - granted;
        for (; granted < count; granted++) {
            counters.waits += wishes[granted].hasWaited ? 1 : 0;
        }
        isPosted = false; // the round may grow
        return LockOutcome.GRANTED;
    }

    private LockOutcome fail(LockOutcome outcome) {
        release();
        return outcome;
    }

    // ---- hold ------------------------------------------------------------------------------------------------------

    private NCosedPlace held(int lock) {
        if (lock < 0 || lock >= count || wishes[lock].place == null || !wishes[lock].place.isHeld()) {
            throw new IllegalArgumentException("no lock with the number " + lock + " is held");
        }
        return wishes[lock].place;
    }

    @Override
    public LockOutcome upgrade(int lock, long waitNanos) {
        throw new IllegalArgumentException(
                "lock " + lock + " is held " + held(lock).mode + ", allowed: an update lock, to be upgraded");
    }

    @Override
    public long token(int lock) {
        NCosedPlace place = held(lock);
        return NCosedLayout.token(server.site.configEpoch().getAsLong(), place.holds, place.isExclusive());
    }

    /** {@inheritDoc} No lease ends. */
    @Override
    public long leaseLeftNanos(int lock) {
        held(lock);
        return Long.MAX_VALUE / 2;
    }

    @Override
    public boolean isWithinLease() {
        for (int i = 0; i < count; i++) {
            if (wishes[i].place == null || !wishes[i].place.isHeld()) {
                return false;
            }
        }
        return count > 0;
    }

    /** {@inheritDoc} Nobody takes one away. */
    @Override
    public boolean check() {
        return isWithinLease();
    }

    // ---- release ---------------------------------------------------------------------------------------------------

    @Override
    public void release() {
        boolean _ = !isPosted || collect();
        for (int i = 0; i < count; i++) {
            if (wishes[i].place != null) {
                drop(wishes[i].place);
                wishes[i].place = null;
            }
        }
        releases.run();
        verbs.endReservations();
        count = 0;
        granted = 0;
        isPosted = false;
    }

    private void drop(NCosedPlace place) {
        switch (place.state) {
            case HELD -> releases.add(place);
            case WANTED -> server.places().giveBack(place);
            case QUEUED, DRAINING -> server.places().giveUp(place);
            case FREE, PASSING_ON, LOST -> {}
        }
    }
}
