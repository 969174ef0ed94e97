package dev.rcc.bench.locks.verify;

import dev.rcc.bench.locks.check.LockCheckResult;
import dev.rcc.bench.locks.check.LockChecker;
import dev.rcc.bench.locks.check.LockHistory;
import dev.rcc.bench.locks.check.LockRecorder;
import dev.rcc.bench.locks.cluster.LockCluster;
import dev.rcc.bench.verify.ErrorLog;
import dev.rcc.core.memory.RemoteAddress;
import dev.rcc.core.worker.Coroutine;
import dev.rcc.protocols.locks.LockCounters;
import dev.rcc.protocols.locks.LockManager;
import dev.rcc.protocols.locks.LockMode;
import dev.rcc.protocols.locks.LockOutcome;
import dev.rcc.protocols.locks.LockScheme;
import dev.rcc.protocols.locks.LockSpace;
import dev.rcc.transport.sim.Faults;
import dev.rcc.transport.sim.SimNetwork;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** The course of one trial of locks. Used once, by one thread. */
final class LockTrialRun {
    /** A time limit, in virtual time, that no correct run reaches. */
    private static final long PATIENCE_NANOS = 600_000_000_000L;

    private static final long MAX_EVENTS = 20_000_000;
    private static final int LOCKS_A_ROUND = 3;
    /** One in so many held rounds requests one more lock. */
    private static final int GROWN_ONE_IN = 4;
    /** The time in which a message arrives if nothing delays it. */
    private static final long PLACED_NANOS = 200_000;

    private final LockScenario scenario;
    private final LockRecorder recorder = new LockRecorder();
    private final List<String> violations = new ArrayList<>();
    private final SplittableRandom deathRandom;
    private LockCluster cluster;
    private SimNetwork network;
    private int deaths;
    private boolean[] hasEnded;
    private boolean isSweeping;
    private boolean hasSwept;
    private final List<Long> waiting = new ArrayList<>();

    LockTrialRun(LockScenario scenario) {
        this.scenario = scenario;
        this.deathRandom = new SplittableRandom(scenario.seed() * 31 + 5);
    }

    LockTrial run() {
        LockCounters counters = new LockCounters();
        Map<Faults.Kind, Long> faults = new EnumMap<>(Faults.Kind.class);
        try (ErrorLog errors = ErrorLog.open();
                SimNetwork opened = new SimNetwork(scenario.shape().nodes(), scenario.options(), scenario.seed())) {
            network = opened;
            runCluster();
            counters = cluster.counters();
            for (Faults.Kind kind : Faults.Kind.values()) {
                faults.put(kind, network.faults().count(kind));
            }
            if (errors.first() != null) {
                violations.add("an error was logged: " + errors.first());
            }
        } catch (RuntimeException | Error e) {
            violations.add(
                    "the run failed: " + e + (e.getStackTrace().length == 0 ? "" : ", at " + e.getStackTrace()[0]));
        }
        LockHistory history = new LockHistory(scenario.scheme().name(), promises(), recorder.requests(), waiting);
        LockCheckResult checked = LockChecker.check(history);
        return new LockTrial(
                scenario, recorder.granted(), counters.resets, counters.zeroings, deaths, faults, violations, checked);
    }

    private LockHistory.Promises promises() {
        boolean isExclusive = scenario.promisesExclusion();
        long pause = scenario.weather().pauseNanos();
        boolean isOrdered = isExclusive && pause != Long.MAX_VALUE;
        return new LockHistory.Promises(
                isExclusive,
                isExclusive,
                isOrdered ? scenario.overtakings() : -1,
                isOrdered ? PLACED_NANOS + pause : 0);
    }

    private void runCluster() {
        LockSpace space = new LockSpace(LockSpace.REGION, scenario.shape().nodes(), scenario.locks());
        hasEnded = new boolean[scenario.shape().requesters()];
        cluster = new LockCluster(
                network, scenario.scheme(), scenario.primitive(), space, scenario.shape(), this::request);
        network.simulation().guard(() -> {
            if (network.simulation().eventsRun() > MAX_EVENTS) {
                throw new IllegalStateException("no end after " + MAX_EVENTS + " events");
            }
        });
        network.startFaults(node -> {});
        cluster.start();
        planDeath();
        if (!network.simulation().run(PATIENCE_NANOS, this::haveAllEnded)) {
            violations.add("requesters hang: " + waitingRequesters());
            return;
        }
        isSweeping = true;
        if (!network.simulation().run(2 * PATIENCE_NANOS, () -> hasSwept || !isAnybodyAlive())) {
            violations.add("a lock that no requester wants can no longer be granted");
            return;
        }
        checkRest(space);
    }

    private boolean haveAllEnded() {
        for (int i = 0; i < hasEnded.length; i++) {
            if (!hasEnded[i] && cluster.isAlive(cluster.nodeOf(i))) {
                return false;
            }
        }
        return true;
    }

    private boolean isAnybodyAlive() {
        for (int node = 0; node < scenario.shape().nodes(); node++) {
            if (cluster.isAlive(node)) {
                return true;
            }
        }
        return false;
    }

    private String waitingRequesters() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < hasEnded.length; i++) {
            text.append(hasEnded[i] ? "" : " " + i);
        }
        return text.toString();
    }

    // ---- requesters ------------------------------------------------------------------------------------------------

    private void request(int number, Coroutine coroutine, LockCluster.Managers managers) {
        SplittableRandom random = new SplittableRandom(scenario.seed() * 1_000_003 + number);
        SplittableRandom growth = new SplittableRandom(scenario.seed() * 1_000_033 + number);
        LockManager locks = managers.another();
        for (int round = 0; round < scenario.rounds(); round++) {
            if (round(number, round, coroutine, locks, random, growth)) {
                locks = managers.another(); // the holder has died, and a new one takes over
                deaths++;
            }
            if (random.nextInt(4) == 0) {
                coroutine.sleep(random.nextLong(20_000));
            }
        }
        hasEnded[number] = true;
        sweep(number, coroutine, locks);
    }

    /** Requests locks, uses them and releases them. Returns whether the holder dies before the release. */
    private boolean round(
            int number,
            int round,
            Coroutine coroutine,
            LockManager locks,
            SplittableRandom random,
            SplittableRandom growth) {
        List<LockRecorder.Entry> entries = ask(number, round, coroutine, locks, random);
        if (entries.isEmpty()) {
            return false; // the nodes of the locks are dead
        }
        long patience =
                random.nextInt(4) == 0 ? random.nextLong(50_000) : 20 * scenario.leaseNanos() * scenario.slotsMax();
        if (random.nextInt(8) == 0) {
            locks.post();
        }
        LockOutcome outcome = locks.await(patience);
        long now = cluster.nanos(coroutine);
        if (outcome != LockOutcome.GRANTED) {
            entries.forEach(entry -> entry.failed(outcome));
            return false;
        }
        for (int i = 0; i < entries.size(); i++) {
            entries.get(i).granted(now, locks.token(i), locks.leaseLeftNanos(i));
        }
        if (random.nextInt(3) == 0 && !locks.check()) {
            entries.forEach(LockRecorder.Entry::lost);
        }
        use(entries, coroutine, random);
        if (!grow(number, round, entries, coroutine, locks, growth)) {
            return false;
        }
        if (!upgrade(entries, coroutine, locks, random)) {
            return false;
        }
        use(entries, coroutine, random);
        if (random.nextDouble() < scenario.holderDeathRate()) {
            return true;
        }
        long ended = cluster.nanos(coroutine);
        entries.forEach(entry -> entry.ended(ended));
        locks.release();
        return false;
    }

    private List<LockRecorder.Entry> ask(
            int number, int round, Coroutine coroutine, LockManager locks, SplittableRandom random) {
        List<LockRecorder.Entry> entries = new ArrayList<>();
        int count = Math.min(scenario.locks(), 1 + random.nextInt(LOCKS_A_ROUND));
        int first = random.nextInt(scenario.locks());
        boolean isOrdered = random.nextInt(4) > 0;
        for (int i = 0; i < count; i++) {
            int lock = (first + i) % scenario.locks();
            if (!cluster.isAlive(RemoteAddress.node(cluster.space().address(lock)))) {
                continue;
            }
            LockMode mode = mode(random);
            int slots = isOrdered ? 1 : 1 + random.nextInt(scenario.slotsMax());
            locks.request(cluster.space().address(lock), mode, slots);
            entries.add(recorder.request(number, round, lock, mode, cluster.nanos(coroutine)));
        }
        return entries;
    }

    private LockMode mode(SplittableRandom random) {
        int drawn = random.nextInt(scenario.hasUpdates() ? 5 : 4);
        return drawn < 2 ? LockMode.SHARED : drawn < 4 ? LockMode.EXCLUSIVE : LockMode.UPDATE;
    }

    /** Holds locks, mostly for a short time and sometimes beyond the lease, and then uses the guarded data. */
    private void use(List<LockRecorder.Entry> entries, Coroutine coroutine, SplittableRandom random) {
        switch (random.nextInt(8)) {
            case 0 -> coroutine.sleep(random.nextLong(3 * scenario.leaseNanos()));
            case 1, 2, 3 -> coroutine.sleep(random.nextLong(Math.min(scenario.leaseNanos(), 20_000)));
            case 4 -> coroutine.worker().compute(random.nextLong(5_000));
            default -> {}
        }
        long now = cluster.nanos(coroutine);
        for (LockRecorder.Entry entry : entries) {
            if (entry.hasToken()) {
                recorder.use(entry, entry.mayWrite(), now);
            }
        }
    }

    /** Requests further locks in any order while the others are held, so some rounds deadlock. Returns whether all locks are held. */
    private boolean grow(
            int number,
            int round,
            List<LockRecorder.Entry> entries,
            Coroutine coroutine,
            LockManager locks,
            SplittableRandom growth) {
        while (growth.nextInt(GROWN_ONE_IN) == 0) {
            int lock = growth.nextInt(scenario.locks());
            boolean isHeld = entries.stream().anyMatch(entry -> entry.lock() == lock);
            long address = cluster.space().address(lock);
            if (isHeld || !cluster.isAlive(RemoteAddress.node(address))) {
                return true;
            }
            long before = cluster.nanos(coroutine);
            LockRecorder.Entry more = recorder.request(number, round, lock, mode(growth), before);
            int place = locks.request(address, more.mode(), 1);
            LockOutcome outcome = locks.await(20 * scenario.leaseNanos() * scenario.slotsMax());
            if (outcome != LockOutcome.GRANTED) {
                more.failed(outcome);
                entries.forEach(entry -> entry.ended(before));
                return false;
            }
            more.granted(cluster.nanos(coroutine), locks.token(place), locks.leaseLeftNanos(place));
            entries.add(more);
        }
        return true;
    }

    /** Upgrades some of the update locks. Returns whether all locks are still held. */
    private boolean upgrade(
            List<LockRecorder.Entry> entries, Coroutine coroutine, LockManager locks, SplittableRandom random) {
        for (int i = 0; i < entries.size(); i++) {
            if (entries.get(i).mode() == LockMode.UPDATE && random.nextBoolean()) {
                long before = cluster.nanos(coroutine);
                LockOutcome outcome = locks.upgrade(i, 20 * scenario.leaseNanos() * scenario.slotsMax());
                if (outcome != LockOutcome.GRANTED) {
                    entries.forEach(entry -> entry.ended(before));
                    return false;
                }
                entries.get(i).upgraded(cluster.nanos(coroutine), locks.token(i), locks.leaseLeftNanos(i));
            }
        }
        return true;
    }

    // ---- deaths ----------------------------------------------------------------------------------------------------

    /** Plans the death of a node: while some reset is half done, or at any time. */
    private void planDeath() {
        if (deathRandom.nextDouble() >= scenario.nodeDeathRate() * 4) {
            return;
        }
        int victim = deathRandom.nextInt(scenario.shape().nodes());
        if (deathRandom.nextBoolean()) {
            network.later(deathRandom.nextLong(4 * scenario.leaseNanos()), () -> kill(victim));
            return;
        }
        long[] resetsLeft = {1 + deathRandom.nextInt(4)};
        long[] resets = {0};
        network.simulation().observe(() -> {
            long now = cluster.counters().resets;
            if (now != resets[0]) {
                resets[0] = now;
                if (--resetsLeft[0] == 0) {
                    network.later(deathRandom.nextLong(5_000), () -> kill(victim));
                }
            }
        });
    }

    private void kill(int node) {
        if (cluster.isAlive(node) && !isSweeping) { // no other requester would take the place of the one that sweeps
            deaths++;
            cluster.kill(node);
        }
    }

    // ---- at rest ---------------------------------------------------------------------------------------------------

    /** At the end, the first living requester takes each lock exclusively, which clears the state that dead holders left. */
    private void sweep(int number, Coroutine coroutine, LockManager last) {
        while (!isSweeping) {
            coroutine.sleep(scenario.leaseNanos());
        }
        for (int i = 0; i < number; i++) {
            if (cluster.isAlive(cluster.nodeOf(i))) {
                return;
            }
        }
        for (int lock = 0; lock < scenario.locks(); lock++) {
            long address = cluster.space().address(lock);
            for (int tries = 0; cluster.isAlive(RemoteAddress.node(address)); tries++) {
                last.request(address, LockMode.EXCLUSIVE, 1);
                LockOutcome outcome = last.await(Long.MAX_VALUE / 4);
                last.release();
                if (outcome == LockOutcome.GRANTED && tries > 0) {
                    break;
                }
            }
        }
        coroutine.sleep(20 * scenario.leaseNanos() * scenario.slotsMax()); // for the service coroutines' remaining work
        hasSwept = true;
    }

    private void checkRest(LockSpace space) {
        LockScheme scheme = scenario.scheme();
        for (long lock = 0; lock < space.locks(); lock++) {
            long address = space.address(lock);
            if (cluster.isAlive(RemoteAddress.node(address)) && !scheme.isAtRest(cluster.word(address))) {
                waiting.add(lock);
            }
        }
    }
}
