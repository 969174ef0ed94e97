package dev.rcc.bench.verify.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.bench.verify.clients.AppliedCommits.Applied;
import dev.rcc.bench.verify.clients.AppliedCommits.RecordKey;
import dev.rcc.bench.verify.clients.AppliedCommits.SeenKeys;
import dev.rcc.client.wire.CommitId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** A client's observations in an attempt, beside the reads of the transaction that took effect: of version 7 everywhere. */
class AttemptTest {
    private static final int TABLE = ClientTables.ORDERED;
    private static final RecordKey ONE = new RecordKey(TABLE, 1);
    private static final RecordKey TWO = new RecordKey(TABLE, 2);

    private final Attempt attempt = new Attempt();

    private static ClientRecord record(RecordKey key, long count) {
        return new ClientRecord(CommitId.NONE, count, key.key());
    }

    /** A mismatch with a transaction that has seen all of the table's index, and in it the records that it has read. */
    private String mismatch(Map<RecordKey, Long> reads) {
        Set<Long> there = reads.keySet().stream()
                .filter(key -> reads.get(key) != 0)
                .map(RecordKey::key)
                .collect(Collectors.toSet());
        return mismatch(reads, new SeenKeys(Long.MIN_VALUE, Long.MAX_VALUE, there));
    }

    private String mismatch(Map<RecordKey, Long> reads, SeenKeys... seen) {
        Applied applied = new Applied(9, 0);
        applied.reads().putAll(reads);
        applied.seen().addAll(List.of(seen));
        return attempt.mismatch(applied, (key, version) -> version == 0 ? null : record(key, version));
    }

    @Test
    void shouldFindNoMismatchWhenTheTransactionReadTheSame() {
        attempt.tellRecord(ONE, record(ONE, 7));
        attempt.tellRecord(TWO, null);
        assertThat(mismatch(Map.of(ONE, 7L, TWO, 0L))).isNull();
    }

    @Test
    void shouldDetectARecordThatTheTransactionHasNotRead() {
        attempt.tellRecord(ONE, record(ONE, 7));
        assertThat(mismatch(Map.of())).contains("has not read that");
    }

    @Test
    void shouldSeeThatTheTransactionHasReadAnotherVersion() {
        attempt.tellRecord(ONE, record(ONE, 7));
        assertThat(mismatch(Map.of(ONE, 8L))).contains("count=7", "the transaction has read", "count=8");
    }

    @Test
    void shouldDetectARecordReportedToTheClientAsAbsent() {
        attempt.tellExistence(ONE, false);
        assertThat(mismatch(Map.of(ONE, 7L))).contains("no record", "found the contrary");
    }

    @Test
    void shouldSeeThatAKeyCameIntoAScannedRange() {
        attempt.tellRange(TABLE, 1, 3, List.of(record(ONE, 7)));
        assertThat(mismatch(Map.of(ONE, 7L))).isNull();
        assertThat(mismatch(Map.of(ONE, 7L, TWO, 7L))).contains("did not observe " + TWO);
    }

    // Goal: a transaction that replays its client's scan in part, or not at all, may commit beside a record that the
    // client has not seen.
    @Test
    void shouldExpectTheTransactionToScanTheWholeRange() {
        attempt.tellRange(TABLE, 1, 5, List.of());
        assertThat(mismatch(Map.of(), new SeenKeys[0])).contains("has not looked for", "key=1");
        assertThat(mismatch(Map.of(), new SeenKeys(0, 3, Set.of()), new SeenKeys(5, 9, Set.of())))
                .contains("has not looked for", "key=4");
        assertThat(mismatch(Map.of(), new SeenKeys(0, 3, Set.of()), new SeenKeys(4, 9, Set.of(6L))))
                .isNull();
        assertThat(mismatch(Map.of(), new SeenKeys(0, 9, Set.of(2L)))).contains("did not observe " + TWO);
    }

    @Test
    void shouldIgnoreAKeyBehindTheEndOfAScan() {
        attempt.tellRange(TABLE, 1, 1, List.of(record(ONE, 7)));
        assertThat(mismatch(Map.of(ONE, 7L, TWO, 7L))).isNull();
    }

    @Test
    void shouldExpectATransactionToReadItsOwnWrites() {
        attempt.write(ONE, record(ONE, 1));
        attempt.tellRecord(ONE, record(ONE, 1));
        attempt.tellRange(TABLE, 1, 3, List.of(record(ONE, 1)));
        assertThat(mismatch(Map.of())).isNull();
        attempt.tellRecord(ONE, record(ONE, 7));
        assertThat(mismatch(Map.of())).contains("where it had itself left");
    }

    @Test
    void shouldExpectATransactionToScanItsOwnWrites() {
        attempt.write(ONE, record(ONE, 1));
        attempt.tellRange(TABLE, 1, 3, List.of());
        assertThat(mismatch(Map.of())).contains("did not observe in a scan what it had itself left");
    }

    @Test
    void shouldExpectAScanInOrderAndInItsRange() {
        attempt.tellRange(TABLE, 1, 3, List.of(record(TWO, 7), record(ONE, 7)));
        assertThat(mismatch(Map.of(ONE, 7L, TWO, 7L))).contains("for the keys 1 to 3");
    }
}
