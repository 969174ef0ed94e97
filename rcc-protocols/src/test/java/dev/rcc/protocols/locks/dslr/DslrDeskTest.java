package dev.rcc.protocols.locks.dslr;

import static dev.rcc.protocols.locks.LockMode.EXCLUSIVE;
import static dev.rcc.protocols.locks.LockMode.SHARED;
import static dev.rcc.protocols.locks.LockMode.UPDATE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.RemoteAddress;
import dev.rcc.core.protocol.Primitive;
import dev.rcc.core.protocol.WordChange;
import dev.rcc.core.testing.FakeCoroutine;
import dev.rcc.core.txn.BufferSlice;
import dev.rcc.core.worker.Coroutine;
import dev.rcc.protocols.locks.LockOutcome;
import dev.rcc.protocols.locks.LockScheme;
import dev.rcc.protocols.locks.LockSite;
import dev.rcc.protocols.locks.LockVerbs;
import dev.rcc.protocols.locks.LoopbackLocks;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The upgrades of a desk's claims, on one worker whose clock the test moves. */
class DslrDeskTest {
    private static final long LEASE = 1_000_000;
    private static final int SLOTS = 4;
    private static final long LOCK = LoopbackLocks.address(0);

    /** Ends a coroutine that has nothing to do. */
    private static final class Idle extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    /** Makes a desk for the worker of the locks' requester. */
    private final class Desks implements LockScheme {
        private final Dslr dslr =
                new Dslr(DslrTerms.DEFAULT.withLease(LEASE).withUpdates(true).withSlots(SLOTS));

        @Override
        public String name() {
            return "dslr at a desk";
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
            long lane = site.serviceBuffer().keep(DslrDesk.LANE_BYTES);
            desk = new DslrDesk(
                    site, dslr, node -> new BufferSlice(site.serviceBuffer().memory(), lane, DslrDesk.LANE_BYTES));
            return (coroutine, completion, buffer) -> null;
        }
    }

    /** Keeps what happens to a claim. */
    private final class Events implements DslrClaim.Listener {
        private final List<String> events = new ArrayList<>();

        @Override
        public void granted(DslrClaim claim) {
            events.add("granted");
        }

        @Override
        public void upgraded(DslrClaim claim, boolean isAlone) {
            events.add(isAlone ? "upgraded" : "not upgraded");
        }

        @Override
        public void ended(DslrClaim claim, LockOutcome why) {
            events.add(why.name());
        }
    }

    private DslrDesk desk;
    private final LoopbackLocks all = new LoopbackLocks(new Desks(), Primitive.ONE_SIDED);
    private final LoopbackLocks.Requester requester = all.requester();
    private final Events ofUpdater = new Events();
    private final DslrClaim reader = desk.ask(LOCK, 1, SHARED, SLOTS, LEASE, new Events());
    private final DslrClaim updater = desk.ask(LOCK, 1, UPDATE, 1, LEASE, ofUpdater);

    /** Runs the desk's lane: takes a step each time that nothing is due, and then lets the time pass until the upgrade has ended. */
    private void run(Runnable... steps) {
        List<Consumer<Coroutine>> spawned = requester.worker.spawned;
        Consumer<Coroutine> lane = spawned.getLast();
        Consumer<Coroutine> alarm = spawned.get(spawned.size() - 2);
        Deque<Runnable> left = new ArrayDeque<>(List.of(steps));
        run(lane, () -> {
            if (!left.isEmpty()) {
                left.remove().run();
            } else if (ofUpdater.events.size() == 1) {
                run(alarm, DslrDeskTest::stop); // moves the clock to the time that it is set to
            } else {
                stop();
            }
        });
    }

    private void run(Consumer<Coroutine> body, Runnable whileSuspended) {
        FakeCoroutine coroutine = new FakeCoroutine(1, requester.worker);
        coroutine.whileSuspended = whileSuspended;
        try {
            body.accept(coroutine);
        } catch (Idle e) {
            // expected
        }
    }

    private static void stop() {
        throw new Idle();
    }

    private void upgradeAt(long nanos, long waitNanos) {
        assertThat(ofUpdater.events).containsExactly("granted");
        requester.worker.nanoTime = nanos;
        assertThat(updater.upgrade(waitNanos)).isTrue();
    }

    // Goal: a crowd whose time is over before its turn comes keeps nobody from drawing. Method: more claims that do not
    // wait than a round has, behind one that draws and one that waits; time passes between their coming and their turn.
    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void shouldLetACrowdThatDoesNotWaitHaveItsTurn() {
        int crowd = 40;
        long lock = LoopbackLocks.address(1);
        Events ofFirst = new Events();
        Events ofSecond = new Events();
        Events ofCrowd = new Events();
        desk.ask(lock, 1, SHARED, SLOTS, LEASE, ofFirst);
        DslrClaim second = desk.ask(lock, 1, UPDATE, SLOTS, LEASE, ofSecond);
        for (int i = 0; i < crowd; i++) {
            desk.ask(lock, 1, UPDATE, 1, 0, ofCrowd);
        }
        requester.worker.nanoTime++;
        List<Consumer<Coroutine>> spawned = requester.worker.spawned;
        run(spawned.getLast(), () -> {
            if (ofCrowd.events.size() == crowd) {
                stop();
            }
            run(spawned.get(spawned.size() - 2), DslrDeskTest::stop);
        });
        assertThat(ofFirst.events).containsExactly("granted");
        assertThat(ofSecond.events).containsExactly("granted");
        assertThat(second.isHeld()).isTrue();
        assertThat(ofCrowd.events).hasSize(crowd).containsOnly("TIMED_OUT");
    }

    // Goal: the tickets of a node's locks end with the node. Its next incarnation has other locks, for which the
    // tickets
    // would look like tickets of its own.
    @Test
    void shouldTouchNoLockOfANodesNextIncarnation() {
        long lock = LoopbackLocks.address(1);
        Events ofHolder = new Events();
        Events ofWaiter = new Events();
        DslrClaim holder = desk.ask(lock, 1, EXCLUSIVE, 1, LEASE, ofHolder);
        DslrClaim waiter = desk.ask(lock, 1, EXCLUSIVE, 1, LEASE, ofWaiter);
        List<Consumer<Coroutine>> spawned = requester.worker.spawned;
        Deque<Runnable> steps = new ArrayDeque<>(List.of(() -> {}, () -> {
            holder.release();
            desk.lose(0);
            all.word(lock, 0);
            all.word(lock + Memory.WORD_BYTES, 0);
        }));
        run(spawned.getLast(), () -> {
            if (!steps.isEmpty()) {
                steps.remove().run();
            } else {
                stop();
            }
            run(spawned.get(spawned.size() - 2), DslrDeskTest::stop);
        });
        requester.worker.nanoTime += 10 * LEASE;
        requester.runService();
        assertThat(ofHolder.events).containsExactly("granted");
        assertThat(ofWaiter.events).containsExactly("UNREACHABLE");
        assertThat(waiter.isOver()).isTrue();
        assertThat(all.word(lock)).isZero();
        assertThat(all.word(lock + Memory.WORD_BYTES)).isZero();
    }

    // Method: the remaining work on tickets of locks of each node, whose messages are kept.
    @Test
    void shouldHaveRoomForTheRemainingWorkOnTicketsOfEveryNode() {
        int nodes = 100;
        LoopbackLocks.Requester byRpc = new LoopbackLocks(new Desks(), Primitive.RPC).requester();
        LockSite site = byRpc.site(nodes, DslrDesk.serviceBytes(nodes));
        DslrTerms terms = DslrTerms.DEFAULT.withLease(LEASE);
        DslrWords words = new DslrWords(
                byRpc.coroutine,
                LockVerbs.of(site, byRpc.coroutine, site.serviceBuffer()),
                new Dslr(terms).layout(),
                terms,
                byRpc.counters,
                false,
                site.serviceBuffer());
        for (int node = 0; node < nodes; node++) {
            long lock = RemoteAddress.of(node, RemoteAddress.region(LOCK), RemoteAddress.offset(LOCK));
            assertThat(words.complete(lock)).as("look at node %s", node).isTrue();
            words.resetAll(lock);
        }
    }

    // Goal: for other requesters the lease counts from the grant, whatever its holder asks for since then.
    @Test
    void shouldLeaveTheLeaseAsItIsWhenAnUpgradeIsNotGrantedInTime() {
        run(() -> upgradeAt(LEASE / 2, LEASE / 4));
        assertThat(ofUpdater.events).containsExactly("granted", "not upgraded");
        assertThat(updater.leaseLeftNanos())
                .isEqualTo(LEASE - requester.worker.nanoTime)
                .isPositive();
    }

    @Test
    void shouldLoseALockWhoseLeaseEndsWhileItsUpgradeWaits() {
        run(() -> upgradeAt(0, 2 * LEASE));
        assertThat(ofUpdater.events).containsExactly("granted", "LOST");
        assertThat(requester.worker.nanoTime).isBetween(LEASE, LEASE + LEASE / 4);
    }

    @Test
    void shouldBeginALeaseWithAnUpgradeThatHasWaited() {
        run(() -> upgradeAt(LEASE / 2, LEASE / 4), reader::release);
        assertThat(ofUpdater.events).containsExactly("granted", "upgraded");
        assertThat(updater.leaseLeftNanos()).isBetween(LEASE * 3 / 4, LEASE);
    }
}
