package dev.rcc.server.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.cluster.Placement;
import dev.rcc.core.cluster.RingPlacement;
import dev.rcc.core.replication.LogReport;
import dev.rcc.core.replication.LoggedTransaction;
import dev.rcc.core.time.Timestamp;
import dev.rcc.protocols.rings.RingReplication;
import dev.rcc.server.node.Node;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/**
 * A second node is lost after each number of steps that nodes have taken to lose the first one. Five nodes, three replicas: node 4 has
 * logged a transaction on the partition 0, whose primary is node 0, at some of its backups, nodes 1 and 2, and has half-written it at
 * the primary. The nodes consist of their part in this only; each takes its steps in the order in which it receives them.
 */
class ReconfigurationTest {
    private static final int COORDINATOR = 4;
    private static final int NODES = 5;
    private static final int RING = 0;
    private static final long TXN = Timestamp.of(100, COORDINATOR, 0);
    private static final String OLD = "old";
    private static final String NEW = "new";
    private static final String HALF = "half-written";
    private static final Placement BEFORE = new RingPlacement(NODES, 3);
    private static final int MORE_THAN_ALL_STEPS = 30;

    @Test
    void shouldAgreeWhenASecondNodeIsLostAfterAnyStep() {
        for (Set<Integer> logged : List.of(Set.<Integer>of(), Set.of(1), Set.of(2), Set.of(1, 2))) {
            for (int second = 0; second < COORDINATOR; second++) {
                for (int steps = 0; steps < MORE_THAN_ALL_STEPS; steps++) {
                    for (int seed = 0; seed < 4; seed++) {
                        String scene = "logged at " + logged + ", node " + second + " is lost after " + steps
                                + " steps, seed " + seed;
                        Cluster cluster = new Cluster(logged, seed);
                        cluster.lose(COORDINATOR);
                        cluster.takeSteps(steps);
                        cluster.lose(second);
                        cluster.takeSteps(Integer.MAX_VALUE);
                        cluster.assertAgreed(scene, logged);
                    }
                }
            }
        }
    }

    @Test
    void shouldMarkAnUncommittedEntryBeforeAnyPrimaryIsRepaired() {
        for (int seed = 0; seed < 20; seed++) {
            Cluster cluster = new Cluster(Set.of(2), seed);
            cluster.lose(COORDINATOR);
            while (!cluster.nodes.get(0).value.equals(OLD)) {
                cluster.takeSteps(1);
            }
            assertThat(cluster.nodes.get(2).isMarked).isTrue();
        }
    }

    // Goal: a node that comes back does not copy what a lost link has left half-written at a primary. Method: all
    // backups
    // that are left have logged the transaction, and the coordinator lives.
    @Test
    void shouldRepairAPrimaryBeforeAJoinerCopiesIt() {
        for (int joiner = 0; joiner < 3; joiner++) {
            for (int seed = 0; seed < 10; seed++) {
                Cluster cluster = Cluster.without(joiner, seed);
                cluster.join(joiner);
                cluster.takeSteps(Integer.MAX_VALUE);
                cluster.assertAgreed("node " + joiner + " joins, seed " + seed, Set.of(1, 2));
            }
        }
    }

    @Test
    void shouldTakeNoStepAfterItWasAbandoned() {
        Cluster cluster = new Cluster(Set.of(1, 2), 0);
        cluster.lose(COORDINATOR);
        cluster.takeSteps(6);
        assertThat(cluster.current.abandon()).as("in time").isTrue();
        cluster.takeSteps(Integer.MAX_VALUE);
        assertThat(cluster.placement).isNull();
        assertThat(cluster.nodes.values()).noneMatch(node -> node.hasInstalled);
        assertThat(cluster.end).isCompletedExceptionally();
    }

    @Test
    void shouldReportTheStepAndTheNodesThatItWaitsFor() {
        Cluster cluster = new Cluster(Set.of(1, 2), 0);
        cluster.lose(COORDINATOR);
        assertThat(cluster.current.waitsFor()).isEqualTo("step=freeze nodes=[0, 1, 2, 3]");
        cluster.nodes.get(2).told.remove().run();
        assertThat(cluster.current.waitsFor()).isEqualTo("step=freeze nodes=[0, 1, 3]");
        cluster.takeSteps(3);
        assertThat(cluster.current.waitsFor()).isEqualTo("step=settle nodes=[0, 1, 2, 3]");
        cluster.takeSteps(Integer.MAX_VALUE);
        assertThat(cluster.current.waitsFor()).isEqualTo("step=resume nodes=[]");
    }

    /** All nodes; a step is taken when the test orders it, and the seed decides which node takes it. */
    private static final class Cluster {
        private final TreeMap<Integer, Node> nodes = new TreeMap<>();
        private final BitSet lost = new BitSet();
        private final Random random;
        private Reconfiguration current;
        private CompletableFuture<Void> end;
        private Placement placement;
        private int rounds;

        Cluster(Set<Integer> logged, int seed) {
            random = new Random(seed);
            for (int id = 0; id < NODES; id++) {
                nodes.put(id, new Node(id, logged.contains(id), id == 0 ? HALF : OLD, nodes));
            }
        }

        /** Without a node that held a copy: the backups that are left have logged and replayed the transaction. */
        static Cluster without(int node, int seed) {
            Cluster cluster = new Cluster(Set.of(), seed);
            Placement now = BEFORE.without(node);
            cluster.nodes.get(node).value = "";
            for (int i = 0; i < now.backups(0); i++) {
                cluster.nodes.get(now.backup(0, i)).value = NEW;
            }
            cluster.nodes.get(now.primary(0)).value = HALF;
            return cluster;
        }

        void join(int node) {
            BitSet members = new BitSet();
            nodes.keySet().stream().filter(id -> id != node).forEach(members::set);
            begin(ConfigurationChange.with(node, 1, members, BEFORE.without(node), ++rounds));
        }

        void lose(int node) {
            nodes.remove(node);
            if (current != null && !current.abandon()) {
                lost.clear(); // all have gone on
                return;
            }
            lost.set(node);
            begin(ConfigurationChange.without(lost, BEFORE, ++rounds));
        }

        private void begin(ConfigurationChange change) {
            Map<Integer, RecoverySteps> survivors = new TreeMap<>();
            nodes.forEach((id, survivor) -> survivors.put(id, survivor.in(rounds)));
            current = new Reconfiguration(new RingReplication(1 << 12, false), survivors, change, () -> {
                placement = change.after();
                return CompletableFuture.completedFuture(null);
            });
            end = current.run();
        }

        void takeSteps(int most) {
            for (int i = 0; i < most; i++) {
                List<Node> busy = nodes.values().stream()
                        .filter(node -> !node.told.isEmpty())
                        .toList();
                if (busy.isEmpty()) {
                    return;
                }
                busy.get(random.nextInt(busy.size())).told.remove().run();
            }
        }

        void assertAgreed(String scene, Set<Integer> logged) {
            assertThat(end).as(scene).isCompleted();
            assertThat(nodes.values()).as(scene).noneMatch(node -> node.wasToldLate);
            List<String> copies = new ArrayList<>();
            for (int holder = 0; holder < 3; holder++) {
                if (nodes.containsKey(holder)) {
                    copies.add(nodes.get(holder).value);
                }
            }
            assertThat(Set.copyOf(copies)).as(scene).hasSize(1).doesNotContain(HALF);
            if (logged.size() == 2) {
                assertThat(copies).as(scene + ": it may have been acknowledged").containsOnly(NEW);
            }
            if (logged.isEmpty()) {
                assertThat(copies).as(scene).containsOnly(OLD);
            }
        }
    }

    /** A node's copy of the tuple and its ring. */
    private static final class Node {
        private final int id;
        private final boolean hasLogged;
        private final Map<Integer, Node> nodes;
        private final Deque<Runnable> told = new ArrayDeque<>();
        private String value;
        private boolean isMarked;
        private boolean hasInstalled;
        /** Whether it was notified of a step of a round after the next one had begun. */
        private boolean wasToldLate;

        private int round;

        Node(int id, boolean hasLogged, String value, Map<Integer, Node> nodes) {
            this.id = id;
            this.hasLogged = hasLogged;
            this.value = value;
            this.nodes = nodes;
        }

        RecoverySteps in(int itsRound) {
            return new Steps(this, itsRound);
        }

        void install(Placement after) {
            hasInstalled = true;
            if (after.primary(0) == id && value.equals(HALF)) { // it is locked
                Node backup = nodes.get(after.backup(0, 0));
                if (backup == null) {
                    throw new IllegalStateException("it is lost, too");
                }
                value = backup.value;
            }
        }
    }

    /** A node's part in one round. */
    private record Steps(Node node, int round) implements RecoverySteps {
        private <T> CompletableFuture<T> take(Supplier<T> step) {
            node.wasToldLate |= round < node.round;
            CompletableFuture<T> taken = new CompletableFuture<>();
            node.told.add(() -> {
                try {
                    taken.complete(step.get());
                } catch (IllegalStateException e) {
                    taken.completeExceptionally(e);
                }
            });
            return taken;
        }

        @Override
        public CompletableFuture<Void> freeze(BitSet absent, Placement before) {
            node.round = round;
            return take(() -> null);
        }

        @Override
        public CompletableFuture<Void> settle(BitSet absent) {
            return take(() -> null);
        }

        @Override
        public CompletableFuture<LogReport> report(BitSet lost) {
            return take(() -> new LogReport(
                    node.hasLogged && lost.get(COORDINATOR)
                            ? List.of(new LoggedTransaction(TXN, node.isMarked, true, RING, 0, List.of(0)))
                            : List.of(),
                    Map.of()));
        }

        @Override
        public CompletableFuture<Long> replay(Set<Long> committed) {
            return take(() -> {
                if (node.hasLogged && committed.contains(TXN)) {
                    node.value = NEW;
                } else if (node.hasLogged) {
                    node.isMarked = true;
                }
                return 0L;
            });
        }

        @Override
        public CompletableFuture<Void> welcome(int joiner, long incarnation) {
            return take(() -> null);
        }

        @Override
        public CompletableFuture<Void> copy(Placement before, Placement after, long bound) {
            return take(() -> {
                node.value = node.nodes.get(before.primary(0)).value;
                return null;
            });
        }

        @Override
        public CompletableFuture<Void> install(Placement before, Placement after, long bound, BitSet lost) {
            return take(() -> {
                node.install(after);
                return null;
            });
        }

        @Override
        public CompletableFuture<Void> save(long configEpoch, Placement after, long bound) {
            return take(() -> null);
        }
    }
}
