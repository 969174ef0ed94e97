package dev.rcc.bench.locks.verify;

import dev.rcc.core.protocol.Primitive;
import dev.rcc.core.protocol.WordChange;
import dev.rcc.core.txn.BufferSlice;
import dev.rcc.core.worker.Completion;
import dev.rcc.core.worker.Coroutine;
import dev.rcc.protocols.locks.LockManager;
import dev.rcc.protocols.locks.LockMode;
import dev.rcc.protocols.locks.LockOutcome;
import dev.rcc.protocols.locks.LockScheme;
import dev.rcc.protocols.locks.LockSite;
import dev.rcc.protocols.locks.LockVerbs;
import dev.rcc.protocols.locks.dslr.Dslr;
import dev.rcc.protocols.locks.dslr.DslrClaim;
import dev.rcc.protocols.locks.dslr.DslrDesk;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** DSLR by the desks of the workers, for coroutines that wait there for the locks that they have requested. */
record DeskScheme(Dslr dslr, long epoch) implements LockScheme {
    @Override
    public String name() {
        return "dslr at desks";
    }

    @Override
    public Set<WordChange> changes(Primitive primitive) {
        return dslr.changes(primitive);
    }

    @Override
    public boolean isAtRest(long word) {
        return dslr.isAtRest(word);
    }

    @Override
    public Locks serve(LockSite site) {
        LockVerbs.serve(site);
        long lanes = site.serviceBuffer().keep(site.nodes() * DslrDesk.LANE_BYTES);
        DslrDesk desk = new DslrDesk(
                site,
                dslr,
                node -> new BufferSlice(
                        site.serviceBuffer().memory(), lanes + (long) node * DslrDesk.LANE_BYTES, DslrDesk.LANE_BYTES));
        return (coroutine, _, _) -> new Waiter(desk, epoch, coroutine);
    }

    /** A coroutine with its claims. */
    private static final class Waiter implements LockManager, DslrClaim.Listener {
        private record Wish(long address, LockMode mode, int slots) {}

        private final DslrDesk desk;
        private final long epoch;
        private final Completion answers;
        private final List<Wish> wishes = new ArrayList<>();
        private final List<DslrClaim> claims = new ArrayList<>();
        private LockOutcome outcome = LockOutcome.GRANTED;
        private final Set<DslrClaim> unanswered = new HashSet<>();

        Waiter(DslrDesk desk, long epoch, Coroutine coroutine) {
            this.desk = desk;
            this.epoch = epoch;
            this.answers = new Completion(coroutine);
        }

        @Override
        public int request(long address, LockMode mode, int slots) {
            wishes.add(new Wish(address, mode, slots));
            return wishes.size() - 1;
        }

        @Override
        public void post() {
            // requested when it is waited for
        }

        @Override
        public LockOutcome await(long waitNanos) {
            outcome = LockOutcome.GRANTED;
            for (Wish wish : wishes.subList(claims.size(), wishes.size())) { // the others are held
                answers.add();
                DslrClaim claim = desk.ask(wish.address, epoch, wish.mode, wish.slots, waitNanos, this);
                claims.add(claim);
                unanswered.add(claim);
            }
            answers.await();
            return ended();
        }

        private LockOutcome ended() {
            if (outcome == LockOutcome.GRANTED && !isWithinLease()) {
                outcome = LockOutcome.LOST; // while others were waited for
            }
            if (outcome != LockOutcome.GRANTED) {
                release();
            }
            return outcome;
        }

        @Override
        public void granted(DslrClaim claim) {
            unanswered.remove(claim);
            answers.succeed();
        }

        @Override
        public void upgraded(DslrClaim claim, boolean isAlone) {
            outcome = isAlone ? outcome : LockOutcome.TIMED_OUT;
            unanswered.remove(claim);
            answers.succeed();
        }

        @Override
        public void ended(DslrClaim claim, LockOutcome why) {
            outcome = why;
            if (unanswered.remove(claim)) {
                answers.succeed();
            }
        }

        @Override
        public LockOutcome upgrade(int lock, long waitNanos) {
            DslrClaim claim = claims.get(lock);
            outcome = LockOutcome.LOST;
            if (claim.upgrade(waitNanos)) {
                outcome = LockOutcome.GRANTED;
                unanswered.add(claim);
                answers.add();
                answers.await();
            }
            return ended();
        }

        @Override
        public long token(int lock) {
            return claims.get(lock).token();
        }

        @Override
        public long leaseLeftNanos(int lock) {
            return claims.get(lock).leaseLeftNanos();
        }

        @Override
        public boolean isWithinLease() {
            return claims.stream().allMatch(DslrClaim::isHeld);
        }

        @Override
        public boolean check() {
            return isWithinLease();
        }

        @Override
        public void release() {
            claims.forEach(DslrClaim::release);
            claims.clear();
            wishes.clear();
        }
    }
}
