package dev.rcc.protocols.rings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.log.LogEntry;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.replication.LogReport;
import dev.rcc.core.replication.LoggedTransaction;
import dev.rcc.core.store.KeyHash;
import dev.rcc.core.store.Table;
import dev.rcc.core.time.Timestamp;
import dev.rcc.core.txn.Transaction;
import java.lang.foreign.Arena;
import java.util.List;
import java.util.stream.LongStream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

/** {@link LogRings} on node 1, with the entries that worker 0 of node 0 has logged there. */
class LogRingsTest {
    private static final int WRITER = 0;
    private static final int NODE = 1;

    private final LogCluster cluster = new LogCluster(4096);
    private final LogRings rings = cluster.rings[NODE][0];
    private final LogTail tail = cluster.tails[WRITER].tail(NODE);

    // Batches of two coroutines of a worker overtake each other: the WRITE of the smaller value lands last.
    @Test
    void shouldKeepTheDecidedPositionWhenAnOlderWriteOfTheWordLandsLast() {
        decide(logInsert(1));
        long older = tail.decided();
        decide(logInsert(2));
        cluster.announce(tail);
        rings.poll();
        overtake(older);

        assertThat(rings.survey(0)).noneMatch(LoggedTransaction::undecided);
        rings.adopt(0, List.of());
        rings.poll();
        assertThat(rings.isDrained()).isTrue();
    }

    @Test
    void shouldReplayDecidedEntriesAfterTheDecidedWordHasGoneBack() {
        decide(logInsert(1));
        long older = tail.decided();
        cluster.announce(tail);
        rings.poll();
        decide(logInsert(2));
        cluster.announce(tail);
        assertThat(rings.isDrained()).as("it has read the decided position").isFalse();
        overtake(older);

        rings.poll();
        assertThat(rings.isDrained()).isTrue();
        assertThat(cluster.logs[NODE].getLong(cluster.layout.headOffset(0))).isEqualTo(tail.tail());
    }

    // A survey after another node's death must not report a transaction that an earlier survey found aborted
    // as one that could commit.
    @Test
    void shouldKeepTheAbortMarkOfATransactionForLaterSurveys() {
        logInsert(1);
        LoggedTransaction found = rings.survey(0).getFirst();
        rings.markAborted(found.log(), found.position());
        rings.adopt(found.log(), List.of());
        rings.poll();
        assertThat(rings.survey(0))
                .containsExactly(
                        new LoggedTransaction(found.id(), true, true, found.log(), found.position(), List.of(0)));
    }

    // Goal: an entry without its stamp is not found, although the stamp of the replayed entry that it
    // overwrites is there.
    // Method: the writer dies between the WRITE of an entry and the WRITE of its stamp. In front of the entry
    // is the stamp of the entry of the lap before.
    @Test
    void shouldNotFindAnEntryWithTheStampOfTheOneThatItOverwrites() {
        long first = logInsert(1).getFirst().position();
        long second = first;
        for (int n = 2;
                second == first || cluster.layout.entryOffset(0, second) != cluster.layout.entryOffset(0, first);
                n++) {
            cluster.level();
            second = logInsert(n).getFirst().position();
        }
        cluster.logs[NODE].putRelease(cluster.layout.entryOffset(0, second), LogEntry.stamp(first));

        long id = cluster.transactions[WRITER].id();
        assertThat(rings.survey(0)).extracting(LoggedTransaction::id).doesNotContain(id);
        assertThat(LogReport.wasReplayed(id, rings.replayedId(0, 0))).isFalse();
    }

    // Goal: a transaction that has committed does not count as aborted because the mark of another one is in front of
    // its entry.
    // Method: the entry of the next lap does not arrive, and its mark does.
    @Test
    void shouldNotTakeAReplayedTransactionForAbortedWhoseEntryHasTheMarkOfALaterOne() {
        long first = logInsert(1).getFirst().position();
        long id = cluster.transactions[WRITER].id();
        long offset = cluster.layout.entryOffset(0, first);
        Memory log = cluster.logs[NODE];
        int length = LogEntry.length(log.getLong(offset + LogEntry.KIND_OFFSET));
        Memory before = Memory.allocate(Arena.ofAuto(), length);
        log.copy(offset, before, 0, length);
        List<LogCluster.Logged> later = List.of();
        for (int n = 2;
                later.isEmpty()
                        || cluster.layout.entryOffset(0, later.getFirst().position()) != offset;
                n++) {
            cluster.level();
            later = logInsert(n);
        }
        assertThat(LogReport.wasReplayed(id, rings.replayedId(0, 0))).isTrue();
        before.copy(LogEntry.KIND_OFFSET, log, offset + LogEntry.KIND_OFFSET, length - LogEntry.KIND_OFFSET);
        log.putLong(offset + LogEntry.KIND_OFFSET, LogEntry.kindAndLength(LogEntry.ABORTED, length));

        assertThat(rings.survey(0)).extracting(LoggedTransaction::id).doesNotContain(id);
        decide(later);
        cluster.announce(tail);
        rings.poll();
        assertThat(cluster.logs[NODE].getLong(cluster.layout.headOffset(0))).isEqualTo(tail.tail());
        assertThat(rings.survey(0)).extracting(LoggedTransaction::id).doesNotContain(id);
    }

    @Test
    void shouldReportAWaitingTransactionWithItsRingAndAwaitedVersion() {
        decide(logInsert(1));
        cluster.announce(tail);
        Table table = cluster.catalog.table(0);
        long version = table.layout().tuple().versionOffset();
        for (long slot = 0; slot < table.layout().slots(); slot++) { // gives every slot another version
            cluster.memstores[NODE]
                    .partition(0, 0)
                    .memory()
                    .putLong(table.layout().tupleOffset(slot) + version, 1);
        }
        rings.poll();
        assertThat(rings.waiting())
                .singleElement(InstanceOfAssertFactories.STRING)
                .contains(
                        "ring 0: ",
                        "position 0",
                        "transaction " + Timestamp.toString(cluster.transactions[WRITER].id()))
                .contains("partition 0", "for version 0@0.0, which is 0@0.1");
    }

    @Test
    void shouldBeDrainedAfterTheRestartOfARing() {
        decide(logInsert(1));
        cluster.announce(tail);
        rings.poll();
        rings.restart(0);
        assertThat(rings.isDrained())
                .as("nothing of the incarnation before is waited for")
                .isTrue();
    }

    private void overtake(long older) {
        cluster.logs[NODE].putRelease(cluster.layout.decidedOffset(0), older);
    }

    private void decide(List<LogCluster.Logged> logged) {
        logged.forEach(cluster::decide);
    }

    /** Logs and installs the insert of the n-th key whose primary is node 0. */
    private List<LogCluster.Logged> logInsert(int n) {
        Table table = cluster.catalog.table(0);
        long key = LongStream.range(0, Long.MAX_VALUE)
                .filter(each -> cluster.catalog.placement().partition(KeyHash.of(each)) == 0)
                .skip(n - 1)
                .findFirst()
                .orElseThrow();
        Transaction txn = cluster.begin(WRITER);
        cluster.fetch(txn.insert(table, key));
        List<LogCluster.Logged> logged = cluster.log(WRITER, txn);
        cluster.install(txn);
        return logged;
    }
}
