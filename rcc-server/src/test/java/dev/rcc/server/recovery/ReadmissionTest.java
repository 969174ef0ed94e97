package dev.rcc.server.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.fabric.Atomicity;
import dev.rcc.core.fabric.Fabric;
import dev.rcc.core.option.Option;
import dev.rcc.core.option.OptionValues;
import dev.rcc.core.protocol.HybridCode;
import dev.rcc.core.protocol.Primitive;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Outcome;
import dev.rcc.core.txn.Procedure;
import dev.rcc.core.txn.Transaction;
import dev.rcc.protocols.Protocols;
import dev.rcc.server.NodeHost;
import dev.rcc.server.NodeServer;
import dev.rcc.server.config.ClusterConfig;
import dev.rcc.server.membership.Configuration;
import dev.rcc.server.membership.MembershipOptions;
import dev.rcc.server.raft.RaftOptions;
import dev.rcc.server.testing.FirstFailure;
import dev.rcc.server.testing.InnerFront;
import dev.rcc.server.testing.LoopbackPeers;
import dev.rcc.transport.control.Control;
import dev.rcc.transport.network.FabricProvider;
import dev.rcc.transport.tcp.TcpProvider;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The incarnations of a node that the other nodes let in. */
class ReadmissionTest {
    private static final Duration HANG = Duration.ofMinutes(2);
    private static final int NODES = 3;
    private static final int KEYS = NODES;
    private static final int NONE = -1;
    private static final int ALL = -2;
    /** The topic of the group that agrees on configurations. */
    private static final String GROUP = "raft";

    private static final String READY = "ready";
    /** More questions than one: if the first were answered yes, orders would follow before the next. */
    private static final int QUESTIONS = 3;

    private static final int INCREMENTS_APART = 200;

    private static final int DEATHS = Integer.getInteger("rcc.lives", 3);

    @TempDir
    private Path directory;

    private final LoopbackPeers peers = new LoopbackPeers(NODES);
    private final HeldControl[] controls = new HeldControl[NODES];
    private final NodeHost[] hosts = new NodeHost[NODES];
    private final AtomicReference<RuntimeException> failure = new AtomicReference<>();
    private int increments;
    /** Nodes that have lost each other, in any incarnation. */
    private volatile Set<Integer> apart = Set.of();

    private FabricProvider network = new TcpProvider();
    private Duration reach = HANG;

    @BeforeEach
    void startAll() {
        Protocol protocol = Protocols.byName("nowait");
        ClusterConfig config = ClusterConfig.of(protocol, List.of(TableSchema.ofLongKeys(0, "counters", 8, KEYS)))
                .withCode(HybridCode.uniform(protocol, Primitive.ONE_SIDED))
                .withShape(NODES, 1, 1, NODES)
                .withMemory(1 << 16, 1 << 16, 1 << 12)
                .withRecovery(Duration.ofSeconds(5));
        startAll(config);
    }

    private void startAll(ClusterConfig config) {
        for (int node = 0; node < NODES; node++) {
            start(node, config);
        }
    }

    @AfterEach
    void closeAll() {
        for (NodeHost host : hosts) {
            if (host != null) {
                host.close();
            }
        }
    }

    private void start(int node, ClusterConfig config) {
        MembershipOptions options = new MembershipOptions(
                directory.resolve("members-" + node), Duration.ofMillis(100), Duration.ofMillis(200), reach);
        NodeHost.Factory factory = (serving, birth) -> {
            HeldControl control = new HeldControl(peers.channel(node));
            if (apart.contains(node)) {
                apart.stream().filter(peer -> peer != node).forEach(control::cut);
            }
            controls[node] = control;
            return new NodeServer(serving, network, control, birth, Optional.of(options));
        };
        hosts[node] = new NodeHost(
                factory, config, TimeUnit.DAYS.toNanos(20_000), new InnerFront(_ -> {}), new FirstFailure(failure));
        hosts[node].serve();
    }

    private void await(String what, BooleanSupplier condition) throws InterruptedException {
        long deadline = System.nanoTime() + HANG.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(failure.get()).isNull();
            assertThat(System.nanoTime() - deadline)
                    .as("nanoseconds until " + what)
                    .isNegative();
            TimeUnit.MILLISECONDS.sleep(2);
        }
    }

    private boolean serve(int... nodes) {
        return IntStream.of(nodes)
                .allMatch(node -> hosts[node].node().map(NodeServer::isServing).orElse(false)
                        && configuration(node).members().cardinality() == nodes.length);
    }

    /** Waits until one of two nodes that cannot reach each other is out: which one depends on the leader, and the leader may have changed. */
    private int awaitOneOut(int hub, int one, int other) throws InterruptedException {
        await("the others serve", () -> serve(one, hub) || serve(other, hub));
        return serve(one, hub) ? other : one;
    }

    private Configuration configuration(int node) {
        return hosts[node].node().flatMap(NodeServer::configuration).orElseThrow();
    }

    /** The node that leads the group: only it sends messages again and again. */
    private int leader() throws InterruptedException {
        int[] before = IntStream.range(0, NODES)
                .map(node -> controls[node].asked(GROUP))
                .toArray();
        IntPredicate leads = node -> controls[node].asked(GROUP) >= before[node] + QUESTIONS;
        await("somebody leads", () -> IntStream.range(0, NODES).anyMatch(leads));
        return IntStream.range(0, NODES).filter(leads).findFirst().orElseThrow();
    }

    /** Counts each key up once, at a node. */
    private void increment(int node) {
        Counting counting = new Counting(increments == 0);
        AtomicReference<Outcome> outcome = new AtomicReference<>();
        NodeServer server = hosts[node].node().orElseThrow();
        server.spawn(0, 0, (runner, self) -> outcome.set(runner.run(counting)));
        assertThat(server.awaitClients(HANG)).isTrue();
        assertThat(outcome.get()).isEqualTo(Outcome.COMMITTED);
        increments++;
        assertThat(counting.counts).containsOnly(increments);
    }

    private static final class Counting implements Procedure {
        private final boolean isFirst;
        private final Access[] accesses = new Access[KEYS];
        private final long[] counts = new long[KEYS];

        Counting(boolean isFirst) {
            this.isFirst = isFirst;
        }

        @Override
        public void declare(Transaction txn) {
            for (int key = 0; key < KEYS; key++) {
                accesses[key] = isFirst
                        ? txn.insert(txn.catalog().table(0), key)
                        : txn.update(txn.catalog().table(0), key);
            }
        }

        @Override
        public void execute(Transaction txn) {
            for (int key = 0; key < KEYS; key++) {
                counts[key] = (isFirst ? 0 : accesses[key].getLong(0)) + 1;
                accesses[key].putLong(0, counts[key]);
            }
        }
    }

    // Goal: an incarnation that was a member once is not taken in again, even if it has not been notified yet
    // that it is out: its logs continue where the logs of the other nodes were begun anew.
    // Method: a node is cut off until the others serve without it. Then everything passes again but the
    // messages of the group, so that the node believes in the configuration that it was a member of, and
    // answers the leader.
    @Test
    void shouldNotReadmitAnIncarnationThatIsNotYetNotifiedOfItsRemoval() throws InterruptedException {
        await("all serve", () -> serve(0, 1, 2));
        IntStream.range(0, NODES).forEach(this::increment);
        Configuration before = configuration(2);
        HeldControl held = controls[2];
        for (int peer = 0; peer < 2; peer++) {
            controls[peer].cut(2);
            held.cut(peer);
        }
        await("the others serve", () -> serve(0, 1));
        increment(0);

        int questions = held.answered(READY);
        int orders = held.answered(RemoteRecovery.TOPIC);
        held.hold(GROUP);
        for (int peer = 0; peer < 2; peer++) {
            held.heal(peer);
            controls[peer].heal(2);
        }
        await(
                "whoever leads has asked whether the node is ready",
                () -> held.answered(READY) >= questions + QUESTIONS || held.answered(RemoteRecovery.TOPIC) > orders);
        assertThat(held.answered(RemoteRecovery.TOPIC))
                .as("steps that an incarnation was told to take, which has been a member")
                .isEqualTo(orders);
        assertThat(configuration(2)).isEqualTo(before);
        increment(1);

        held.letGo();
        await("all serve", () -> serve(0, 1, 2));
        assertThat(configuration(0).incarnations().get(2))
                .isGreaterThan(before.incarnations().get(2));
        IntStream.range(0, NODES).forEach(this::increment);
    }

    // Goal: a node outside that is silent does not keep the leader from other changes.
    // Method: the answers of a node that was started again do not arrive; a member asks for a change that frees locks.
    @Test
    void shouldMakeOtherChangesWhileANodeThatIsToJoinIsSilent() throws InterruptedException {
        await("all serve", () -> serve(0, 1, 2));
        ClusterConfig config = hosts[0].serving();
        int leader = leader();
        int joiner = (leader + 1) % NODES;
        hosts[joiner].close();
        int other = 3 - leader - joiner;
        await("the others serve", () -> serve(leader, other));
        for (int member : new int[] {leader, other}) { // whichever leads by now
            controls[member].delay(READY);
        }
        start(joiner, config);
        await("the joiner was asked", () -> controls[leader].delays() + controls[other].delays() > 0);
        long epoch = configuration(leader).epoch();
        byte[] question = ByteBuffer.allocate(Long.BYTES).putLong(epoch).array();
        for (int member : new int[] {leader, other}) {
            CompletableFuture<byte[]> _ = controls[leader].ask(member, "sweep", question);
        }
        await("there is another configuration", () -> configuration(leader).epoch() > epoch);
        assertThat(configuration(leader).isMember(joiner)).isFalse();
        for (int member : new int[] {leader, other}) {
            controls[member].letArrive();
        }
        await("all serve", () -> serve(0, 1, 2));
    }

    // Goal: nodes that have lost each other, and not the leader, do not keep all other nodes waiting: the
    // cluster goes on without one of them, and does not take it in before they reach each other again.
    // Method: of three nodes that hold copies of everything, every transaction needs all.
    @Test
    void shouldContinueWithoutOneOfTwoNodesThatCannotReachEachOther() throws InterruptedException {
        await("all serve", () -> serve(0, 1, 2));
        IntStream.range(0, NODES).forEach(this::increment);
        int leader = leader();
        int one = leader == 0 ? 1 : 0;
        int other = 3 - leader - one;
        HeldControl[] before = controls.clone();
        apart = Set.of(one, other);
        controls[one].cut(other);
        controls[other].cut(one);
        int out = awaitOneOut(leader, one, other);
        increment(leader);
        long epoch = configuration(leader).epoch();
        await("the one that is out has begun anew", () -> controls[out] != before[out]);
        await("it is ready", () -> hosts[out].node().map(NodeServer::canStart).orElse(false));
        for (int i = 0; i < INCREMENTS_APART; i++) {
            increment(leader);
        }
        assertThat(configuration(leader).epoch()).as("while they are apart").isEqualTo(epoch);
        apart = Set.of();
        controls[one].heal(other);
        controls[other].heal(one);
        await("all serve", () -> serve(0, 1, 2));
        IntStream.range(0, NODES).forEach(this::increment);
    }

    // Goal: the nodes go on without a node that leads the group of a partition, though one of them reaches it: the
    // other one lacks entries, so it cannot lead.
    @Test
    void shouldServeWithoutALeaderOfAGroupThatHasLostAnotherNode() throws InterruptedException {
        ClusterConfig config = hosts[0].serving().withRaft(new RaftOptions(directory.resolve("raft"), false));
        startAgain(config);
        increment(0);
        int leader = leader();
        int one = leader == 0 ? 1 : 0;
        int other = 3 - leader - one;
        AtomicBoolean over = new AtomicBoolean();
        NodeServer writer = hosts[leader].node().orElseThrow();
        AtomicInteger committed = new AtomicInteger();
        writer.spawn(0, 0, (runner, self) -> {
            while (!over.get()) {
                committed.addAndGet(runner.run(new Counting(false)) == Outcome.COMMITTED ? 1 : 0);
            }
        });
        apart = Set.of(one, other);
        controls[one].cut(other);
        controls[other].cut(one);
        int out = awaitOneOut(leader, one, other);
        over.set(true);
        assertThat(writer.awaitClients(HANG)).isTrue();
        increments += committed.get();
        increment(leader);
        increment(3 - leader - out);
    }

    // Goal: a node that the members do not reach, on the network that carries transactions, does not stop them for ever
    // when it is to join; it is taken in when it begins anew, and they reach it.
    @Test
    void shouldGoOnWithoutANodeThatTheMembersDoNotReach() throws InterruptedException {
        AtomicInteger hidden = startOnHidingNetwork();
        ClusterConfig config = hosts[0].serving();
        increment(2);
        hosts[2].close();
        await("the others serve", () -> serve(0, 1));
        hidden.set(2);
        long without = configuration(0).epoch();
        start(2, config);
        await("they have tried to take it in", () -> configuration(0).epoch() > without);
        await("the others serve again", () -> serve(0, 1));
        increment(0);
        increment(1);

        hosts[2].close();
        hidden.set(NONE);
        start(2, config);
        await("all serve", () -> serve(0, 1, 2));
        IntStream.range(0, NODES).forEach(this::increment);
    }

    // Goal: a leader whose NIC for transactions fails, while its control channel goes on, does not keep its place.
    @Test
    void shouldGoOnWithoutALeaderThatTheMembersReachNoMore() throws InterruptedException {
        AtomicInteger hidden = startOnHidingNetwork();
        IntStream.range(0, NODES).forEach(this::increment);
        int leader = leader();
        int[] others = IntStream.range(0, NODES).filter(node -> node != leader).toArray();
        hidden.set(leader);
        await("the others serve", () -> serve(others));
        IntStream.of(others).forEach(this::increment);
    }

    // Goal: when the whole network that carries transactions fails, no node loses its place: what would be left is no
    // majority, and could not serve. The nodes go on when the network is there again.
    @Test
    void shouldKeepAllMembersWhenNoneReachesAnother() throws InterruptedException {
        AtomicInteger hidden = startOnHidingNetwork();
        long epoch = configuration(0).epoch();
        hidden.set(ALL);
        TimeUnit.SECONDS.sleep(4); // longer than it takes to leave out a node
        hidden.set(NONE);
        assertThat(configuration(0).epoch()).isEqualTo(epoch);
        assertThat(serve(0, 1, 2)).isTrue();
        IntStream.range(0, NODES).forEach(this::increment);
    }

    /** Starts the nodes again, on a network that gives up soon on a node that joins; returns the node that no other node reaches on it. */
    private AtomicInteger startOnHidingNetwork() throws InterruptedException {
        AtomicInteger hidden = new AtomicInteger(NONE);
        network = new HidingNetwork(network, hidden);
        reach = Duration.ofSeconds(1);
        startAgain(hosts[0].serving());
        return hidden;
    }

    /** Closes all nodes, and starts them with a configuration. */
    private void startAgain(ClusterConfig config) throws InterruptedException {
        closeAll();
        startAll(config);
        await("all serve", () -> serve(0, 1, 2));
    }

    /** A network whose nodes believe that they do not reach one node, which believes that it reaches no other one. */
    private record HidingNetwork(FabricProvider inner, AtomicInteger hidden) implements FabricProvider {
        @Override
        public String name() {
            return inner.name();
        }

        @Override
        public List<Option> options() {
            return inner.options();
        }

        @Override
        public FabricProvider with(OptionValues values) {
            return new HidingNetwork(inner.with(values), hidden);
        }

        @Override
        public Atomicity atomicity() {
            return inner.atomicity();
        }

        @Override
        public Fabric attach(Control control) {
            Fabric fabric = inner.attach(control);
            return (Fabric) Proxy.newProxyInstance(
                    Fabric.class.getClassLoader(), new Class<?>[] {Fabric.class}, (proxy, method, args) -> {
                        boolean isHidden = method.getName().equals("isReachable")
                                && !args[0].equals(control.node())
                                && (args[0].equals(hidden.get())
                                        || control.node() == hidden.get()
                                        || hidden.get() == ALL);
                        return isHidden ? false : method.invoke(fabric, args);
                    });
        }
    }

    // Goal: a node that was stopped on purpose and started again is a member like any other: it gave up only
    // the place of its earlier incarnation.
    @Test
    void shouldLetANodeServeThatHasRejoinedAfterItLeft() throws InterruptedException {
        await("all serve", () -> serve(0, 1, 2));
        increment(2);
        assertThat(hosts[2].drain(HANG)).isTrue();
        await("the others serve", () -> serve(0, 1));
        increment(0);
        long without = configuration(0).epoch();

        start(2, hosts[0].serving());
        await(
                "all serve, or it is taken out again",
                () -> serve(0, 1, 2) || configuration(0).epoch() > without + 1);
        assertThat(configuration(0).members().cardinality()).isEqualTo(NODES);
        assertThat(configuration(0).epoch()).isEqualTo(without + 1);
        IntStream.range(0, NODES).forEach(this::increment);
    }

    // Goal: a node that is left when all others die together keeps its data and goes on when they are back:
    // its writes under way to lost incarnations do not get into the rings of the new ones, which are empty.
    // Method: the node counts up all the time; the others are started again at once, so that they are there
    // before any node can have been taken out.
    @Test
    void shouldKeepItsDataAndContinueWhenAllOtherNodesRestartTogether() throws InterruptedException {
        await("all serve", () -> serve(0, 1, 2));
        increment(0);
        ClusterConfig config = hosts[0].serving();
        for (int round = 0; round < DEATHS; round++) {
            AtomicBoolean over = new AtomicBoolean();
            AtomicInteger committed = new AtomicInteger();
            NodeServer survivor = hosts[0].node().orElseThrow();
            survivor.spawn(0, 0, (runner, self) -> {
                while (!over.get()) {
                    committed.addAndGet(runner.run(new Counting(false)) == Outcome.COMMITTED ? 1 : 0);
                }
            });
            int before = committed.get();
            await("commits", () -> committed.get() > before + 20);
            List<Thread> deaths = IntStream.of(1, 2)
                    .mapToObj(node -> Thread.startVirtualThread(hosts[node]::close))
                    .toList();
            for (Thread death : deaths) {
                death.join();
            }
            start(1, config);
            start(2, config);
            await("all serve", () -> serve(0, 1, 2));
            int back = committed.get();
            await("commits", () -> committed.get() > back);
            over.set(true);
            assertThat(survivor.awaitClients(HANG)).isTrue();
            assertThat(hosts[0].node()).contains(survivor);
            increments += committed.get();
            increment(0);
        }
        increment(1);
        increment(2);
    }
}
