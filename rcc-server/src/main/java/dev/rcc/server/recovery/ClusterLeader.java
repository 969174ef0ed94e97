package dev.rcc.server.recovery;

import dev.rcc.core.cluster.Placement;
import dev.rcc.core.replication.ReplicationProvider;
import dev.rcc.server.config.ClusterConfig;
import dev.rcc.server.config.Replications;
import dev.rcc.server.membership.Configuration;
import dev.rcc.server.membership.Membership;
import dev.rcc.server.membership.MembershipOptions;
import dev.rcc.transport.control.Control;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Leads a cluster of processes from one configuration to the next, on the node that leads the membership group. On every other node it only
 * watches which peers connect and disconnect. The cluster forms when all nodes are connected. The leader takes out a member that is
 * disconnected for longer than the grace, or is connected in another incarnation. It takes in a connected node that is not a member. Of
 * members that have lost each other, it takes out as few as it can, and takes them in again when they reach all members.
 *
 * <p>The group first agrees that a change begins. If this leader is lost, the next leader begins the change again, as nodes may have
 * frozen. The group agrees on the end of the change, too; a node that receives the end goes on.
 *
 * <p>Runs on a thread of its own, which waits for one change at a time. A defect that ends this thread is reported, as the node can lead no more.
 */
final class ClusterLeader implements Control.Listener, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterLeader.class);
    private static final long LOOK_MILLIS = 10;
    /** The pause between two looks while nothing is to be done; a node that connects, disconnects or leaves ends the pause. */
    private static final long SETTLED_LOOK_MILLIS = 50;
    /** How long a change may take before a warning names the nodes that it waits for; the interval between such warnings. */
    private static final long SLOW_NANOS = TimeUnit.SECONDS.toNanos(5);

    private static final long AGAIN_MILLIS_MIN = 100;
    private static final long AGAIN_MILLIS_MAX = 2_000;
    private static final long ANSWER_SECONDS = 5;
    private static final long DOWN = 0;
    /** How long a leaving node stays a member, so that nodes that leave at the same time need not be taken out one by one. */
    private static final long LEAVE_NANOS = TimeUnit.MILLISECONDS.toNanos(150);

    private final Control control;
    private final Membership membership;
    private final MembershipOptions options;
    private final ClusterConfig config;
    private final ReplicationProvider replication;
    private final MemberState state;
    private final Readiness readiness;
    private final LostLinks links;
    private final Consumer<Throwable> whenFailed;
    private final Thread thread;
    /** Ends a pause. */
    private final Semaphore looks = new Semaphore(0);

    private final long[] incarnations;
    private final long[] downSinceNanos;
    private final long[] leavingSinceNanos;
    private final Standstill standstill = new Standstill();
    private final GivenUp givenUp = new GivenUp();
    private final Candidates candidates;
    private long round;
    private boolean saidOrphaned;
    /** The epoch of the last configuration in which a node may have left locks behind. */
    private volatile long sweepAskedFor = -1;

    private volatile boolean closed;

    /**
     * The leader's part on the control's node.
     *
     * @param whenFailed called on the leader's thread with the defect that ends it
     */
    ClusterLeader(
            Control control,
            Membership membership,
            MembershipOptions options,
            ClusterConfig config,
            MemberState state,
            Readiness readiness,
            LostLinks links,
            Consumer<Throwable> whenFailed) {
        this.control = control;
        this.membership = membership;
        this.options = options;
        this.config = config;
        this.replication = Replications.of(config);
        this.state = state;
        this.readiness = readiness;
        this.candidates = new Candidates(readiness);
        this.links = links;
        this.whenFailed = whenFailed;
        this.incarnations = new long[control.nodes()];
        this.downSinceNanos = new long[control.nodes()];
        this.leavingSinceNanos = new long[control.nodes()];
        Arrays.fill(downSinceNanos, System.nanoTime());
        this.thread = Thread.ofPlatform()
                .daemon()
                .name("rcc-node" + control.node() + "-leader")
                .unstarted(this::lead);
    }

    void start() {
        thread.start();
    }

    @Override
    public synchronized void up(int peer, long incarnation) {
        incarnations[peer] = incarnation;
        lookSoon();
    }

    @Override
    public synchronized void down(int peer) {
        incarnations[peer] = DOWN;
        downSinceNanos[peer] = System.nanoTime();
        lookSoon();
    }

    /** A node asks for a configuration after {@code epoch}, even if no node is lost. */
    synchronized void sweep(long epoch) {
        sweepAskedFor = Math.max(sweepAskedFor, epoch);
        lookSoon();
    }

    /** There may be something to do. */
    void lookSoon() {
        looks.release();
    }

    private void lead() {
        long again = AGAIN_MILLIS_MIN;
        try {
            while (!closed) {
                pause();
                OptionalLong term = membership.leads();
                if (term.isPresent()) {
                    try {
                        look(term.getAsLong());
                        again = AGAIN_MILLIS_MIN;
                    } catch (ExecutionException | TimeoutException | RuntimeException e) {
                        if (!closed) {
                            LOG.warn("event=reconfiguration_failed node={}: {}", control.node(), e.toString());
                            TimeUnit.MILLISECONDS.sleep(again);
                            again = Math.min(2 * again, AGAIN_MILLIS_MAX);
                        }
                    }
                }
            }
        } catch (InterruptedException e) {
            LOG.debug("the leader's thread was interrupted", e);
        } catch (RuntimeException | Error e) {
            if (!closed) {
                whenFailed.accept(e);
            }
        }
    }

    private void pause() throws InterruptedException {
        boolean _ = looks.tryAcquire(isSettled() ? SETTLED_LOOK_MILLIS : LOOK_MILLIS, TimeUnit.MILLISECONDS);
        looks.drainPermits();
    }

    private synchronized boolean isSettled() {
        Configuration configuration = membership.configuration();
        return !configuration.changing()
                && sweepAskedFor < configuration.epoch()
                && IntStream.range(0, incarnations.length)
                        .allMatch(node -> configuration.isMember(node, incarnations[node])
                                && !state.isLeaving(node, incarnations[node]));
    }

    private void look(long term) throws InterruptedException, ExecutionException, TimeoutException {
        Configuration configuration = membership.configuration();
        if (!hasAnyMember(configuration)) {
            form(configuration);
            return;
        }
        BitSet lost = gone(configuration, configuration.leaving());
        BitSet apart = apart(configuration, lost);
        if (apart.get(control.node())) { // another node is to lead, and to take this one out
            state.beginAnew("other members do not reach it on the network that carries transactions");
            return;
        }
        lost.or(apart);
        BitSet survivors = configuration.members();
        survivors.andNot(lost);
        if (survivors.isEmpty() || survivors.stream().anyMatch(node -> incarnation(node) == DOWN)) {
            return; // no node is left, or a disconnected one may soon be lost
        }
        Optional<String> lack = lack(configuration, survivors, lost);
        if (lack.isPresent()) {
            standstill.because(lost, lack.get(), isOnDisk());
            goOnWithLost(configuration, lost);
        } else if (!lost.isEmpty()) {
            standstill.isOver();
            takeOut(term, configuration, survivors, lost);
        } else {
            standstill.isOver();
            int joiner = joiner(configuration);
            if (joiner >= 0 || configuration.changing() || sweepAskedFor >= configuration.epoch()) {
                takeIn(term, configuration, survivors, joiner);
            }
        }
    }

    // ---- connected nodes ------------------------------------------------------------------------------------------

    synchronized long incarnation(int node) {
        return incarnations[node];
    }

    private boolean hasAnyMember(Configuration configuration) {
        return IntStream.range(0, control.nodes()).anyMatch(node -> configuration.isMember(node, incarnation(node)))
                || (configuration.hasFormed() && founders(configuration).anyMatch(node -> incarnation(node) == DOWN));
    }

    /** The nodes that form the cluster when no member is left: all nodes or, where the data is on disks, the last members, which have the newest. */
    private IntStream founders(Configuration configuration) {
        return isOnDisk() && configuration.hasFormed()
                ? configuration.members().stream()
                : IntStream.range(0, control.nodes());
    }

    private boolean isOnDisk() {
        return config.durability() != null;
    }

    // ---- data that only lost members have -------------------------------------------------------------------------

    /** What the members that are left lack in order to go on without the lost ones; empty if they lack nothing. */
    private Optional<String> lack(Configuration configuration, BitSet survivors, BitSet lost) {
        if (isOnDisk() && !isBackedUp(configuration, survivors, lost)) {
            return Optional.of("some partition has no backup left");
        }
        return hasCopiesLeft(configuration, lost)
                ? Optional.empty()
                : Optional.of("too few copies of a partition are left");
    }

    /**
     * Whether each partition that has lost a copy has a backup left. If a coordinator is lost, a primary may have only a part of what was
     * acknowledged; the lost backups' disks have all of it.
     */
    private static boolean isBackedUp(Configuration configuration, BitSet survivors, BitSet lost) {
        return configuration.holders().stream()
                .allMatch(holders -> holders.stream().noneMatch(lost::get)
                        || holders.stream().skip(1).anyMatch(survivors::get));
    }

    /**
     * Does nothing until all lost members are connected again. Then notifies each member that is still in its member incarnation to begin
     * another one, even if that member was to be taken out: then all members go on from their disks. Where data is in memory, processes that
     * were started anew do not have it.
     */
    private void goOnWithLost(Configuration configuration, BitSet lost)
            throws InterruptedException, ExecutionException, TimeoutException {
        if (!isOnDisk()) {
            BitSet emptied = startedAnew(configuration, lost);
            if (!hasCopiesLeft(configuration, emptied)) {
                standstill.isForGood(emptied);
            }
            return;
        }
        if (lost.stream().anyMatch(node -> incarnation(node) == DOWN || state.isLeaving(node, incarnation(node)))) {
            return;
        }
        List<Integer> left = configuration.members().stream()
                .filter(node -> configuration.isMember(node, incarnation(node)))
                .boxed()
                .toList();
        for (int node : left) {
            readiness.tellAnew(node, configuration.incarnations().get(node)).get(ANSWER_SECONDS, TimeUnit.SECONDS);
        }
    }

    /**
     * The members that the cluster goes on without.
     *
     * @param leaving the members that were already to be taken out
     */
    private BitSet lost(Configuration configuration, BitSet leaving) {
        BitSet lost = gone(configuration, leaving);
        BitSet apart = apart(configuration, lost);
        if (!apart.get(control.node())) {
            lost.or(apart);
        }
        return lost;
    }

    /** The members to leave out so that those that are left reach each other; none if too few nodes or copies would be left. */
    private BitSet apart(Configuration configuration, BitSet lost) {
        BitSet left = configuration.members();
        left.andNot(lost);
        BitSet apart = links.without(reached(left));
        if (apart.isEmpty()) {
            return apart;
        }
        BitSet all = (BitSet) apart.clone();
        all.or(lost);
        return goesOnWithout(configuration, all) ? apart : new BitSet();
    }

    private synchronized BitSet reached(BitSet nodes) {
        BitSet reached = new BitSet();
        nodes.stream().filter(node -> incarnations[node] != DOWN).forEach(reached::set);
        return reached;
    }

    /** Whether the members that are left have leases, which only a majority of the nodes grants, and all data. */
    private boolean goesOnWithout(Configuration configuration, BitSet lost) {
        BitSet survivors = configuration.members();
        survivors.andNot(lost);
        return survivors.cardinality() > control.nodes() / 2
                && lack(configuration, survivors, lost).isEmpty();
    }

    /** The lost members that are connected in other incarnations, whose memory is empty. */
    private synchronized BitSet startedAnew(Configuration configuration, BitSet lost) {
        BitSet anew = new BitSet();
        lost.stream()
                .filter(node -> incarnations[node] != DOWN && !configuration.isMember(node, incarnations[node]))
                .forEach(anew::set);
        return anew;
    }

    private boolean hasCopiesLeft(Configuration configuration, BitSet lost) {
        return configuration.holders().stream().allMatch(holders -> replication.survives(holders, lost));
    }

    /** The members that are lost, and those that were already to be taken out. */
    private synchronized BitSet gone(Configuration configuration, BitSet leaving) {
        long now = System.nanoTime();
        BitSet lost = (BitSet) leaving.clone();
        for (int node = 0; node < control.nodes(); node++) {
            if (configuration.isMember(node) && isLost(configuration, node, now)) {
                lost.set(node);
            }
        }
        return lost;
    }

    private boolean isLost(Configuration configuration, int node, long now) {
        if (state.isLeaving(node, configuration.incarnations().get(node))) {
            leavingSinceNanos[node] = leavingSinceNanos[node] == 0 ? now : leavingSinceNanos[node];
            return now - leavingSinceNanos[node] > LEAVE_NANOS;
        }
        leavingSinceNanos[node] = 0; // if the node left before, that was another incarnation
        if (incarnations[node] == DOWN) {
            return now - downSinceNanos[node] > options.grace().toNanos();
        }
        return !configuration.isMember(node, incarnations[node]);
    }

    private int joiner(Configuration configuration) {
        for (int node = 0; node < control.nodes(); node++) {
            if (!configuration.isMember(node)
                    && incarnation(node) != DOWN
                    && !givenUp.isNow(node, incarnation(node))
                    && mayJoin(configuration, node)) {
                return node;
            }
        }
        return -1;
    }

    private boolean mayJoin(Configuration configuration, int node) {
        Placement placement = configuration.placement(config.home());
        for (int partition = 0; partition < placement.partitions(); partition++) {
            if (placement.primary(partition) == node) {
                if (!saidOrphaned) {
                    LOG.error(
                            "event=rejoin_refused node={} partition={}: the node had the last copy of the partition, and has lost it",
                            node,
                            partition);
                    saidOrphaned = true;
                }
                return false;
            }
        }
        long incarnation = incarnation(node);
        Optional<Readiness.Answer> answer = candidates.answer(node, incarnation);
        if (answer.isEmpty()) {
            return false;
        }
        boolean isNewcomer = answer.get().isNewcomer();
        if (answer.get().isReady() && !isNewcomer) { // it has recovered its disk, and the members went on meanwhile
            CompletableFuture<Void> _ = readiness.tellAnew(node, incarnation);
        }
        return isNewcomer && !answer.get().missing().intersects(configuration.members());
    }

    // ---- changes ---------------------------------------------------------------------------------------------------

    /**
     * Forms the cluster when all founders are connected, none in the incarnation of a member, and all are ready. Every node then has the
     * data that was loaded or, where the data is on disks, all members have recovered it. Other nodes come back later, with fresh copies.
     */
    private void form(Configuration configuration) throws InterruptedException, ExecutionException, TimeoutException {
        int[] founders = founders(configuration).toArray();
        Long[] now = new Long[control.nodes()];
        Arrays.fill(now, Configuration.NO_MEMBER);
        for (int node : founders) {
            now[node] = incarnation(node);
        }
        if (IntStream.of(founders).anyMatch(node -> now[node] == DOWN)) {
            return;
        }
        boolean allCan = true;
        for (int node : founders) { // asks all: each node that must restart waits for the other nodes to do so
            Readiness.Answer answer = readiness.ask(node).get(ANSWER_SECONDS, TimeUnit.SECONDS);
            if (isOnDisk() && answer.isNewcomer()) { // when it started, a member was left to copy from
                readiness.tellAnew(node, now[node]).get(ANSWER_SECONDS, TimeUnit.SECONDS);
            }
            allCan &= isOnDisk() ? answer.has(configuration.epoch()) : answer.isReady();
        }
        if (!allCan) {
            return;
        }
        Placement placement = isOnDisk() ? configuration.placement(config.home()) : config.home();
        agree(Configuration.of(configuration.epoch() + 1, List.of(now), placement));
    }

    private void takeOut(long term, Configuration configuration, BitSet survivors, BitSet lost)
            throws InterruptedException, ExecutionException, TimeoutException {
        long begun = System.nanoTime();
        begin(configuration, lost);
        LOG.warn(
                "event=nodes_lost nodes={} reached={} epoch={}: the cluster changes to a configuration without them",
                lost,
                reached(lost),
                configuration.epoch() + 1);
        List<Long> incarnations = new ArrayList<>(configuration.incarnations());
        lost.stream().forEach(node -> incarnations.set(node, Configuration.NO_MEMBER));
        ConfigurationChange change =
                ConfigurationChange.without(lost, configuration.placement(config.home()), configuration.epoch() + 1);
        boolean done = run(reconfiguration(term, change, incarnations, survivors), configuration, lost, term);
        if (done) {
            LOG.warn(
                    "event=nodes_expelled epoch={} nodes={} ms={}",
                    configuration.epoch() + 1,
                    lost,
                    TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun));
        }
    }

    private void takeIn(long term, Configuration configuration, BitSet members, int joiner)
            throws InterruptedException, ExecutionException, TimeoutException {
        long begun = System.nanoTime();
        begin(configuration, new BitSet());
        List<Long> incarnations = new ArrayList<>(configuration.incarnations());
        Placement before = configuration.placement(config.home());
        long next = configuration.epoch() + 1;
        long incarnation = joiner < 0 ? DOWN : incarnation(joiner);
        if (incarnation == DOWN) { // the joiner is gone, or a former leader began this, or only locks are to be freed
            ConfigurationChange change = ConfigurationChange.without(new BitSet(), before, next);
            boolean _ = run(reconfiguration(term, change, incarnations, members), configuration, new BitSet(), term);
            return;
        }
        ConfigurationChange change = ConfigurationChange.with(joiner, incarnation, members, before, next);
        incarnations.set(joiner, incarnation);
        BitSet participants = (BitSet) members.clone();
        participants.set(joiner);
        Reconfiguration joining = reconfiguration(term, change, incarnations, participants);
        boolean done = run(joining, configuration, new BitSet(), term);
        long ms = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
        if (done) {
            givenUp.forget(joiner);
            LOG.warn("event=node_rejoined node={} epoch={} frozen_ms={}", joiner, configuration.epoch() + 1, ms);
        } else if (isUnreached(joining)) {
            LOG.error(
                    "event=rejoin_given_up node={} frozen_ms={} again_s={} {}: these nodes do not reach the node on the network that carries transactions; they go on without it",
                    joiner,
                    ms,
                    givenUp.add(joiner, incarnation).toSeconds(),
                    joining.waitsFor());
        }
    }

    /** Whether members have not reached the joiner for too long. */
    private boolean isUnreached(Reconfiguration joining) {
        ConfigurationChange change = joining.change();
        Duration patience = givenUp.patience(change.joiner(), change.joinerIncarnation(), options.reach());
        return joining.hasWaitedFor(RecoveryStep.WELCOME, patience);
    }

    private Reconfiguration reconfiguration(
            long term, ConfigurationChange change, List<Long> incarnations, BitSet nodes) {
        round++;
        Map<Integer, RemoteRecovery> participants = new HashMap<>();
        nodes.stream()
                .forEach(node -> participants.put(
                        node,
                        new RemoteRecovery(
                                control,
                                node,
                                incarnations.get(node),
                                term,
                                round,
                                change.configEpoch(),
                                change.before())));
        return new Reconfiguration(replication, participants, change, () -> end(change, incarnations));
    }

    private void begin(Configuration configuration, BitSet leaving)
            throws InterruptedException, ExecutionException, TimeoutException {
        candidates.forget();
        if (!configuration.changing() || !configuration.leaving().equals(leaving)) {
            boolean _ = membership.begin(configuration, leaving).get(ANSWER_SECONDS, TimeUnit.SECONDS);
        }
    }

    private CompletableFuture<Void> end(ConfigurationChange change, List<Long> incarnations) {
        return membership
                .propose(Configuration.of(
                        change.configEpoch(), Collections.unmodifiableList(incarnations), change.after()))
                .thenAccept(taken -> {
                    if (!taken) {
                        throw new IllegalStateException("another leader's configuration was agreed on first");
                    }
                });
    }

    private void agree(Configuration next) throws InterruptedException, ExecutionException, TimeoutException {
        boolean _ = membership.propose(next).get(ANSWER_SECONDS, TimeUnit.SECONDS);
    }

    /**
     * Waits for the end of a change. Stops waiting when another node is lost meanwhile, when the members do not reach the joiner, or when
     * another node leads.
     *
     * @return false if it stopped waiting
     */
    private boolean run(Reconfiguration change, Configuration configuration, BitSet lost, long term)
            throws InterruptedException, ExecutionException {
        CompletableFuture<Void> end = change.run();
        long begun = System.nanoTime();
        long said = begun;
        while (true) {
            try {
                end.get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
                return true;
            } catch (TimeoutException e) {
                BitSet now = lost(configuration, lost);
                now.andNot(lost);
                OptionalLong leads = membership.leads();
                boolean over =
                        !now.isEmpty() || isUnreached(change) || leads.isEmpty() || leads.getAsLong() != term || closed;
                if (over && change.abandon()) {
                    if (!now.isEmpty()) {
                        LOG.info(
                                "event=reconfiguration_restarted epoch={} lost={}: these nodes were lost during the change",
                                configuration.epoch() + 1,
                                now);
                    }
                    return false;
                }
                long lookedAt = System.nanoTime();
                if (lookedAt - said > SLOW_NANOS) {
                    said = lookedAt;
                    LOG.warn(
                            "event=reconfiguration_slow epoch={} {} ms={}: transactions wait until these nodes have taken the step",
                            configuration.epoch() + 1,
                            change.waitsFor(),
                            TimeUnit.NANOSECONDS.toMillis(lookedAt - begun));
                }
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
