package dev.rcc.core.worker;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The promises of an {@link EventLoop} and its coroutines, for either form of coroutines. */
@Timeout(60)
abstract class CoroutineContract {
    /** Longer than any test lasts, so that a lost wake-up hangs the test instead of slowing it down. */
    static final long FOR_EVER = TimeUnit.HOURS.toNanos(1);

    private final List<EventLoop> loops = new ArrayList<>();

    /** Whether the loop schedules its coroutines itself. */
    abstract boolean mountsCoroutines();

    /** The number of switches that a test with a loop can afford. */
    abstract int manySwitches();

    /** The number of wake-ups of a possibly parked loop that a test can afford. */
    abstract int wakeUps();

    @AfterEach
    void closeLoops() {
        loops.forEach(EventLoop::close);
    }

    @Test
    void shouldRunACoroutineOnItsWorker() throws Exception {
        EventLoop loop = started(7, 3);
        CompletableFuture<Coroutine> seen = new CompletableFuture<>();
        CompletableFuture<Thread> thread = new CompletableFuture<>();
        loop.spawn(42, coroutine -> {
            thread.complete(Thread.currentThread());
            seen.complete(coroutine);
        });
        assertThat(thread.get().isVirtual()).isTrue();
        assertThat(thread.get().getName()).isEqualTo("rcc-node7-coroutine42");
        assertThat(seen.get().id()).isEqualTo(42);
        assertThat(seen.get().worker()).isSameAs(loop);
        assertThat(loop.node()).isEqualTo(7);
        assertThat(loop.index()).isEqualTo(3);
    }

    // Goal: data that belongs to a worker needs no locks.
    // Method: coroutines, tasks and a poller race on a plain counter.
    @Test
    void shouldNeverRunCoroutinesTasksAndPollersConcurrently() throws Exception {
        EventLoop loop = started();
        int coroutines = 8;
        int rounds = manySwitches() / coroutines;
        int[] counter = new int[1];
        CountDownLatch done = new CountDownLatch(coroutines);
        AtomicInteger polls = new AtomicInteger();
        loop.addPoller(() -> {
            counter[0]++;
            polls.incrementAndGet();
            return 0;
        });
        for (int id = 0; id < coroutines; id++) {
            loop.spawn(id, coroutine -> {
                for (int i = 0; i < rounds; i++) {
                    int before = counter[0];
                    Thread.onSpinWait();
                    counter[0] = before + 1;
                    coroutine.pause();
                }
                done.countDown();
            });
        }
        int tasks = 1000;
        for (int i = 0; i < tasks; i++) {
            loop.execute(() -> counter[0]++);
        }
        done.await();
        assertThat(on(loop, () -> counter[0] - polls.get())).isEqualTo(coroutines * rounds + tasks);
    }

    @Test
    void shouldGiveEveryPausingCoroutineItsTurn() throws Exception {
        EventLoop loop = started();
        int coroutines = 100;
        int rounds = Math.max(10, manySwitches() / coroutines);
        List<Integer> order = new ArrayList<>();
        CountDownLatch done = new CountDownLatch(coroutines);
        boolean[] go = new boolean[1];
        for (int id = 0; id < coroutines; id++) {
            int me = id;
            loop.spawn(id, coroutine -> {
                while (!go[0]) {
                    coroutine.pause();
                }
                for (int i = 0; i < rounds; i++) {
                    order.add(me);
                    coroutine.pause();
                }
                done.countDown();
            });
        }
        loop.execute(() -> go[0] = true);
        done.await();
        List<Integer> turns = on(loop, () -> new ArrayList<>(order));
        assertThat(turns).hasSize(coroutines * rounds);
        int[] count = new int[coroutines];
        for (int i = 0; i < turns.size(); i++) {
            int turn = count[turns.get(i)]++;
            assertThat(turn - i / coroutines)
                    .as("lead of coroutine %d at %d", turns.get(i), i)
                    .isBetween(-1, 1);
        }
    }

    // Goal: a coroutine that waits for a poller's event by pausing lets the poller run. A single coroutine is
    // the harder case: nothing else ends the loop's turn.
    @Test
    void shouldLetPollersAndTasksRunBetweenThePausesOfACoroutine() throws Exception {
        EventLoop loop = started();
        CompletableFuture<Integer> pauses = new CompletableFuture<>();
        boolean[] seen = new boolean[2];
        loop.spawn(1, coroutine -> {
            int count = 0;
            while (!seen[0] || !seen[1]) {
                coroutine.pause();
                count++;
            }
            pauses.complete(count);
        });
        loop.addPoller(() -> {
            seen[0] = true;
            return 0;
        });
        loop.execute(() -> seen[1] = true);
        assertThat(pauses.get()).isNotNegative();
    }

    // The deadlines are fixed points in time. If the machine stalls until the first has passed before all coroutines
    // sleep, their order shows nothing: they sleep once more, for longer.
    @Test
    void shouldWakeSleepersInTheOrderOfTheirDeadlines() throws Exception {
        EventLoop loop = started();
        int unit = 1;
        while (!wakesInOrder(loop, unit)) {
            unit *= 2;
        }
    }

    /** Whether the coroutines were all asleep before the first deadline; then they have woken in order. */
    private static boolean wakesInOrder(EventLoop loop, int unit) throws Exception {
        List<Integer> order = new ArrayList<>();
        int[] millis = {90, 30, 120, 10, 60};
        CountDownLatch done = new CountDownLatch(millis.length);
        boolean[] early = new boolean[1];
        long[] lastAsleep = new long[1];
        long base = loop.nanoTime();
        for (int nap : millis) {
            loop.spawn(nap, coroutine -> {
                long deadline = base + TimeUnit.MILLISECONDS.toNanos((long) nap * unit);
                lastAsleep[0] = loop.nanoTime();
                coroutine.sleep(deadline - lastAsleep[0]);
                early[0] |= loop.nanoTime() - deadline < 0;
                order.add(nap);
                done.countDown();
            });
        }
        done.await();
        assertThat(on(loop, () -> early[0])).as("a coroutine slept too little").isFalse();
        if (on(loop, () -> lastAsleep[0]) - base >= TimeUnit.MILLISECONDS.toNanos(10L * unit)) {
            return false;
        }
        assertThat(on(loop, () -> List.copyOf(order))).containsExactly(10, 30, 60, 90, 120);
        return true;
    }

    @Test
    void shouldTakeASleepOfNothingForAPauseAndOneOfForEverForForEver() throws Exception {
        EventLoop loop = started();
        boolean[] woken = new boolean[1];
        CompletableFuture<Void> done = new CompletableFuture<>();
        loop.spawn(1, coroutine -> {
            coroutine.sleep(Long.MAX_VALUE);
            woken[0] = true;
        });
        loop.spawn(2, coroutine -> {
            coroutine.sleep(0);
            coroutine.sleep(-1);
            coroutine.sleep(Long.MIN_VALUE);
            coroutine.sleep(1_000_000);
            coroutine.sleep(1);
            done.complete(null);
        });
        done.get();
        assertThat(on(loop, () -> woken[0])).isFalse();
    }

    @Test
    void shouldAwaitAllOutstandingRequestsAtOnce() throws Exception {
        EventLoop loop = started();
        CompletableFuture<String> result = new CompletableFuture<>();
        CompletableFuture<Completion> posted = new CompletableFuture<>();
        loop.spawn(1, coroutine -> {
            Completion completion = new Completion(coroutine);
            completion.add();
            completion.add();
            completion.add();
            posted.complete(completion);
            boolean ok = completion.await();
            result.complete(ok + " " + completion.outstanding() + " " + completion.roundTrips() + " "
                    + completion.failedPeer());
        });
        Completion completion = posted.get();
        for (int i = 0; i < 3; i++) {
            assertThat(on(loop, result::isDone)).isFalse();
            loop.execute(completion::succeed);
        }
        assertThat(result.get()).isEqualTo("true 0 1 -1");
    }

    @Test
    void shouldReportAFailedPeerOnceAndThenForgetIt() throws Exception {
        EventLoop loop = started();
        CompletableFuture<String> result = new CompletableFuture<>();
        loop.spawn(1, coroutine -> {
            StringBuilder log = new StringBuilder();
            Completion completion = new Completion(coroutine);
            completion.add();
            completion.add();
            loop.execute(() -> completion.fail(5));
            loop.execute(completion::succeed);
            log.append(completion.await()).append(completion.failedPeer()).append(' ');
            completion.add();
            loop.execute(completion::succeed);
            log.append(completion.await()).append(completion.failedPeer());
            result.complete(log.toString());
        });
        assertThat(result.get()).isEqualTo("false5 true-1");
    }

    // A fabric may complete a request while it accepts it: then the coroutine is not waiting yet.
    @Test
    void shouldReturnAtOnceWhenNothingIsOutstanding() throws Exception {
        EventLoop loop = started();
        CompletableFuture<String> result = new CompletableFuture<>();
        loop.spawn(1, coroutine -> {
            Completion completion = new Completion(coroutine);
            boolean nothing = completion.await();
            completion.add();
            completion.fail(3);
            boolean failed = completion.await();
            result.complete(nothing + " " + failed + " " + completion.failedPeer() + " " + completion.roundTrips());
        });
        assertThat(result.get()).isEqualTo("true false 3 0");
    }

    @Test
    void shouldCarryManyCoroutinesThroughManyRoundTrips() throws Exception {
        EventLoop loop = started();
        int coroutines = 200;
        int trips = Math.max(5, manySwitches() / coroutines);
        List<Completion> inFlight = new ArrayList<>();
        SplittableRandom random = new SplittableRandom(4);
        loop.addPoller(() -> {
            int count = random.nextInt(inFlight.size() + 1);
            for (int i = 0; i < count; i++) {
                inFlight.remove(random.nextInt(inFlight.size())).succeed();
            }
            return count;
        });
        CountDownLatch done = new CountDownLatch(coroutines);
        AtomicInteger wrong = new AtomicInteger();
        for (int id = 0; id < coroutines; id++) {
            loop.spawn(id, coroutine -> {
                Completion completion = new Completion(coroutine);
                for (int i = 0; i < trips; i++) {
                    for (int request = 0; request <= i % 3; request++) {
                        completion.add();
                        inFlight.add(completion);
                    }
                    if (!completion.await() || completion.outstanding() != 0 || completion.roundTrips() != i + 1) {
                        wrong.incrementAndGet();
                    }
                }
                done.countDown();
            });
        }
        done.await();
        assertThat(wrong).hasValue(0);
    }

    @Test
    void shouldLetOneCoroutineResumeAnother() throws Exception {
        EventLoop loop = started();
        int rounds = manySwitches() / 4;
        Completion[] completions = new Completion[2];
        CountDownLatch done = new CountDownLatch(2);
        for (int id = 0; id < 2; id++) {
            int me = id;
            loop.spawn(id, coroutine -> {
                completions[me] = new Completion(coroutine);
                completions[me].add();
                while (completions[1 - me] == null) {
                    coroutine.pause();
                }
                for (int i = 0; i < rounds; i++) {
                    if (me == 1 || i > 0) {
                        completions[me].await();
                        completions[me].add();
                    }
                    completions[1 - me].succeed();
                }
                done.countDown();
            });
        }
        done.await();
    }

    // Goal: no wake-up is lost between the loop's last poll and its sleep, which would last an hour here.
    // Method: send the next task a random moment after the last, so that the loop spins, yields or parks.
    @Test
    void shouldWakeForATaskAtAnyTime() throws Exception {
        EventLoop loop = started();
        AtomicInteger ran = new AtomicInteger();
        SplittableRandom random = new SplittableRandom(8);
        for (int i = 1; i <= wakeUps(); i++) {
            loop.execute(ran::incrementAndGet);
            int wanted = i;
            spinUntil(() -> ran.get() >= wanted);
            dawdle(random);
        }
    }

    // As above, but by the weakest means: a release store that a poller reads, then a wake-up.
    @Test
    void shouldWakeForAPollersEventAtAnyTime() throws Exception {
        EventLoop loop = started();
        Mailbox mailbox = new Mailbox();
        loop.addPoller(() -> {
            int sent = (int) Mailbox.SENT.getAcquire(mailbox);
            int news = sent - (int) Mailbox.SEEN.getOpaque(mailbox);
            Mailbox.SEEN.setRelease(mailbox, sent);
            return news;
        });
        SplittableRandom random = new SplittableRandom(9);
        for (int i = 1; i <= wakeUps(); i++) {
            Mailbox.SENT.setRelease(mailbox, i);
            loop.wakeUp();
            int wanted = i;
            spinUntil(() -> (int) Mailbox.SEEN.getAcquire(mailbox) >= wanted);
            dawdle(random);
        }
    }

    // As above, but the sender wakes a loop only if its poller was armed, as a device or another process
    // does.
    // Goal: an event after the last poll finds the poller armed; the last poll finds an event before it.
    @Test
    void shouldLookOnceMoreAfterItsPollersWereArmed() throws Exception {
        EventLoop loop = started();
        Mailbox mailbox = new Mailbox();
        AtomicBoolean armed = new AtomicBoolean();
        loop.addPoller(new Poller() {
            @Override
            public int poll() {
                int sent = (int) Mailbox.SENT.getAcquire(mailbox);
                int news = sent - (int) Mailbox.SEEN.getOpaque(mailbox);
                Mailbox.SEEN.setRelease(mailbox, sent);
                return news;
            }

            @Override
            public void arm() {
                armed.set(true);
            }
        });
        SplittableRandom random = new SplittableRandom(10);
        for (int i = 1; i <= wakeUps(); i++) {
            Mailbox.SENT.setVolatile(mailbox, i);
            int wanted = i;
            // Send no wake-up that the poller did not ask for: it would hide a missing poll.
            if (armed.compareAndSet(true, false)) {
                loop.wakeUp();
            }
            spinUntil(() -> (int) Mailbox.SEEN.getAcquire(mailbox) >= wanted);
            dawdle(random);
        }
    }

    @Test
    void shouldArmAllPollersBeforeItParksThoughOneThrows() throws Exception {
        EventLoop loop = started();
        CountDownLatch armed = new CountDownLatch(3);
        loop.addPoller(new Poller() {
            @Override
            public int poll() {
                return 0;
            }

            @Override
            public void arm() {
                throw new IllegalStateException("planted: arm");
            }
        });
        loop.addPoller(new Poller() {
            @Override
            public int poll() {
                return 0;
            }

            @Override
            public void arm() {
                armed.countDown();
            }
        });
        while (armed.getCount() > 0) {
            awaitParked(loop);
            on(loop, () -> 1); // ends this sleep; another follows
        }
    }

    @Test
    void shouldWakeFromParkForATaskAPollerAndASpawn() throws Exception {
        EventLoop loop = started();
        for (int i = 0; i < 20; i++) {
            awaitParked(loop);
            assertThat(on(loop, () -> 1)).isEqualTo(1);
            awaitParked(loop);
            CountDownLatch polled = new CountDownLatch(1);
            loop.addPoller(() -> {
                polled.countDown();
                return 0;
            });
            polled.await();
            awaitParked(loop);
            CountDownLatch spawned = new CountDownLatch(1);
            loop.spawn(i, coroutine -> {
                coroutine.sleep(100_000);
                spawned.countDown();
            });
            spawned.await();
        }
    }

    @Test
    void shouldRunTasksInTheOrderInWhichAThreadSentThem() throws Exception {
        EventLoop loop = started();
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < 2000; i++) {
            int number = i;
            loop.execute(() -> order.add(number));
        }
        List<Integer> ran = on(loop, () -> new ArrayList<>(order));
        assertThat(ran).hasSize(2000).isSorted();
    }

    // A task that sends itself again must not keep the pollers from running.
    @Test
    void shouldPollBetweenTasksThatKeepComing() throws Exception {
        EventLoop loop = started();
        CountDownLatch polled = new CountDownLatch(1);
        Runnable[] again = new Runnable[1];
        again[0] = () -> {
            if (polled.getCount() > 0) {
                loop.execute(again[0]);
            }
        };
        loop.execute(again[0]);
        loop.addPoller(() -> {
            polled.countDown();
            return 0;
        });
        polled.await();
    }

    @Test
    void shouldContinueAfterACoroutineATaskOrAPollerThrows() throws Exception {
        EventLoop loop = started();
        CountDownLatch polls = new CountDownLatch(3);
        loop.addPoller(() -> {
            polls.countDown();
            if (polls.getCount() > 0) {
                throw new IllegalStateException("planted: poller");
            }
            return 0;
        });
        loop.execute(() -> {
            throw new AssertionError("planted: task");
        });
        loop.spawn(1, coroutine -> {
            coroutine.pause();
            throw new IllegalStateException("planted: coroutine");
        });
        loop.spawn(2, coroutine -> {
            coroutine.pause();
            CoroutineContract.<RuntimeException>sneak(new InterruptedException("planted: checked"));
        });
        polls.await();
        CountDownLatch later = new CountDownLatch(1);
        loop.spawn(3, coroutine -> {
            coroutine.sleep(1000);
            later.countDown();
        });
        later.await();
    }

    // Goal: a worker's loop can take a lock that its own coroutine waits for, such as the lock of a logger or
    // of a log on disk.
    // Method: the loop's task comes while the coroutine waits for the lock that another thread has.
    @Test
    void shouldNotWaitForALockBehindItsOwnCoroutine() throws Exception {
        ReentrantLock lock = new ReentrantLock();
        EventLoop loop = started();
        CountDownLatch done = new CountDownLatch(2);
        lock.lock();
        try {
            loop.spawn(0, coroutine -> {
                takeAndGiveBack(lock);
                done.countDown();
            });
            spinUntil(lock::hasQueuedThreads);
            loop.execute(() -> {
                takeAndGiveBack(lock);
                done.countDown();
            });
            TimeUnit.MILLISECONDS.sleep(20); // gives the loop time to wait for the lock, too
        } finally {
            lock.unlock();
        }
        assertThat(done.await(10, SECONDS)).isTrue();
    }

    // Goal: while a coroutine waits for a lock that another thread holds for a moment, its worker runs
    // nothing else.
    @Test
    void shouldDoNothingElseWhileACoroutineWaitsForALock() throws Exception {
        ReentrantLock lock = new ReentrantLock();
        EventLoop loop = started();
        AtomicInteger order = new AtomicInteger();
        CompletableFuture<Integer> coroutines = new CompletableFuture<>();
        CompletableFuture<Integer> tasks = new CompletableFuture<>();
        lock.lock();
        try {
            loop.spawn(0, coroutine -> {
                takeAndGiveBack(lock);
                coroutines.complete(order.incrementAndGet());
            });
            spinUntil(lock::hasQueuedThreads);
            loop.execute(() -> tasks.complete(order.incrementAndGet()));
            TimeUnit.MILLISECONDS.sleep(20);
            assertThat(tasks).isNotDone();
        } finally {
            lock.unlock();
        }
        assertThat(coroutines.get(10, SECONDS)).isEqualTo(1);
        assertThat(tasks.get(10, SECONDS)).isEqualTo(2);
    }

    // Goal: a virtual thread that a coroutine starts, as a library may, does not need the coroutine's
    // worker.
    // Method: the coroutine waits for a virtual thread that it has started, and that waits for a moment
    // itself.
    @Test
    void shouldRunVirtualThreadsThatACoroutineStartsElsewhere() throws Exception {
        EventLoop loop = started();
        CompletableFuture<Boolean> done = new CompletableFuture<>();
        loop.spawn(0, coroutine -> {
            CountDownLatch latch = new CountDownLatch(1);
            Thread _ = Thread.startVirtualThread(() -> {
                LockSupport.parkNanos(1_000_000);
                latch.countDown();
            });
            coroutine.sleep(1);
            try {
                done.complete(latch.await(10, SECONDS));
            } catch (InterruptedException e) {
                done.completeExceptionally(e);
            }
        });
        assertThat(done.get(20, SECONDS)).isTrue();
    }

    @SuppressWarnings("EmptyTryBlock") // the lock is only taken and released
    private static void takeAndGiveBack(ReentrantLock lock) {
        lock.lock();
        try {
        } finally {
            lock.unlock();
        }
    }

    // To the coroutines the node has died: they do not run again, not even their finally blocks.
    @Test
    void shouldCloseWhileCoroutinesWait() throws Exception {
        EventLoop loop = started();
        AtomicInteger started = new AtomicInteger();
        AtomicInteger ended = new AtomicInteger();
        List<Consumer<Coroutine>> waits = List.of(
                coroutine -> coroutine.sleep(FOR_EVER),
                coroutine -> {
                    Completion completion = new Completion(coroutine);
                    completion.add();
                    completion.await();
                },
                coroutine -> {
                    for (; ; ) {
                        coroutine.pause();
                    }
                });
        for (int id = 0; id < 3; id++) {
            Consumer<Coroutine> wait = waits.get(id);
            loop.spawn(id, coroutine -> {
                started.incrementAndGet();
                try {
                    wait.accept(coroutine);
                } finally {
                    ended.incrementAndGet();
                }
            });
        }
        spinUntil(() -> started.get() == 3);
        loop.close();
        assertThat(loop.thread().isAlive()).isFalse();
        assertThat(ended).hasValue(0);
        loop.close();
        loop.execute(ended::incrementAndGet);
        assertThat(ended).hasValue(0);
    }

    @Test
    void shouldCloseALoopThatNeverStartedAndOneThatIsParked() throws Exception {
        EventLoop never = created(0, 0);
        never.close();
        EventLoop parked = started();
        awaitParked(parked);
        parked.close();
        assertThat(parked.thread().isAlive()).isFalse();
    }

    @Test
    void shouldKeepTheInterruptOfTheClosingThread() {
        EventLoop loop = started();
        Thread.currentThread().interrupt();
        loop.close();
        assertThat(Thread.interrupted()).isTrue();
    }

    // Goal: more workers than cores degrade gracefully.
    // Method: a token goes around at least 12 loops, each mostly idle.
    @Test
    void shouldPassATokenAroundMoreLoopsThanCores() throws Exception {
        int count = Math.max(12, 2 * Runtime.getRuntime().availableProcessors());
        EventLoop[] ring = new EventLoop[count];
        for (int i = 0; i < count; i++) {
            ring[i] = started(0, i);
        }
        int hops = 300 * count;
        CountDownLatch done = new CountDownLatch(1);
        ring[0].execute(() -> pass(ring, 0, hops, done));
        done.await();
    }

    private static void pass(EventLoop[] ring, int at, int hopsLeft, CountDownLatch done) {
        if (hopsLeft == 0) {
            done.countDown();
            return;
        }
        int next = (at + 1) % ring.length;
        ring[at].spawn(0, coroutine -> {
            coroutine.pause();
            ring[next].execute(() -> pass(ring, next, hopsLeft - 1, done));
        });
    }

    @Test
    void shouldDrawTheSameNumbersFromTheSameSeedAndOthersOnOtherWorkers() throws Exception {
        assertThat(draw(5, 1, 2)).isEqualTo(draw(5, 1, 2));
        assertThat(draw(5, 1, 2)).isNotEqualTo(draw(6, 1, 2));
        assertThat(draw(5, 1, 2)).isNotEqualTo(draw(5, 2, 1));
        assertThat(draw(5, 1, 2)).isNotEqualTo(draw(5, 1, 3));
        EventLoop loop = created(0, 0);
        int[] counts = new int[3];
        for (int i = 0; i < 3000; i++) {
            counts[loop.random(3)]++;
        }
        assertThat(counts).satisfies(all -> {
            for (int c : all) {
                assertThat(c).isBetween(850, 1150);
            }
        });
    }

    private List<Long> draw(long seed, int node, int index) {
        EventLoop loop = new EventLoop(node, index, seed, mountsCoroutines(), FOR_EVER);
        return List.of(loop.random(), loop.random(), loop.random());
    }

    EventLoop started() {
        return started(0, 0);
    }

    private EventLoop started(int node, int index) {
        EventLoop loop = created(node, index);
        loop.start();
        return loop;
    }

    private EventLoop created(int node, int index) {
        EventLoop loop = new EventLoop(node, index, 1, mountsCoroutines(), FOR_EVER);
        loops.add(loop);
        return loop;
    }

    /** Runs {@code question} on the loop and returns its result. */
    private static <T> T on(EventLoop loop, Callable<T> question) throws Exception {
        CompletableFuture<T> answer = new CompletableFuture<>();
        loop.execute(() -> {
            try {
                answer.complete(question.call());
            } catch (Exception e) {
                answer.completeExceptionally(e);
            }
        });
        return answer.get(50, SECONDS);
    }

    private static void awaitParked(EventLoop loop) {
        spinUntil(() -> loop.thread().getState() == Thread.State.TIMED_WAITING);
    }

    /** Spins until {@code condition} holds, or until the test's time is up. */
    static void spinUntil(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            if (Thread.interrupted()) {
                throw new AssertionError("waited in vain");
            }
            Thread.onSpinWait();
        }
    }

    private static void dawdle(SplittableRandom random) {
        for (int i = random.nextInt(1 << random.nextInt(12)); i > 0; i--) {
            Thread.onSpinWait();
        }
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <E extends Throwable> void sneak(Throwable e) throws E {
        throw (E) e;
    }

    private static final class Mailbox {
        static final VarHandle SENT;
        static final VarHandle SEEN;

        static {
            try {
                SENT = MethodHandles.lookup().findVarHandle(Mailbox.class, "sent", int.class);
                SEEN = MethodHandles.lookup().findVarHandle(Mailbox.class, "seen", int.class);
            } catch (ReflectiveOperationException e) {
                throw new ExceptionInInitializerError(e);
            }
        }

        @SuppressWarnings("unused")
        private int sent;

        @SuppressWarnings("unused")
        private int seen;
    }
}
