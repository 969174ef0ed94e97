package dev.rcc.protocols.locks.dslr;

import dev.rcc.core.txn.BufferSlice;
import dev.rcc.core.worker.Alarm;
import dev.rcc.core.worker.Completion;
import dev.rcc.core.worker.Coroutine;
import dev.rcc.core.worker.Worker;
import dev.rcc.protocols.locks.LockCounters;
import dev.rcc.protocols.locks.LockMode;
import dev.rcc.protocols.locks.LockOutcome;
import dev.rcc.protocols.locks.LockSite;
import dev.rcc.protocols.locks.LockVerbs;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The claims of a {@link DslrDesk} for locks of one node, and the coroutine that serves them: in each round, all due claims with one
 * request. Used on its worker only.
 */
final class DslrLane {
    /** Most claims of a round. */
    private static final int ROUND_MAX = 32;
    /** Most looks in a row that a node may leave unanswered, before a ticket that no user wants is left to its lease. */
    private static final int UNANSWERED_MAX = 3;

    /** The stage of a claim among the claims of its lock at the desk. */
    enum Stage {
        /** Other claims draw first. */
        QUEUED,
        /** It tries to draw a ticket. */
        DRAWING,
        /** It has had a ticket, or needs none. */
        DRAWN
    }

    /** The request to a lock's node for a claim. */
    enum Posted {
        NOTHING,
        /** A look at the lock, perhaps with the drawing of a ticket. */
        LOOK,
        /** The lock is handed back. */
        HAND_BACK
    }

    private final LockSite site;
    private final Worker worker;
    private final DslrTerms terms;
    private final DslrLayout layout;
    private final DslrService service;
    private final LockCounters counters;
    private final BufferSlice buffer;
    private final Alarm alarm;
    private final DueClaims due = new DueClaims();
    private final List<DslrClaim> round = new ArrayList<>();
    private final long[] results = new long[ROUND_MAX];
    /** By lock: the claims without a ticket; the first one tries to draw. */
    private final Map<Long, Deque<DslrClaim>> drawing = new HashMap<>();

    /** Created on the lane's coroutine. */
    private LockVerbs verbs;

    private DslrCourse course;
    /** Outstanding while nothing is due. */
    private Completion wakeUp;

    private boolean isIdle;

    DslrLane(LockSite site, DslrTerms terms, DslrLayout layout, DslrService service, BufferSlice buffer) {
        this.site = site;
        this.worker = site.worker();
        this.terms = terms;
        this.layout = layout;
        this.service = service;
        this.counters = site.counters();
        this.buffer = buffer;
        this.alarm = new Alarm(worker, site.serviceCoroutine(), pauseNanos(), coroutine -> wake());
        worker.spawn(site.serviceCoroutine(), this::run);
    }

    // ---- from users of claims --------------------------------------------------------------------------------------

    void add(DslrClaim claim) {
        Deque<DslrClaim> others = drawing.computeIfAbsent(claim.ticket.address, address -> new ArrayDeque<>());
        others.add(claim);
        claim.stage = others.size() == 1 ? Stage.DRAWING : Stage.QUEUED;
        schedule(claim);
    }

    /** The locks of the node are gone: the node's next incarnation would take their tickets for tickets of its own locks. */
    void lose() {
        round.forEach(this::lose); // the round that is under way
        for (DslrClaim claim : due.all()) {
            lose(claim);
            schedule(claim);
        }
    }

    private void lose(DslrClaim claim) {
        claim.ticket.isGone = true;
        if (!claim.isOver) {
            end(claim, claim.ticket.isHeld() ? LockOutcome.LOST : LockOutcome.UNREACHABLE);
        }
    }

    /** Schedules a claim again, as its user wants something else of it. */
    void hurry(DslrClaim claim) {
        if (claim.place != DueClaims.NOWHERE) { // if not, it is in the round that is under way
            schedule(claim);
        }
    }

    boolean upgrade(DslrClaim claim, long waitNanos) {
        if (!claim.isHeld() || claim.mode() != LockMode.UPDATE || claim.ticket.state != DslrTicket.State.HELD) {
            return false;
        }
        claim.deadlineNanos = worker.nanoTime() + Math.min(waitNanos, leaseLeftNanos(claim.ticket));
        course.upgrade(claim.ticket);
        hurry(claim);
        return true;
    }

    long leaseLeftNanos(DslrTicket ticket) {
        return course.leaseLeftNanos(ticket);
    }

    // ---- when ------------------------------------------------------------------------------------------------------

    private void schedule(DslrClaim claim) {
        claim.dueNanos = dueNanos(claim);
        due.put(claim);
        if (claim.dueNanos - worker.nanoTime() <= 0) {
            wake();
        } else if (isIdle) {
            alarm.in(claim.dueNanos - worker.nanoTime());
        }
    }

    private long dueNanos(DslrClaim claim) {
        DslrTicket ticket = claim.ticket;
        long now = worker.nanoTime();
        if (ticket.isGone) {
            return now;
        } else if (ticket.state == DslrTicket.State.HELD) {
            return claim.isOver ? now : now + course.leaseLeftNanos(ticket);
        } else if (claim.stage == Stage.QUEUED) {
            return claim.isOver ? now : dueInQueue(claim, now);
        } else if (claim.isOver) {
            return ticket.state == DslrTicket.State.WANTED || ticket.state == DslrTicket.State.UPGRADING
                    ? now
                    : ticket.nextNanos;
        }
        return claim.deadlineNanos - ticket.nextNanos < 0 ? claim.deadlineNanos : ticket.nextNanos;
    }

    /**
     * When a claim is due behind others of its lock. If its time is over and it cannot time out yet, that is not at once: many such claims would keep
     * the one that draws first out of every round.
     */
    private long dueInQueue(DslrClaim claim, long now) {
        boolean isLate = claim.deadlineNanos - now <= 0 && !isHeldUp(claim);
        return isLate ? now + pauseNanos() : claim.deadlineNanos;
    }

    private long pauseNanos() {
        return Math.max(1_000, terms.pollNanos(1));
    }

    private void wake() {
        if (isIdle) {
            isIdle = false;
            wakeUp.succeed();
        }
    }

    private void run(Coroutine coroutine) {
        begin(coroutine);
        while (true) {
            if (!due.isEmpty() && due.first().dueNanos - worker.nanoTime() <= 0) {
                round();
                continue;
            }
            if (!due.isEmpty()) {
                alarm.in(due.first().dueNanos - worker.nanoTime());
            }
            isIdle = true;
            wakeUp.add();
            wakeUp.await();
        }
    }

    private void begin(Coroutine coroutine) {
        verbs = LockVerbs.of(site, coroutine, buffer);
        DslrWords words = new DslrWords(coroutine, verbs, layout, terms, site.counters(), false, buffer);
        course = new DslrCourse(coroutine, verbs, words, layout, terms, service, site.counters());
        for (int i = 0; i < ROUND_MAX; i++) {
            results[i] = buffer.keep(DslrWords.RESULT_BYTES);
        }
        wakeUp = new Completion(coroutine);
    }

    // ---- a round ---------------------------------------------------------------------------------------------------

    private void round() {
        long now = worker.nanoTime();
        round.clear();
        while (!due.isEmpty() && round.size() < ROUND_MAX && due.first().dueNanos - now <= 0) {
            round.add(due.removeFirst());
        }
        boolean isPosted = false;
        for (int i = 0; i < round.size(); i++) {
            DslrClaim claim = round.get(i);
            claim.posted = post(claim, results[i], now);
            isPosted |= claim.posted != Posted.NOTHING;
        }
        for (int i = 0; i < round.size(); i++) {
            if (round.get(i).posted == Posted.LOOK) {
                course.look(round.get(i).ticket, results[i]);
            }
        }
        boolean hasAnswered = !isPosted || verbs.await();
        for (int i = 0; i < round.size(); i++) {
            DslrClaim claim = round.get(i);
            if (claim.ticket.isGone) {
                claim.ticket.state = DslrTicket.State.ENDED;
                passTurn(claim);
            } else {
                settle(claim, results[i], now, hasAnswered);
            }
            if (claim.ticket.state != DslrTicket.State.ENDED) {
                schedule(claim);
            }
        }
    }

    private Posted post(DslrClaim claim, long result, long now) {
        DslrTicket ticket = claim.ticket;
        if (ticket.isGone) {
            return Posted.NOTHING;
        }
        if (claim.isOver) {
            ticket.stopUpgrade();
        }
        if (ticket.state == DslrTicket.State.HELD) {
            if (!claim.isOver || !course.isEarly(ticket, now)) {
                return Posted.NOTHING;
            }
            course.handBack(ticket, result);
            return Posted.HAND_BACK;
        }
        boolean isGivenUp = claim.isOver && ticket.state == DslrTicket.State.WANTED;
        if (claim.stage == Stage.QUEUED || isGivenUp || ticket.nextNanos - now > 0) {
            return Posted.NOTHING;
        }
        course.ask(ticket, result);
        return Posted.LOOK;
    }

    private void settle(DslrClaim claim, long result, long now, boolean hasAnswered) {
        DslrTicket ticket = claim.ticket;
        switch (claim.posted) {
            case LOOK -> {
                boolean isUpgrade = ticket.state == DslrTicket.State.UPGRADING;
                if (hasAnswered) {
                    claim.unanswered = 0;
                    course.takeIn(ticket, result, now);
                    looked(claim, isUpgrade);
                } else {
                    unanswered(claim);
                }
            }
            case HAND_BACK -> course.handedBack(ticket, !hasAnswered, result);
            case NOTHING -> {
                if (ticket.state == DslrTicket.State.HELD) {
                    leaveIfDue(claim);
                }
            }
        }
        claim.posted = Posted.NOTHING;
        if (claim.isOver && ticket.state == DslrTicket.State.WANTED) {
            ticket.state = DslrTicket.State.ENDED;
        }
        if (!claim.isOver && claim.deadlineNanos - worker.nanoTime() <= 0 && mayTimeOut(claim)) {
            timeOut(claim);
        }
        passTurn(claim);
    }

    private void looked(DslrClaim claim, boolean isUpgrade) {
        if (claim.isOver) {
            return; // if it is held now, the next round hands it back
        }
        if (claim.ticket.state == DslrTicket.State.ENDED
                || (claim.ticket.isHeld() && leaseLeftNanos(claim.ticket) <= 0)) {
            end(claim, LockOutcome.LOST);
        } else if (claim.ticket.state == DslrTicket.State.HELD && isUpgrade) {
            claim.listener.upgraded(claim, true);
        } else if (claim.ticket.state == DslrTicket.State.HELD) {
            claim.listener.granted(claim);
        }
    }

    /** No node can show whether a ticket was drawn now; if so, its lease ends. A ticket that was drawn before may still have its turn. */
    private void unanswered(DslrClaim claim) {
        claim.unanswered++;
        if (claim.ticket.state == DslrTicket.State.WANTED) {
            claim.ticket.state = DslrTicket.State.ENDED;
            if (!claim.isOver) {
                end(claim, LockOutcome.UNREACHABLE);
            }
        } else if (claim.isOver && claim.unanswered > UNANSWERED_MAX) {
            claim.ticket.state = DslrTicket.State.ENDED;
        } else {
            claim.ticket.nextNanos = worker.nanoTime() + Math.max(1, terms.leaseNanos() / 8);
        }
    }

    /** Leaves a lock that is handed back late, or whose lease is over. */
    private void leaveIfDue(DslrClaim claim) {
        if (!claim.isOver && leaseLeftNanos(claim.ticket) <= 0) {
            end(claim, LockOutcome.LOST);
        }
        if (claim.isOver) {
            course.leave(claim.ticket);
        }
    }

    /** Whether a claim has had its first look, or will not have it soon: even a claim that does not wait gets one look. */
    private boolean mayTimeOut(DslrClaim claim) {
        return switch (claim.ticket.state) {
            case WANTED -> claim.stage == Stage.QUEUED ? isHeldUp(claim) : claim.ticket.hasWaited;
            case NO_ROOM, WAITING, UPGRADING -> true;
            case HELD, PERHAPS_HANDED_BACK, ENDED -> false;
        };
    }

    private boolean isHeldUp(DslrClaim claim) {
        DslrClaim first = drawing.get(claim.ticket.address).peek();
        return first.ticket.state == DslrTicket.State.NO_ROOM;
    }

    private void timeOut(DslrClaim claim) {
        if (claim.ticket.state == DslrTicket.State.UPGRADING) {
            claim.ticket.stopUpgrade();
            if (leaseLeftNanos(claim.ticket) > 0) {
                claim.listener.upgraded(claim, false);
            } else {
                end(claim, LockOutcome.LOST);
            }
            return;
        }
        if (claim.ticket.state == DslrTicket.State.WANTED) {
            claim.ticket.state = DslrTicket.State.ENDED;
        }
        end(claim, LockOutcome.TIMED_OUT);
    }

    private void end(DslrClaim claim, LockOutcome why) {
        switch (why) {
            case TIMED_OUT -> counters.timeouts++;
            case LOST -> counters.lost++;
            case GRANTED, UNREACHABLE -> {}
        }
        claim.isOver = true;
        claim.listener.ended(claim, why);
    }

    /** Lets the next claim of a lock draw, once this claim has a ticket or needs none. */
    private void passTurn(DslrClaim claim) {
        DslrTicket.State state = claim.ticket.state;
        if (claim.stage == Stage.DRAWN || state == DslrTicket.State.WANTED || state == DslrTicket.State.NO_ROOM) {
            return;
        }
        claim.stage = Stage.DRAWN;
        Deque<DslrClaim> others = drawing.get(claim.ticket.address);
        boolean wasFirst = others.peek() == claim;
        others.remove(claim);
        if (others.isEmpty()) {
            drawing.remove(claim.ticket.address);
        } else if (wasFirst) {
            DslrClaim next = others.peek();
            next.stage = Stage.DRAWING;
            next.ticket.nextNanos = worker.nanoTime();
            hurry(next);
        }
    }
}
