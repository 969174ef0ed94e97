package dev.rcc.protocols.calvin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.testing.Seeds;
import dev.rcc.core.time.Timestamp;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SequencerTest {
    private final SequencerCluster cluster = new SequencerCluster("00", new SplittableRandom(1));

    @Test
    void shouldTakeInTheSameTransactionsInTheSameOrderOnAllNodes() {
        for (String digits : List.of("00", "11")) {
            Seeds.forEach(50, seed -> {
                SequencerCluster cluster = new SequencerCluster(digits, seed);
                cluster.submitForAWhile(2_000);
                cluster.settle();
                List<Long> order = cluster.nodes.get(0).order;
                assertThat(order).doesNotHaveDuplicates();
                for (SequencerCluster.SequencerNode node : cluster.nodes) {
                    assertThat(node.order).isEqualTo(order);
                    assertThat(order.stream().filter(id -> Timestamp.node(id) == node.worker.node()))
                            .as("all of node %s, in its own order", node.worker.node())
                            .hasSize((int) node.drawn)
                            .isSorted();
                    assertThat(node.sequencer.isBusy()).isFalse();
                }
                assertThat(order).hasSizeGreaterThan(50);
            });
        }
    }

    @Test
    void shouldOrderAnEpochByNode() {
        for (int node = SequencerCluster.NODES - 1; node >= 0; node--) {
            cluster.nodes.get(node).submit();
            cluster.nodes.get(node).submit();
        }
        cluster.settle();
        assertThat(cluster.nodes.get(2).order.stream().map(Timestamp::node)).containsExactly(0, 0, 1, 1, 2, 2, 3, 3);
    }

    @Test
    void shouldHaveNoEpochsWhileThereIsNothingToDo() {
        cluster.settle();
        assertThat(cluster.nodes).allMatch(node -> !node.sequencer.isBusy());
        assertThat(cluster.nodes.get(0).buffers.getLong(cluster.layout.slotOffset(0, 1)))
                .isZero();
    }

    @Test
    void shouldPutNoMoreIntoABatchThanItHoldsAndTheRestIntoTheNext() {
        for (int i = 0; i < SequencerCluster.OPTIONS.epochTransactions() + 1; i++) {
            cluster.nodes.get(1).submit();
        }
        cluster.settle();
        long body = cluster.layout.slotOffset(1, 1) + CalvinLayout.BATCH_BODY_OFFSET;
        assertThat(InputMessage.submissions(cluster.nodes.get(3).buffers, body))
                .isEqualTo(SequencerCluster.OPTIONS.epochTransactions());
        assertThat(cluster.nodes.get(3).order).hasSize(SequencerCluster.OPTIONS.epochTransactions() + 1);
    }

    // Goal: a batch that the network does not carry would keep every sequencer of the cluster waiting for ever.
    @Test
    void shouldPutNoMoreIntoABatchThanAMessageCarries() {
        int header = CalvinLayout.BATCH_BODY_OFFSET + InputMessage.SUBMISSIONS_OFFSET;
        int submission = 40;
        int message = header + 2 * submission;
        SequencerCluster limited = new SequencerCluster("00", new SplittableRandom(1), message);
        for (int i = 0; i < 5; i++) {
            limited.nodes.get(1).submit();
        }
        limited.settle();
        assertThat(limited.nodes.get(3).order).hasSize(5);
        assertThat(limited.nodes.get(0).sequencer.maxSubmissionBytes()).isEqualTo(2 * submission);
        SequencerCluster oneSided = new SequencerCluster("11", new SplittableRandom(1), message);
        assertThat(oneSided.nodes.get(0).sequencer.maxSubmissionBytes())
                .isEqualTo(oneSided.layout.batchBytes() - header);
    }

    // A node stops between any two of its steps, while some batches are under way. The live nodes go on, and
    // agree on the order of their submissions.
    @Test
    void shouldContinueInOneOrderAfterANodeStops() {
        for (String digits : List.of("00", "11")) {
            Seeds.forEach(50, seed -> {
                SequencerCluster cluster = new SequencerCluster(digits, seed);
                cluster.submitForAWhile(200 + seed.nextInt(200));
                int dead = seed.nextInt(SequencerCluster.NODES);
                cluster.nodes.get(dead).stopped = true;
                cluster.submitForAWhile(2_000);
                cluster.settle();
                List<Long> order = null;
                for (SequencerCluster.SequencerNode node : cluster.nodes) {
                    if (!node.stopped) {
                        assertThat(node.sequencer.isBusy())
                                .as("node %s waits", node.worker.node())
                                .isFalse();
                        assertThat(node.order.stream().filter(id -> Timestamp.node(id) == node.worker.node()))
                                .hasSize((int) node.drawn);
                        List<Long> ofLiving = node.order.stream()
                                .filter(id -> Timestamp.node(id) != dead)
                                .toList();
                        order = order == null ? ofLiving : order;
                        assertThat(ofLiving).isEqualTo(order);
                    }
                }
            });
        }
    }

    // A node stops between any two of its steps, and is taken back, several times. The other nodes change
    // configurations at different times, with batches of the last configuration under way until it ends.
    // Submissions since the last change are in one order on all nodes, including the returned one.
    @Test
    void shouldTakeBackANodeThatHasStopped() {
        for (String digits : List.of("00", "11")) {
            Seeds.forEach(50, seed -> {
                SequencerCluster cluster = new SequencerCluster(digits, seed);
                for (int round = 0; round < 4; round++) {
                    int dead = seed.nextInt(SequencerCluster.NODES);
                    cluster.submitForAWhile(seed.nextInt(400));
                    cluster.lose(dead);
                    cluster.submitForAWhile(seed.nextInt(400));
                    cluster.takeBack(dead);
                }
                cluster.submitForAWhile(1_000);
                cluster.settle();
                List<Long> order = cluster.nodes.get(0).order;
                assertThat(order).doesNotHaveDuplicates().hasSizeGreaterThan(20);
                for (SequencerCluster.SequencerNode node : cluster.nodes) {
                    assertThat(node.sequencer.isBusy())
                            .as("node %s waits", node.worker.node())
                            .isFalse();
                    assertThat(node.order).as("node %s", node.worker.node()).isEqualTo(order);
                    assertThat(order.stream().filter(id -> Timestamp.node(id) == node.worker.node()))
                            .as("all of node %s, in its own order", node.worker.node())
                            .hasSize((int) (node.drawn - node.drawnBefore))
                            .isSorted();
                }
            });
        }
    }
}
