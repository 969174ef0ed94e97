package dev.rcc.server.durability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.rcc.core.cluster.Placement;
import dev.rcc.core.cluster.RingPlacement;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.Region;
import dev.rcc.core.store.Catalog;
import dev.rcc.core.store.Memstore;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.testing.FakeFabric;
import dev.rcc.protocols.rings.RingReplication;
import dev.rcc.server.testing.Awaiting;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The logs that a node proposes to keep while the other nodes agree on configurations, with the node or without it. */
class NodeDurabilityTest {
    private static final int NODE = 2;
    private static final int WAL_BYTES = 4096;
    private static final int ENTRY_BYTES = 1024;
    private static final Placement PLACEMENT = new RingPlacement(3, 3);

    @TempDir
    private Path directory;

    private final FailingDisk disk = new FailingDisk();
    private Arena arena;
    private NodeDurability durability;
    private long round;
    private long logged;

    @BeforeEach
    void open() {
        arena = Arena.ofShared();
        Catalog catalog = new Catalog(PLACEMENT, 8, List.of(TableSchema.ofLongKeys(0, "t", 8, 10)));
        Memstore memstore =
                new Memstore(catalog, NODE, (id, bytes) -> new Region(NODE, id, Memory.allocate(arena, bytes)));
        durability = new NodeDurability(
                DurabilityOptions.in(directory).withSizes(WAL_BYTES, WAL_BYTES).withDisk(disk),
                new WalIdentity(NODE, 1, 1),
                new RingReplication(1 << 12, true).attach(new FakeFabric(NODE), memstore, 1, 1),
                memstore);
    }

    @AfterEach
    void close() {
        durability.close();
        arena.close();
    }

    /** Begins another incarnation of the node, whose copies are empty. */
    private void restart() {
        close();
        open();
    }

    private void propose(long configEpoch) {
        durability.freeze(++round);
        durability.propose(round, new DataConfiguration(configEpoch, PLACEMENT), 1, Map.of());
    }

    @Test
    void shouldRejectAProposalWhileItIsUndecidedWhetherTheLastOneWasAgreedOn() {
        propose(80);
        assertThatIllegalStateException().isThrownBy(() -> propose(81)).withMessageContaining("80");
        durability.agree(new DataConfiguration(80, PLACEMENT));
        assertThatCode(() -> propose(81)).doesNotThrowAnyException();
    }

    // Goal: data that was agreed on stays until the next configuration is agreed on, although the node has not been
    // notified that the data counts.
    // Method: the disk fails at each step of the node's return.
    @Test
    void shouldKeepAProposalThatWasAgreedOnUntilTheNextIs() {
        DataConfiguration agreed = new DataConfiguration(80, PLACEMENT);
        propose(80);
        boolean failed = true;
        for (int step = 0; failed; step++) {
            restart();
            RecoveredNode read = durability.read(agreed);
            assertThat(read.data()).as("step %d", step).isEqualTo(RecoveredNode.Data.AGREED);
            disk.failAfter(step, FailingDisk.Fault.NOTHING);
            failed = catchThrowable(() -> durability.begin(read, 1, new DataConfiguration(81, PLACEMENT))) != null;
            disk.mend();
            read.close();
        }
        restart();
        assertThat(durability.read(agreed).data()).isEqualTo(RecoveredNode.Data.AGREED);
    }

    // Goal: the node ends, and the others go on without it. They would wait for its proposal again and again.
    @Test
    void shouldGiveUpWhenItCannotWriteAProposal() throws Exception {
        CountDownLatch failed = new CountDownLatch(1);
        durability.whenFailed(failed::countDown);
        disk.fill();
        assertThatThrownBy(() -> propose(80)).isInstanceOf(UncheckedIOException.class);
        assertThat(durability.isFailed()).isTrue();
        assertThat(failed.await(30, TimeUnit.SECONDS)).isTrue();
    }

    // Goal: a closed node's files do not change: another incarnation may read them, and the memory of this one is free.
    // Method: the disk holds a proposal while the node is closed.
    @Test
    void shouldWriteAProposalUnderWayBeforeItIsClosed() throws Exception {
        disk.hold();
        CompletableFuture<Void> proposal = CompletableFuture.runAsync(() -> propose(80));
        disk.awaitHeld();
        AtomicLong operations = new AtomicLong();
        Thread closing = Thread.ofPlatform().start(() -> {
            durability.close();
            operations.set(disk.operations());
        });
        Awaiting.await(
                "close waits or has ended",
                () -> EnumSet.of(Thread.State.BLOCKED, Thread.State.TERMINATED).contains(closing.getState()));
        disk.release();
        proposal.join();
        closing.join();
        assertThat(disk.operations()).isEqualTo(operations.get());
    }

    @Test
    void shouldWriteNothingOnceItIsClosed() {
        propose(80);
        durability.close();
        long operations = disk.operations();
        assertThatIllegalStateException().isThrownBy(() -> propose(80)).withMessageContaining("closed");
        assertThatIllegalStateException()
                .isThrownBy(() -> durability.agree(new DataConfiguration(80, PLACEMENT)))
                .withMessageContaining("closed");
        assertThat(disk.operations()).isEqualTo(operations);
    }

    // Goal: an error of the JVM in the background does not end snapshots silently; the log would grow for ever.
    @Test
    void shouldCountASnapshotThatFailsWithAnErrorAndMakeTheNextOne() throws Exception {
        DataConfiguration configuration = new DataConfiguration(0, PLACEMENT);
        durability.begin(durability.read(configuration), 1, configuration);
        durability.agree(configuration);
        disk.throwOnce(new OutOfMemoryError("of a test"));
        durability.watch(List.of(), List.of());
        logUntil("a snapshot has failed", () -> durability.counters().failedSnapshots() == 1);
        long before = durability.counters().snapshots();
        logUntil("the next one is made", () -> durability.counters().snapshots() > before);
        assertThat(durability.counters().failedSnapshots()).isEqualTo(1);
    }

    // Goal: a snapshot that did not fit on the disk leaves the log the room that was free before.
    @Test
    void shouldDeleteASnapshotThatItCannotFinish() {
        disk.throwOnce(new OutOfMemoryError("of a test"));
        assertThatThrownBy(() -> propose(80)).isInstanceOf(OutOfMemoryError.class);
        assertThat(directory.resolve("node-" + NODE)).isDirectoryNotContaining("glob:**.tmp");
    }

    private void logUntil(String what, BooleanSupplier condition) throws InterruptedException {
        Memory entry = Memory.allocate(arena, ENTRY_BYTES);
        Awaiting.await(what, () -> {
            durability.entry(0, logged, entry, 0, ENTRY_BYTES);
            logged += ENTRY_BYTES;
            return condition.getAsBoolean();
        });
    }

    @Test
    void shouldNotGiveUpWhenAnotherRoundHasBegun() {
        durability.freeze(++round);
        assertThatIllegalStateException()
                .isThrownBy(() -> durability.propose(round - 1, new DataConfiguration(80, PLACEMENT), 1, Map.of()))
                .withMessageContaining("another round");
        assertThat(durability.isFailed()).isFalse();
    }

    // A change that was to take the node in was given up, as another node was lost, and the others went on without
    // both.
    @Test
    void shouldProposeAgainOnceThatConfigurationWasAgreedOnWithoutThisNode() {
        propose(80);
        durability.withdraw(79);
        assertThatIllegalStateException().isThrownBy(() -> propose(81));
        durability.withdraw(80);
        propose(81);
        assertThatCode(() -> durability.agree(new DataConfiguration(81, PLACEMENT)))
                .doesNotThrowAnyException();
    }
}
