package dev.rcc.core.txn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import dev.rcc.core.cluster.RingPlacement;
import dev.rcc.core.store.Catalog;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.testing.FakeWorker;
import dev.rcc.core.testing.TestTransactions;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@link TransactionEvent} and {@link StageEvent}, as read from a recording. */
class RecordedEventsTest {
    private static final Procedure PROCEDURE = new Procedure() {
        @Override
        public void declare(Transaction txn) {}

        @Override
        public void execute(Transaction txn) {}
    };

    @TempDir
    private Path directory;

    private final FakeWorker worker = new FakeWorker(0);
    private final Catalog catalog =
            new Catalog(new RingPlacement(1, 1), 0, List.of(TableSchema.ofLongKeys(0, "t", 8, 1)));
    private final Transaction txn = TestTransactions.create(worker, 3, catalog, 1024);
    private final StageClock clock =
            new StageClock(txn, new StageTimers("waitdie", List.of("lock", "log", "commit", "release")));

    @Test
    void shouldRecordTransactionsAndTheirStages() throws Exception {
        List<RecordedEvent> events = record(() -> {
            run(2, AbortReason.LOCK_CONFLICT);
            run(2, AbortReason.LOCK_CONFLICT, AbortReason.LOG_FULL);
            assertThatThrownBy(() -> runner(1, procedure -> {
                                throw new IllegalStateException("on purpose");
                            })
                            .run(PROCEDURE))
                    .hasMessage("on purpose");
        });
        assertThat(of(TransactionEvent.NAME, events))
                .extracting(
                        event -> event.getInt("node"),
                        event -> event.getInt("worker"),
                        event -> event.getInt("coroutine"),
                        event -> event.getString("protocol"),
                        event -> event.getString("outcome"),
                        event -> event.getString("abortReason"),
                        event -> event.getInt("attempts"))
                .map(tuple -> tuple.toList().toString())
                .containsExactly(
                        "[0, 0, 3, waitdie, COMMITTED, null, 2]",
                        "[0, 0, 3, waitdie, ABORTED, LOG_FULL, 2]",
                        "[0, 0, 3, waitdie, FAILED, null, 1]");
        assertThat(of(StageEvent.NAME, events))
                .extracting(event -> event.getString("stage"))
                .containsExactly("lock", "lock", "commit", "lock", "lock");
        RecordedEvent stage = of(StageEvent.NAME, events).getFirst();
        assertThat(stage.getString("protocol")).isEqualTo("waitdie");
        assertThat(stage.getInt("node")).isZero();
        assertThat(stage.getInt("worker")).isZero();
        RecordedEvent transaction = of(TransactionEvent.NAME, events).getFirst();
        assertThat(stage.getStartTime()).isBetween(transaction.getStartTime(), transaction.getEndTime());
        assertThat(stage.getEndTime()).isBetween(stage.getStartTime(), transaction.getEndTime());
        assertThat(transaction.getDuration()).isGreaterThanOrEqualTo(Duration.ZERO);
    }

    @Test
    void shouldAllocateNothingWithoutARecording() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        TransactionRunner runner = runner(1, this::commit);
        for (int i = 0; i < 1_000; i++) {
            runner.run(PROCEDURE);
        }
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < 10_000; i++) {
            runner.run(PROCEDURE);
        }
        long perTransaction = (threads.getCurrentThreadAllocatedBytes() - before) / 10_000;
        assertThat(perTransaction).isZero();
    }

    private void run(int attempts, AbortReason... reasons) {
        int[] next = {0};
        runner(attempts, procedure -> {
                    if (next[0] < reasons.length) {
                        clock.enter();
                        clock.leave(0);
                        txn.abort(reasons[next[0]++]);
                        return Outcome.ABORTED;
                    }
                    return commit(procedure);
                })
                .run(PROCEDURE);
    }

    private Outcome commit(Procedure procedure) {
        clock.enter();
        clock.leave(0);
        clock.enter();
        clock.leave(2);
        return Outcome.COMMITTED;
    }

    private TransactionRunner runner(int attempts, Coordinator coordinator) {
        return new TransactionRunner(
                "waitdie",
                txn,
                coordinator,
                new RetryPolicy(attempts, 1, 1),
                new AttemptGate(0, new Admission()),
                new TransactionMetrics(),
                null);
    }

    private List<RecordedEvent> record(Runnable work) throws IOException {
        Path file = directory.resolve("events.jfr");
        try (Recording recording = new Recording()) {
            recording.enable(TransactionEvent.NAME).withoutThreshold();
            recording.enable(StageEvent.NAME).withoutThreshold();
            recording.start();
            work.run();
            recording.stop();
            recording.dump(file);
        }
        return RecordingFile.readAllEvents(file).stream()
                .sorted((one, other) -> one.getStartTime().compareTo(other.getStartTime()))
                .toList();
    }

    private static List<RecordedEvent> of(String name, List<RecordedEvent> events) {
        return events.stream()
                .filter(event -> event.getEventType().getName().equals(name))
                .toList();
    }
}
