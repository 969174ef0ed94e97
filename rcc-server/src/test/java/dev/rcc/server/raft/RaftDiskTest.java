package dev.rcc.server.raft;

import static dev.rcc.server.testing.Awaiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rcc.core.cluster.Placement;
import dev.rcc.core.cluster.RingPlacement;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.replication.ReplicationDisk;
import dev.rcc.server.testing.LoopbackPeers;
import dev.rcc.transport.control.ControlChannel;
import java.lang.foreign.Arena;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The data that the groups of a node alone leave on its disk, for the node's next incarnations. */
class RaftDiskTest {
    private static final Placement ALONE = new RingPlacement(1, 1);
    private static final int LOGS = 2;
    private static final int LOG = 1;
    private static final long FIRST = 11;
    private static final long SECOND = 12;
    private static final long TOO_LATE = 13;
    /** Entries of the greatest size that fill two segments and begin a third. */
    private static final int LARGE_ENTRIES = 140;
    /** Bytes of a segment's file before its entries. */
    private static final int HEADER_BYTES = 8;

    @TempDir
    private Path directory;

    /** An incarnation of the node. */
    private final class Life implements AutoCloseable {
        private final ControlChannel control;
        private final RaftGroups groups;
        private final AtomicInteger answers = new AtomicInteger();

        Life() {
            control = new LoopbackPeers(1).channel(0);
            groups = new RaftGroups(control, new RaftOptions(directory, true), Life::newState);
            control.start();
        }

        private static PartitionState newState(int partition) {
            return new PartitionState(
                    partition,
                    LOGS,
                    LOGS,
                    null,
                    false,
                    Memory.allocate(Arena.ofAuto(), RaftNode.ENTRY_BYTES_MAX),
                    log -> {},
                    bytes -> {});
        }

        void lead(long epoch) throws InterruptedException {
            groups.configured(epoch, ALONE);
            await("the node leads", () -> groups.member(0, epoch) != null && groups.leads(groups.member(0, epoch)));
        }

        void propose(int kind, long word) throws InterruptedException {
            int before = answers.get();
            proposer().propose(kind, word, (item, status) -> answers.incrementAndGet(), 0);
            await("an answer", () -> answers.get() > before);
        }

        void log(int kind) throws InterruptedException {
            log(kind, entry());
        }

        void log(int kind, Memory entry) throws InterruptedException {
            int before = answers.get();
            proposer().log(kind, LOG, entry, 0, (int) entry.size(), (item, status) -> answers.incrementAndGet(), 0);
            await("an answer", () -> answers.get() > before);
        }

        private Proposer proposer() {
            return groups.members().getFirst().proposer();
        }

        List<String> recovered(long epoch) {
            List<String> found = new ArrayList<>();
            groups.recover(epoch, 1, LOGS, new ReplicationDisk.Recovered() {
                @Override
                public void logged(int log, byte[] entry, boolean decided) {
                    found.add("logged in " + log + (decided ? ", decided" : ""));
                }

                @Override
                public void decided(long id) {
                    found.add("decided " + id);
                }
            });
            return found;
        }

        @Override
        public void close() {
            control.close();
            groups.close();
        }
    }

    /** An entry of a transaction that changes nothing. */
    private static Memory entry() {
        Memory entry = Memory.allocate(Arena.ofAuto(), 48);
        entry.putLong(16, FIRST);
        return entry;
    }

    @Test
    void shouldRecoverOnlyEntriesLoggedBeforeTheSeal() throws Exception {
        try (Life life = new Life()) {
            life.lead(1);
            life.log(Command.LOG);
            life.propose(Command.DECIDED, FIRST);
            life.propose(Command.DECIDED, SECOND);
            life.propose(Command.SEAL, 0);
            life.propose(Command.DECIDED, TOO_LATE);
        }
        try (Life next = new Life()) {
            assertThat(next.recovered(1)).containsExactly("logged in " + LOG, "decided " + FIRST, "decided " + SECOND);
        }
    }

    // Goal: entries that a majority is known to have are decided; the last entries are still undecided.
    @Test
    void shouldRecoverEarlierEntriesOfTheLogAsDecided() throws Exception {
        try (Life life = new Life()) {
            life.lead(1);
            for (int i = 0; i < 50; i++) {
                life.log(Command.LOG_ALONE);
            }
        }
        try (Life next = new Life()) {
            assertThat(next.recovered(1)).hasSize(50).startsWith("logged in " + LOG + ", decided");
        }
    }

    // Goal: an incarnation whose configuration is not agreed on deletes nothing.
    @Test
    void shouldKeepTheLogsOfAConfigurationUntilALaterOneIsAgreedOn() throws Exception {
        try (Life life = new Life()) {
            life.lead(1);
            life.propose(Command.DECIDED, FIRST);
        }
        try (Life second = new Life()) {
            second.lead(2);
            second.propose(Command.DECIDED, SECOND);
            assertThat(second.recovered(1)).containsExactly("decided " + FIRST);
        }
        try (Life third = new Life()) {
            assertThat(third.recovered(1)).containsExactly("decided " + FIRST);
            third.lead(3);
            third.propose(Command.DECIDED, SECOND);
            third.groups.agreed(3);
            await("the logs before are gone", () -> third.recovered(1).isEmpty());
            assertThat(third.recovered(2)).isEmpty();
        }
        try (Life fourth = new Life()) {
            assertThat(fourth.recovered(3)).containsExactly("decided " + SECOND);
        }
    }

    /** Leaves a log of several segments; returns the closed ones, in their order. */
    private List<Path> closedSegments() throws Exception {
        try (Life life = new Life()) {
            life.lead(1);
            for (int i = 0; i < LARGE_ENTRIES; i++) {
                life.log(Command.LOG, Memory.allocate(Arena.ofAuto(), RaftNode.ENTRY_BYTES_MAX));
            }
        }
        try (Stream<Path> files = Files.walk(directory)) {
            List<Path> closed = files.filter(
                            file -> file.getFileName().toString().matches("log_\\d+-\\d+"))
                    .sorted(Comparator.comparing(file ->
                            Integer.parseInt(file.getFileName().toString().replaceAll("log_(\\d+)-.*", "$1"))))
                    .toList();
            assertThat(closed).hasSizeGreaterThan(1);
            return closed;
        }
    }

    // Goal: a log that has lost entries which it once had is not taken for a shorter one.
    @Test
    void shouldRefuseAClosedSegmentThatHasLostEntries() throws Exception {
        Path damaged = closedSegments().getFirst();
        try (FileChannel channel = FileChannel.open(damaged, StandardOpenOption.WRITE)) {
            channel.truncate(HEADER_BYTES);
        }
        try (Life next = new Life()) {
            assertThatThrownBy(() -> next.recovered(1)).hasMessageContaining(damaged + " is damaged: 0 of its ");
        }
    }

    // Goal: a node starts that was killed while Ratis deleted segments which a snapshot contains: it begins with the
    // newest.
    @Test
    void shouldTakeALogWhoseSegmentsWereBeingDeleted() throws Exception {
        List<Path> closed = closedSegments();
        Files.delete(closed.get(1));
        try (Life next = new Life()) {
            assertThat(next.recovered(1)).hasSizeBetween(1, LARGE_ENTRIES - 1);
        }
    }

    // Goal: a node that is in none of its groups does not keep its place: the next change would wait for it for ever.
    @Test
    void shouldReportThatGroupsCannotBegin() throws Exception {
        try (Life life = new Life()) {
            CompletableFuture<Throwable> failure = new CompletableFuture<>();
            life.groups.whenFailed(failure::complete);
            Path logs = directory.resolve("node0").resolve("1");
            Files.delete(logs);
            Files.createFile(logs); // so nothing can be written below
            life.groups.configured(1, ALONE);
            await("the failure is reported", failure::isDone);
        }
    }

    @Test
    void shouldTakeALogAsFarAsItCanBeRead() throws Exception {
        try (Life life = new Life()) {
            life.lead(1);
            for (int i = 0; i < 50; i++) {
                life.log(Command.LOG);
            }
        }
        try (Stream<Path> files = Files.walk(directory)) {
            Path log = files.filter(file -> file.getFileName().toString().startsWith("log_inprogress"))
                    .findFirst()
                    .orElseThrow();
            try (FileChannel channel = FileChannel.open(log, StandardOpenOption.WRITE)) {
                channel.truncate(channel.size() * 3 / 4);
            }
        }
        try (Life next = new Life()) {
            assertThat(next.recovered(1)).hasSizeBetween(1, 49).containsOnly("logged in " + LOG);
        }
    }
}
