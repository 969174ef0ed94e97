package dev.rcc.server.recovery;

import dev.rcc.core.cluster.Placement;
import dev.rcc.core.txn.Lease;
import dev.rcc.server.config.ClusterConfig;
import dev.rcc.server.durability.DataConfiguration;
import dev.rcc.server.membership.Configuration;
import dev.rcc.server.membership.Membership;
import dev.rcc.server.membership.MembershipOptions;
import dev.rcc.server.node.Node;
import dev.rcc.transport.control.Control;
import dev.rcc.transport.control.ControlFailure;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.BitSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node's part in a cluster that replaces its dead: takes its place in configurations that the nodes agree on, carries out what
 * leaders order on the way from one to the next, and serves only while it knows that nobody can have taken its place.
 *
 * <p>For that it asks the others again and again for a lease. Who is asked grants it unless the node is being taken out. A node that
 * has heard a majority of all nodes, itself included, may serve for so long from when it asked. Whoever has frozen to take a node
 * out waits until the last lease that it granted that node is over; and of the nodes that take part in that, and have granted before,
 * there is one in every majority.
 *
 * <p>One thread does what can wait, and asks for leases; orders run on the control channel's threads.
 */
public final class NodeMembership implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(NodeMembership.class);
    private static final String LEASE_TOPIC = "lease";
    private static final String READY_TOPIC = "ready";
    private static final String LEAVE_TOPIC = "leave";
    private static final String SWEEP_TOPIC = "sweep";
    private static final long SWEEP_AGAIN_MILLIS = 1_000;
    private static final String ANEW_TOPIC = "anew";
    private static final byte[] YES = {1};
    private static final byte[] NO = {0};
    private static final byte[] DONE = {};
    /** In place of the number of a configuration. */
    private static final long NOTHING = -1;

    private static final int ASKS_A_LEASE = 5;
    private static final long LOOK_MILLIS = 10;

    private final Control control;
    private final MembershipOptions options;
    private final Placement home;
    private final Node node;
    private final NodeRecovery recovery;
    private final Lease lease;
    private final Membership membership;
    private final ClusterLeader leader;
    private final Runnable whenExpelled;
    private final ScheduledExecutorService thread;
    /** By peer: when the last lease that was granted to it is over. */
    private final long[] granted;

    /** By peer: the last of its lives that gives its place up; 0 if none has. Another life of it stays. */
    private final long[] leaving;

    private final BitSet refused = new BitSet();
    private final RecoveryRounds rounds;
    /** The last configuration that this node has gone into, or has heard of as no member. */
    private long heard;

    /** The last configuration in which this node has asked for a sweep; used by {@link #thread} alone. */
    private long sweepAskedFor = -1;

    private volatile byte[] report = {};
    private volatile boolean ready;
    private volatile long recovered = NOTHING;
    private volatile boolean expelled;
    private volatile long memberSince;

    /**
     * The part of the control's node; the control has not been started.
     *
     * @param cluster tells this cluster from other ones that the nodes were of, or will be
     * @param whenExpelled called once when the others have gone on without this life of the node, away from their threads
     */
    public NodeMembership(
            Control control,
            String cluster,
            ClusterConfig config,
            MembershipOptions options,
            Node node,
            Lease lease,
            Runnable whenExpelled) {
        this.control = control;
        this.options = options;
        this.node = node;
        this.recovery = new NodeRecovery(node, config.protocol());
        this.lease = lease;
        this.whenExpelled = whenExpelled;
        this.rounds = new RecoveryRounds(control.node());
        this.granted = new long[control.nodes()];
        this.leaving = new long[control.nodes()];
        long now = System.nanoTime();
        Arrays.fill(granted, now);
        this.thread = Executors.newSingleThreadScheduledExecutor(Thread.ofPlatform()
                .daemon()
                .name("rcc-node" + control.node() + "-lease")
                .factory());
        this.home = config.home();
        this.membership = new Membership(control, cluster, home, options.directory(), this::agreed);
        this.leader = new ClusterLeader(control, membership, options, config, this);
        control.listen(leader);
        control.serveLater(RemoteRecovery.TOPIC, (peer, question) -> carryOut(RecoveryOrder.of(question, home)));
        control.serve(LEASE_TOPIC, this::grant);
        control.serve(READY_TOPIC, (peer, question) -> readiness());
        control.serve(LEAVE_TOPIC, this::hearLeave);
        control.serve(SWEEP_TOPIC, this::hearSweep);
        node.sweeper(this::askForSweepLater);
        control.serve(ANEW_TOPIC, this::hearAnew);
    }

    /** Begins to take part; the control has been started. */
    public void start() {
        membership.start();
        leader.start();
        long every = options.lease().toNanos() / ASKS_A_LEASE;
        ScheduledFuture<?> _ = thread.scheduleAtFixedRate(this::askForLease, 0, every, TimeUnit.NANOSECONDS);
    }

    /** The node's workers run: it can be taken into a configuration. */
    public void ready() {
        ready = true;
    }

    /** As {@link #ready}: the node has what its disk had of a configuration, together with all who were members of that. */
    void ready(long configEpoch) {
        recovered = configEpoch;
        ready = true;
    }

    /**
     * Whether the node can be taken into a configuration: not in a life that was in one before, even if it has not heard yet that the
     * others have gone on without it.
     */
    private boolean isReady() {
        return ready && memberSince == 0 && !leaves();
    }

    private byte[] readiness() {
        return ByteBuffer.allocate(1 + Long.BYTES)
                .put(isReady() ? YES : NO)
                .putLong(recovered)
                .array();
    }

    /**
     * What a node can be taken into a configuration with.
     *
     * @param isReady whether it can be
     * @param recovered the configuration that its disk was of; negative if it has nothing
     */
    record Readiness(boolean isReady, long recovered) {
        /** Whether the node can be given copies. */
        boolean isStranger() {
            return isReady && recovered < 0;
        }

        /** Whether it has recovered its data of a configuration. */
        boolean has(long configEpoch) {
            return isReady && recovered == configEpoch;
        }
    }

    /** Asks whether a node can be taken into a configuration. */
    CompletableFuture<Readiness> asksReady(int peer) {
        return control.ask(peer, READY_TOPIC, DONE)
                .thenApply(answer -> new Readiness(
                        answer[0] == YES[0], ByteBuffer.wrap(answer).getLong(1)));
    }

    /** Tells a node to begin another life, if it is in the one that it was told of when this was decided. */
    CompletableFuture<Void> tellAnew(int peer, long life) {
        byte[] question = ByteBuffer.allocate(Long.BYTES).putLong(life).array();
        return control.ask(peer, ANEW_TOPIC, question).thenAccept(answer -> {});
    }

    private byte[] hearAnew(int peer, byte[] question) {
        if (ByteBuffer.wrap(question).getLong() == control.incarnation()) {
            beginAnew("as the cluster can only go on from the disks of all its members");
        }
        return DONE;
    }

    /** Ends this life of the node, so that another one begins. */
    void beginAnew(String why) {
        synchronized (this) {
            if (expelled || leaves()) {
                return;
            }
            expelled = true;
            lease.prolong(System.nanoTime() - 1);
        }
        LOG.warn("event=node_restarting node={}: {}", control.node(), why);
        Thread.startVirtualThread(whenExpelled);
    }

    /** The life that a node is in, 0 if it is not there. */
    long life(int peer) {
        return leader.life(peer);
    }

    /** What was agreed on last, as a peer knows that leads. */
    CompletableFuture<Configuration> last(int peer) {
        return membership.last(peer);
    }

    /** What the nodes have agreed on last, as far as this one knows. */
    public Configuration configuration() {
        return membership.configuration();
    }

    /** Whether this life of the node is a member, or was and does not know better. */
    boolean isMember() {
        return memberSince > 0 && !expelled;
    }

    /** Whether the cluster has formed without this life of the node. */
    public boolean isOutside() {
        Configuration configuration = configuration();
        return configuration.hasFormed() && !configuration.isMember(control.node(), control.incarnation());
    }

    /** Whether the node may serve. */
    public boolean holdsLease() {
        return lease.holds(System.nanoTime());
    }

    /** Whether a node has said, in that life, that it gives its place up. */
    synchronized boolean isLeaving(int peer, long life) {
        return life != 0 && leaving[peer] == life;
    }

    private boolean leaves() {
        return isLeaving(control.node(), control.incarnation());
    }

    // ---- configurations --------------------------------------------------------------------------------------------

    /** On a thread of the group. */
    private void agreed(Configuration configuration) {
        if (configuration.changing()) {
            return;
        }
        if (!configuration.isMember(control.node(), control.incarnation())) {
            if (node.durability() != null) {
                node.durability().withdraw(configuration.epoch()); // a change that was to take it in has been given up
            }
            goneOn(configuration);
        } else if (keeps(configuration)) {
            LOG.info(
                    "event=configuration node={} epoch={} members={} holders={}",
                    control.node(),
                    configuration.epoch(),
                    configuration.members(),
                    configuration.holders());
            goInto(configuration);
        }
    }

    private synchronized void goneOn(Configuration configuration) {
        refused.clear();
        heard = configuration.epoch();
        if (memberSince > 0 && !expelled) {
            expelled = true;
            lease.prolong(System.nanoTime() - 1);
            if (!leaves()) {
                LOG.warn(
                        "event=node_expelled node={} epoch={}: the other nodes go on without this one; it serves again when it has rejoined with fresh copies",
                        control.node(),
                        configuration.epoch());
                Thread.startVirtualThread(whenExpelled);
            }
        }
    }

    private synchronized void goInto(Configuration configuration) {
        refused.clear();
        memberSince = memberSince == 0 ? configuration.epoch() : memberSince;
        if (node.durability() != null) {
            node.durability().thaw();
        }
        BitSet absent = new BitSet();
        absent.set(0, control.nodes());
        absent.andNot(configuration.members());
        letInOnly(configuration);
        CompletableFuture<Void> _ = recovery.resume(configuration.epoch(), absent);
        heard = configuration.epoch(); // now the next change may begin
    }

    /**
     * From now on, what is sent to a member reaches the life that is a member, or nobody: another life of it has other rings, and must not
     * get the entries of this configuration before it is a part of one.
     */
    private void letInOnly(Configuration configuration) {
        configuration.members().stream()
                .filter(peer -> peer != control.node())
                .forEach(peer -> node.admit(peer, configuration.lives().get(peer)));
    }

    /** Whether the node has on its disk, where it has to, what it keeps in a configuration. */
    private boolean keeps(Configuration configuration) {
        if (node.durability() == null) {
            return true;
        }
        try {
            Placement placement = configuration.placement(home);
            node.durability().agree(new DataConfiguration(configuration.epoch(), placement));
            return true;
        } catch (RuntimeException e) {
            node.durability().giveUp(e);
            return false;
        }
    }

    // ---- orders ----------------------------------------------------------------------------------------------------

    /** What begins the next change waits for the end of the last: those who have gone on may need this node to end what they have begun. */
    private CompletableFuture<byte[]> carryOut(RecoveryOrder order) {
        if (order.step() != RecoveryOrder.Step.FREEZE || hasHeardOf(order.configEpoch() - 1)) {
            return carryOutNow(order);
        }
        return later(() -> {
            await(() -> hasHeardOf(order.configEpoch() - 1));
            return carryOutNow(order);
        });
    }

    private synchronized boolean hasHeardOf(long configEpoch) {
        return heard >= configEpoch;
    }

    /**
     * Which of the absent nodes to cut off: all, but for those that wait to join as this node does. On a network that cuts off by
     * killing, two newcomers of a cluster would end each other, even the one that leads. No incarnation that was a member is spared: those
     * that have gone on without it have cut it off.
     */
    private BitSet cutOff(BitSet absent) {
        BitSet cutOff = (BitSet) absent.clone();
        if (isOutside()) {
            cutOff.and(configuration().members());
        }
        return cutOff;
    }

    private CompletableFuture<byte[]> carryOutNow(RecoveryOrder order) {
        synchronized (this) {
            if (order.life() != control.incarnation()) {
                throw new ControlFailure("node " + control.node() + " is in another life than the one that was to go to"
                        + " configuration " + order.configEpoch());
            }
            if (order.configEpoch() <= configuration().epoch() || expelled) {
                throw new ControlFailure("node " + control.node() + " is past configuration " + order.configEpoch());
            }
            rounds.accept(order);
            if (order.step() == RecoveryOrder.Step.FREEZE) {
                refused.or(order.nodes());
            }
        }
        return switch (order.step()) {
            case FREEZE ->
                done(later(order, () -> recovery.freeze(order.nodes(), cutOff(order.nodes()), order.before()))
                        .thenCompose(frozen -> untilLeasesAreOver(order.nodes())));
            case SETTLE -> done(later(order, () -> recovery.settle(order.nodes())));
            case REPORT ->
                later(order, () -> recovery.report(order.nodes())).thenApply(reported -> {
                    rounds.check(order); // or the next round would tell a part of this one's
                    report = RecoveryOrder.toBytes(reported);
                    return chunk(0);
                });
            case REPORT_MORE -> CompletableFuture.completedFuture(chunk((int) order.number()));
            case REPLAY ->
                later(order, () -> recovery.replay(order.committed()))
                        .whenComplete((bound, failure) -> startOverIfDamaged(failure))
                        .thenApply(bound ->
                                ByteBuffer.allocate(Long.BYTES).putLong(bound).array());
            case WELCOME ->
                done(later(order, () -> recovery.welcome(order.node(), order.number()))
                        .thenRunAsync(() -> awaitPeers(peer -> peer == order.node()), Thread::startVirtualThread));
            case COPY ->
                done(later(() -> {
                    awaitPeers(peer -> holdsAny(order.before(), peer));
                    return rounds.begin(order, () -> recovery.copy(order.before(), order.after(), order.number()));
                }));
            case INSTALL ->
                done(later(
                        order, () -> recovery.install(order.before(), order.after(), order.number(), order.nodes())));
            case SAVE -> done(later(order, () -> recovery.save(order.configEpoch(), order.after(), order.number())));
        };
    }

    /** A node that is to join, and has nothing that anybody needs, must not keep all others from going on. */
    private void startOverIfDamaged(Throwable failure) {
        boolean isDamaged =
                failure instanceof DamagedLog || (failure != null && failure.getCause() instanceof DamagedLog);
        if (isDamaged && memberSince == 0) {
            beginAnew("as its log rings are damaged, before it was a member");
        }
    }

    /** What cuts peers off waits, and must not hold the control channel up. */
    private static <T> CompletableFuture<T> later(Supplier<CompletableFuture<T>> step) {
        return CompletableFuture.completedFuture(step).thenComposeAsync(Supplier::get, Thread::startVirtualThread);
    }

    /** As {@link #later}, unless another round has begun by then. */
    private <T> CompletableFuture<T> later(RecoveryOrder order, Supplier<CompletableFuture<T>> step) {
        return later(() -> rounds.begin(order, step));
    }

    private static CompletableFuture<byte[]> done(CompletableFuture<Void> step) {
        return step.thenApply(nothing -> DONE);
    }

    private byte[] chunk(int from) {
        byte[] whole = report;
        return Arrays.copyOfRange(whole, from, Math.min(whole.length, from + RemoteRecovery.CHUNK_BYTES));
    }

    private CompletableFuture<Void> untilLeasesAreOver(BitSet nodes) {
        long nanos = 0;
        synchronized (this) {
            for (int peer = nodes.nextSetBit(0); peer >= 0; peer = nodes.nextSetBit(peer + 1)) {
                nanos = Math.max(nanos, granted[peer] - System.nanoTime());
            }
        }
        return nanos == 0
                ? CompletableFuture.completedFuture(null)
                : CompletableFuture.runAsync(() -> {}, CompletableFuture.delayedExecutor(nanos, TimeUnit.NANOSECONDS));
    }

    /** They have let this node in, or this node them; the network may need a moment for that. */
    private void awaitPeers(IntPredicate which) {
        await(() -> IntStream.range(0, control.nodes())
                .filter(which)
                .allMatch(peer -> !control.isUp(peer) || node.isReachable(peer)));
    }

    /** Waits as long as this life of the node goes on. */
    private void await(BooleanSupplier condition) {
        while (!expelled && control.isUp(control.node()) && !condition.getAsBoolean()) {
            try {
                TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new ControlFailure("node " + control.node() + " ends");
            }
        }
    }

    private static boolean holdsAny(Placement placement, int node) {
        return IntStream.range(0, placement.partitions()).anyMatch(partition -> placement.holds(node, partition));
    }

    // ---- leases ----------------------------------------------------------------------------------------------------

    private byte[] grant(int peer, byte[] question) {
        ByteBuffer asks = ByteBuffer.wrap(question);
        long life = asks.getLong();
        long epoch = asks.getLong();
        Configuration configuration = configuration();
        synchronized (this) {
            boolean bothMembers = epoch == configuration.epoch()
                    && configuration.isMember(peer, life)
                    && configuration.isMember(control.node(), control.incarnation());
            if (!bothMembers || refused.get(peer) || isLeaving(peer, life)) {
                return NO;
            }
            granted[peer] = System.nanoTime() + options.lease().toNanos();
            return YES;
        }
    }

    private void askForLease() {
        if (!isMember() || leaves()) {
            return;
        }
        long asked = System.nanoTime();
        long end = asked + options.lease().toNanos();
        int majority = control.nodes() / 2 + 1;
        AtomicInteger grants = new AtomicInteger(1);
        if (majority == 1) {
            lease.prolong(end);
            return;
        }
        byte[] question = ByteBuffer.allocate(2 * Long.BYTES)
                .putLong(control.incarnation())
                .putLong(configuration().epoch())
                .array();
        for (int peer = 0; peer < control.nodes(); peer++) {
            if (peer != control.node() && control.isUp(peer)) {
                CompletableFuture<Void> _ = control.ask(peer, LEASE_TOPIC, question)
                        .thenAccept(answer -> {
                            if (answer[0] == YES[0] && grants.incrementAndGet() == majority) {
                                prolong(end);
                            }
                        });
            }
        }
    }

    private synchronized void prolong(long end) {
        if (isMember() && !leaves()) {
            lease.prolong(end);
        }
    }

    // ---- going on purpose ------------------------------------------------------------------------------------------

    private synchronized byte[] hearLeave(int peer, byte[] question) {
        long life = ByteBuffer.wrap(question).getLong();
        leaving[peer] = Math.max(leaving[peer], life);
        if (configuration().isMember(peer, life)) {
            granted[peer] = System.nanoTime(); // it has given its lease back
        }
        return DONE;
    }

    /** Gives the node's place up, once it has ended its transactions; waits a little for the others to go on without it. */
    public void leave(long patienceNanos) throws InterruptedException {
        if (!isMember()) {
            return;
        }
        synchronized (this) {
            leaving[control.node()] = control.incarnation();
            lease.prolong(System.nanoTime() - 1);
        }
        byte[] life =
                ByteBuffer.allocate(Long.BYTES).putLong(control.incarnation()).array();
        for (int peer = 0; peer < control.nodes(); peer++) {
            if (peer != control.node() && control.isUp(peer)) {
                CompletableFuture<byte[]> _ = control.ask(peer, LEAVE_TOPIC, life);
            }
        }
        long deadline = System.nanoTime() + patienceNanos;
        while (!expelled && othersStay() && System.nanoTime() - deadline < 0) {
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        }
    }

    /** Whether enough of the others stay to go on. */
    private boolean othersStay() {
        int staying = 0;
        for (int peer = 0; peer < control.nodes(); peer++) {
            staying += control.isUp(peer) && !isLeaving(peer, life(peer)) ? 1 : 0;
        }
        return staying >= control.nodes() / 2 + 1;
    }

    // ---- locks that were left behind
    // ----------------------------------------------------------------------------------

    /** Called on workers, which must not wait. */
    private void askForSweepLater() {
        try {
            thread.execute(this::askForSweep);
        } catch (RejectedExecutionException e) {
            LOG.debug("node {} leaves, and asks for nothing any more", control.node(), e);
        }
    }

    /** Asks all, whoever leads, until there is another configuration: while no transaction runs, locks are free to be freed. */
    private void askForSweep() {
        long epoch = configuration().epoch();
        if (epoch > sweepAskedFor && isMember()) {
            sweepAskedFor = epoch;
            askForSweep(epoch);
        }
    }

    private void askForSweep(long epoch) {
        if (configuration().epoch() > epoch) {
            return;
        }
        leader.sweep(epoch);
        byte[] question = ByteBuffer.allocate(Long.BYTES).putLong(epoch).array();
        for (int peer = 0; peer < control.nodes(); peer++) {
            if (peer != control.node() && control.isUp(peer)) {
                CompletableFuture<byte[]> _ = control.ask(peer, SWEEP_TOPIC, question);
            }
        }
        ScheduledFuture<?> _ = thread.schedule(() -> askForSweep(epoch), SWEEP_AGAIN_MILLIS, TimeUnit.MILLISECONDS);
    }

    private byte[] hearSweep(int peer, byte[] question) {
        leader.sweep(ByteBuffer.wrap(question).getLong());
        return DONE;
    }

    @Override
    public void close() {
        leader.close();
        thread.shutdownNow();
        membership.close();
    }
}
