package dev.rcc.server.membership;

import static dev.rcc.server.testing.Awaiting.HANG;
import static dev.rcc.server.testing.Awaiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rcc.core.cluster.Placement;
import dev.rcc.core.cluster.RingPlacement;
import dev.rcc.server.testing.LoopbackPeers;
import dev.rcc.transport.control.ControlChannel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.ratis.protocol.exceptions.NotLeaderException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Groups of nodes in this JVM, on sockets of its loopback interface. */
class MembershipTest {
    private static final int NODES = 3;
    private static final int NODES_MAX = 5;
    private static final Placement HOME = new RingPlacement(NODES, NODES);
    /** Long: a leader within this time was not elected because heartbeats were missing. */
    private static final Duration ELECTION = Duration.ofSeconds(25);

    private static final String CLOSED = "log_\\d+-\\d+";
    /** The checksum at the end of an entry, and a byte of the entry. */
    private static final int ENTRY_END_BYTES = 5;

    @TempDir
    private Path directory;

    private final ControlChannel[] controls = new ControlChannel[NODES_MAX];
    private final Membership[] members = new Membership[NODES_MAX];
    private LoopbackPeers peers;
    private final List<List<Configuration>> heard = new ArrayList<>();
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();
    private int nodes = NODES;
    private Placement home = HOME;
    private Optional<Duration> electionTimeout = Optional.empty();

    private void startAll() {
        peers = new LoopbackPeers(nodes);
        for (int node = 0; node < nodes; node++) {
            heard.add(new ArrayList<>());
            bind(node);
        }
        for (int node = 0; node < nodes; node++) {
            start(node);
        }
    }

    private void bind(int node) {
        controls[node] = peers.channel(node);
    }

    private void start(int node) {
        Path storage = directory.resolve("node" + node);
        Consumer<Configuration> listener = heard.get(node)::add;
        members[node] = electionTimeout
                .map(timeout -> new Membership(
                        controls[node],
                        "test",
                        home,
                        storage,
                        listener,
                        failures::add,
                        timeout,
                        timeout.plusSeconds(1)))
                .orElseGet(() -> new Membership(controls[node], "test", home, storage, listener, failures::add));
        controls[node].start();
        members[node].start();
    }

    private void stop(int node) {
        if (members[node] != null) {
            members[node].close();
            controls[node].close();
            members[node] = null;
        }
    }

    @AfterEach
    void stopAll() {
        IntStream.range(0, nodes).forEach(this::stop);
        assertThat(failures).isEmpty();
    }

    private int leader() throws InterruptedException {
        await("somebody leads", () -> leading() >= 0);
        return leading();
    }

    private int leading() {
        for (int node = 0; node < nodes; node++) {
            if (members[node] != null && members[node].leads().isPresent()) {
                return node;
            }
        }
        return -1;
    }

    private void awaitAll(Configuration configuration) throws InterruptedException {
        await(
                "all know " + configuration,
                () -> Stream.of(members)
                        .limit(nodes)
                        .allMatch(member -> member.configuration().equals(configuration)));
    }

    private static Configuration everybody(long epoch) {
        return Configuration.of(epoch, List.of(11L, 12L, 13L), HOME);
    }

    /** The leader proposes; on a busy machine another node may lead by then, and nothing has come of the proposal. */
    private boolean agree(Configuration next) throws Exception {
        while (true) {
            Membership leader = members[leader()];
            try {
                return leader.propose(next).get(HANG.toSeconds(), TimeUnit.SECONDS);
            } catch (ExecutionException e) {
                assertThat(e).hasRootCauseInstanceOf(NotLeaderException.class);
            }
        }
    }

    // Goal: an agreed configuration is the same on all nodes, survives the leader, and reaches a node that
    // was away.
    @Test
    void shouldAgreeAndRemember() throws Exception {
        startAll();
        assertThat(agree(everybody(1))).isTrue();
        awaitAll(everybody(1));

        int first = leader();
        BitSet leaving = BitSet.valueOf(new long[] {1L << first});
        stop(first);
        int second = leader();
        assertThat(members[second].configuration()).isEqualTo(everybody(1));
        assertThat(agree(everybody(1).changing(leaving))).isTrue();
        Configuration after = Configuration.of(2, List.of(11L, 12L, 13L), HOME.without(first));
        assertThat(agree(after)).isTrue();

        bind(first);
        start(first);
        await("the first knows", () -> members[first].configuration().equals(after));
        assertThat(heard.get(second)).containsExactly(everybody(1), everybody(1).changing(leaving), after);
    }

    // Goal: when a leader is gone, no node waits until its heartbeats have been missing for long.
    @Test
    void shouldHaveAnotherLeaderAsSoonAsTheLeaderIsLost() throws Exception {
        electionTimeout = Optional.of(ELECTION);
        startAll();
        int first = leader();
        assertThat(agree(everybody(1))).isTrue();
        awaitAll(everybody(1));
        long stopped = System.nanoTime();
        stop(first);
        assertThat(leader()).isNotEqualTo(first);
        assertThat(System.nanoTime() - stopped).isLessThan(ELECTION.toNanos());
    }

    // Goal: no node waits for them either if the node that is next to lead is gone with the leader.
    @Test
    void shouldHaveAnotherLeaderAsSoonAsTheLeaderAndItsSuccessorAreLost() throws Exception {
        nodes = NODES_MAX;
        home = new RingPlacement(NODES_MAX, NODES);
        electionTimeout = Optional.of(ELECTION);
        startAll();
        int first = leader();
        int successor = first == 0 ? 1 : 0;
        Configuration everybody = Configuration.of(1, List.of(11L, 12L, 13L, 14L, 15L), home);
        assertThat(agree(everybody)).isTrue();
        awaitAll(everybody); // no node votes for a node that is behind
        long stopped = System.nanoTime();
        stop(successor); // not after the leader: it would stand, and with its term the others have only the time-outs
        stop(first);
        assertThat(leader()).isNotIn(first, successor);
        assertThat(System.nanoTime() - stopped).isLessThan(ELECTION.toNanos());
    }

    // Goal: a leader that is behind changes nothing.
    @Test
    void shouldPassOverProposalsThatDoNotFollowTheLastConfiguration() throws Exception {
        startAll();
        assertThat(agree(everybody(2))).isFalse();
        assertThat(agree(everybody(1))).isTrue();
        assertThat(agree(everybody(1))).isFalse();
        assertThat(agree(everybody(2).changing(new BitSet()))).isFalse();
        assertThat(members[leader()].configuration()).isEqualTo(everybody(1));
    }

    // Goal: one node of three agrees on nothing alone, and goes on as soon as another is back.
    @Test
    void shouldNotAgreeInAMinorityButAgreeOnceAMajorityIsBack() throws Exception {
        startAll();
        assertThat(agree(everybody(1))).isTrue();
        awaitAll(everybody(1)); // Ratis counts no vote of a node without entries: that node may have lost its disk
        int alone = leader();
        int other = (alone + 1) % NODES;
        int third = (alone + 2) % NODES;
        stop(other);
        stop(third);
        await("nobody leads", () -> members[alone].leads().isEmpty());
        Configuration next = everybody(1).changing(new BitSet());
        assertThat(members[alone].propose(next))
                .failsWithin(HANG)
                .withThrowableThat()
                .havingRootCause()
                .isInstanceOf(NotLeaderException.class);
        assertThat(members[alone].configuration()).isEqualTo(everybody(1));
        bind(other);
        start(other);
        assertThat(agree(next)).isTrue();
    }

    // Goal: a loss of power while an entry was written keeps no node from starting.
    @Test
    void shouldStartWhenTheOpenSegmentEndsInTheMiddleOfAnEntry() throws Exception {
        startAll();
        assertThat(agree(everybody(1))).isTrue();
        awaitAll(everybody(1));
        stopAll();
        Path open = segment(0, "log_inprogress_.*").orElseThrow();
        long size = Files.size(open);
        overwrite(open, size - ENTRY_END_BYTES, new byte[1 << 16]); // the file was preallocated with zeros
        restartAll();
        awaitAll(everybody(1));
    }

    @Test
    void shouldNotStartWhenAClosedSegmentIsDamaged() throws Exception {
        startAll();
        assertThat(agree(everybody(1))).isTrue();
        awaitAll(everybody(1));
        stopAll();
        restartAll(); // another term begins another segment
        await("a closed segment", () -> segment(0, CLOSED).isPresent());
        stopAll();
        Path closed = segment(0, CLOSED).orElseThrow();
        byte[] before = Files.readAllBytes(closed);
        overwrite(closed, before.length - ENTRY_END_BYTES, new byte[ENTRY_END_BYTES]);
        bind(0);
        try (ControlChannel _ = controls[0]) {
            assertThatThrownBy(() -> start(0)).hasStackTraceContaining(closed + " is damaged");
        }
        assertThat(Files.size(closed)).isEqualTo(before.length);
    }

    private void restartAll() throws IOException {
        for (int node = 0; node < nodes; node++) {
            bind(node);
        }
        IntStream.range(0, nodes).forEach(this::start);
    }

    private Optional<Path> segment(int node, String name) {
        String group =
                UUID.nameUUIDFromBytes("test".getBytes(StandardCharsets.UTF_8)).toString();
        Path log = directory
                .resolve("node" + node)
                .resolve("membership-" + group)
                .resolve(group)
                .resolve("current");
        try (Stream<Path> files = Files.list(log)) {
            return files.filter(file -> file.getFileName().toString().matches(name))
                    .findFirst();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void overwrite(Path file, long offset, byte[] bytes) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(bytes), offset);
        }
    }

    @Test
    void shouldTellWhenItsLogCannotBeWritten() {
        IOException cause = new IOException("No space left on device");
        new ConfigurationMachine(HOME, heard -> {}, failures::add).notifyLogFailed(cause, null);
        assertThat(failures).containsExactly(cause);
        failures.clear();
    }

    @Test
    void shouldBeTheSameFromItsBytes() {
        Configuration configuration = new Configuration(
                7,
                List.of(Long.MAX_VALUE, 0L, 5L),
                List.of(List.of(2, 0), List.of(0), List.of(1)),
                true,
                BitSet.valueOf(new long[] {2}));
        assertThat(Configuration.of(configuration.toBytes())).isEqualTo(configuration);
        assertThat(configuration.members()).isEqualTo(BitSet.valueOf(new long[] {5}));
        assertThat(configuration.placement(HOME).primary(0)).isEqualTo(2);
    }
}
