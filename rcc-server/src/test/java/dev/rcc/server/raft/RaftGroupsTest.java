package dev.rcc.server.raft;

import static dev.rcc.server.testing.Awaiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.cluster.Placement;
import dev.rcc.core.cluster.RingPlacement;
import dev.rcc.core.memory.Memory;
import dev.rcc.server.testing.LoopbackPeers;
import dev.rcc.transport.control.ControlChannel;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.ratis.protocol.RaftGroupId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The groups of three nodes in this JVM, on sockets of its loopback interface. */
class RaftGroupsTest {
    private static final int NODES = 3;
    private static final Placement HOME = new RingPlacement(NODES, NODES);

    @TempDir
    private Path directory;

    private final ControlChannel[] controls = new ControlChannel[NODES];
    private final RaftGroups[] groups = new RaftGroups[NODES];
    /** The outcomes of proposals. */
    private final ConcurrentLinkedQueue<Integer> statuses = new ConcurrentLinkedQueue<>();

    @BeforeEach
    void startAll() {
        LoopbackPeers peers = new LoopbackPeers(NODES);
        for (int node = 0; node < NODES; node++) {
            controls[node] = peers.channel(node);
            groups[node] = new RaftGroups(controls[node], new RaftOptions(directory, false), RaftGroupsTest::newState);
        }
        Stream.of(controls).forEach(ControlChannel::start);
        configured(1);
    }

    /** No transaction is logged here, so there is nothing to replay. */
    private static PartitionState newState(int partition) {
        return new PartitionState(
                partition,
                NODES,
                1,
                null,
                false,
                Memory.allocate(Arena.ofAuto(), RaftNode.ENTRY_BYTES_MAX),
                log -> {},
                bytes -> {});
    }

    private void configured(long epoch) {
        Stream.of(groups).forEach(each -> each.configured(epoch, HOME));
    }

    @AfterEach
    void stopAll() {
        IntStream.range(0, NODES).filter(node -> groups[node] != null).forEach(this::stop);
    }

    private void stop(int node) {
        controls[node].close();
        groups[node].close();
        groups[node] = null;
    }

    private RaftGroups.Member member(int node, int partition, long epoch) {
        return groups[node].member(partition, epoch);
    }

    private boolean leads(int node, int partition, long epoch) {
        return groups[node] != null
                && member(node, partition, epoch) != null
                && groups[node].leads(member(node, partition, epoch));
    }

    private int leader(int partition, long epoch) throws InterruptedException {
        await(
                "somebody leads partition " + partition,
                () -> IntStream.range(0, NODES).anyMatch(node -> leads(node, partition, epoch)));
        return IntStream.range(0, NODES)
                .filter(node -> groups[node] != null)
                .boxed()
                .max(Comparator.comparing(node -> leads(node, partition, epoch)))
                .orElseThrow();
    }

    /** Proposes to the leader, until a majority has the entry. */
    private void seal(int partition, long epoch) throws InterruptedException {
        while (true) {
            propose(leader(partition, epoch), partition, epoch, Command.SEAL);
            await("an answer", () -> !statuses.isEmpty());
            if (statuses.poll() == Status.LOGGED) {
                return;
            }
        }
    }

    private void propose(int node, int partition, long epoch, int kind) {
        member(node, partition, epoch)
                .proposer()
                .propose(kind, 0, (item, word) -> statuses.add(Status.status(word)), 0);
    }

    private void awaitSealed(int partition, long epoch) throws InterruptedException {
        for (int node = 0; node < NODES; node++) {
            if (groups[node] != null) {
                PartitionState state = member(node, partition, epoch).state();
                await("node " + node + " knows of the seal", state::isSealed);
            }
        }
    }

    @Test
    void shouldMakeThePrimaryLeadAndReplicateToAllCopies() throws InterruptedException {
        for (int partition = 0; partition < NODES; partition++) {
            int primary = partition;
            await("the primary leads", () -> leads(primary, primary, 1));
            seal(partition, 1);
            awaitSealed(partition, 1);
        }
    }

    // Goal: entries that are sent before the ones before were acknowledged all arrive, and in order.
    @Test
    void shouldTakeManyEntriesThatAreOnTheirWayAtOnce() throws InterruptedException {
        int proposals = 3_000;
        await("the primary leads", () -> leads(0, 0, 1));
        for (int i = 0; i < proposals; i++) {
            propose(0, 0, 1, Command.DECIDED);
        }
        await("all answers", () -> statuses.size() == proposals);
        assertThat(statuses).containsOnly(Status.LOGGED);
        statuses.clear();
        seal(0, 1);
        awaitSealed(0, 1);
    }

    @Test
    void shouldContinueUnderAnotherLeaderWhenTheLeaderStops() throws InterruptedException {
        await("the primary leads", () -> leads(0, 0, 1));
        stop(0);
        seal(0, 1);
        awaitSealed(0, 1);
    }

    // Goal: nodes that go on without a node which they still reach, as it has lost others, can seal the groups that it
    // leads.
    @Test
    void shouldContinueUnderAnotherLeaderWhenTheLeaderIsTakenOutThoughItIsConnected() throws InterruptedException {
        await("the primary leads", () -> leads(2, 2, 1));
        groups[0].fence(2);
        groups[1].fence(2);
        await("one of the others leads", () -> leads(0, 2, 1) || leads(1, 2, 1));
        int leader = leads(0, 2, 1) ? 0 : 1;
        propose(leader, 2, 1, Command.SEAL);
        await(
                "the others know of the seal",
                () -> Stream.of(0, 1)
                        .allMatch(node -> member(node, 2, 1).state().isSealed()));
        assertThat(member(2, 2, 1).state().isSealed())
                .as("at the node that is taken out")
                .isFalse();
    }

    // Goal: a leader that is cut off commits nothing, and reports that.
    @Test
    void shouldCommitNothingWithoutAMajority() throws InterruptedException {
        await("the primary leads", () -> leads(0, 0, 1));
        stop(1);
        stop(2);
        propose(0, 0, 1, Command.SEAL);
        await("an answer", () -> !statuses.isEmpty());
        assertThat(statuses.poll()).isEqualTo(Status.AGAIN);
        assertThat(member(0, 0, 1).state().isSealed()).isFalse();
    }

    @Test
    void shouldStartNewGroupsInEachConfiguration() throws InterruptedException {
        seal(0, 1);
        awaitSealed(0, 1);
        configured(2);
        assertThat(member(0, 0, 1)).as("of the configuration before").isNull();
        assertThat(member(0, 0, 2).state().isSealed()).isFalse();
        seal(0, 2);
        awaitSealed(0, 2);
    }

    // Goal: a group that ends needs no log any more, and its files may be gone.
    @Test
    void shouldTellOfALogThatCannotBeWrittenUnlessItsGroupEnds() {
        List<Throwable> failures = new ArrayList<>();
        groups[0].whenFailed(failures::add);
        RaftGroupId before = member(0, 0, 1).group();
        IOException cause = new IOException("No space left on device");
        groups[0].logFailed(before, cause);
        assertThat(failures).containsExactly(cause);
        configured(2);
        RaftGroupId present = member(0, 0, 2).group();
        RaftGroups closed = groups[0];
        groups[0].logFailed(before, cause);
        stop(0);
        closed.logFailed(present, cause);
        assertThat(failures).hasSize(1);
    }

    // Goal: a majority has a leader even if one of its nodes has an empty log, like a node that has just
    // come back.
    @Test
    void shouldHaveALeaderAmongACopyThatHasAllAndOneThatHasGotNothingYet() throws InterruptedException {
        groups[0].configured(2, HOME);
        groups[1].configured(2, HOME);
        seal(0, 2);
        await(
                "nodes 0 and 1 know of the seal",
                () -> Stream.of(0, 1)
                        .allMatch(node -> member(node, 0, 2).state().isSealed()));
        stop(0);
        groups[2].configured(2, HOME);
        seal(0, 2);
        awaitSealed(0, 2);
    }
}
