package dev.rcc.bench.verify.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.bench.verify.clients.AppliedCommits.RecordKey;
import dev.rcc.client.wire.CommitId;
import java.util.List;
import java.util.Map;
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

    private String mismatch(Map<RecordKey, Long> reads) {
        return attempt.mismatch(reads, (key, version) -> version == 0 ? null : record(key, version));
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
