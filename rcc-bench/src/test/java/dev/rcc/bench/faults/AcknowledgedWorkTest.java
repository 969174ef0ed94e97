package dev.rcc.bench.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.bench.check.Model;
import dev.rcc.bench.history.Status;
import java.util.List;
import org.junit.jupiter.api.Test;

class AcknowledgedWorkTest {
    private static final long NONE = 0;

    private int number;

    /** An attempt that has read a key and written it, after all that were made before. */
    private Attempt update(long key, long found, Status status, boolean wasAsked) {
        number++;
        return new Attempt(
                number,
                0,
                10L * number,
                10L * number + 5,
                status,
                wasAsked,
                new long[] {key},
                new long[] {found},
                new long[] {key},
                new long[] {Register.next(found, number)});
    }

    private Attempt update(long key, long found) {
        return update(key, found, Status.COMMITTED, false);
    }

    private static long written(Attempt attempt) {
        return attempt.writtenVersions()[0];
    }

    private static AcknowledgedWork judge(List<Attempt> attempts, Long... versions) {
        return AcknowledgedWork.of(attempts, List.of(versions), Model.STRICT_SERIALIZABLE);
    }

    @Test
    void shouldBeContentWhenAllThatWasAcknowledgedIsThere() {
        Attempt first = update(0, NONE);
        Attempt second = update(0, written(first));
        AcknowledgedWork work = judge(List.of(first, second), written(second));
        assertThat(work.violations()).isEmpty();
        assertThat(work.checked().isClean()).isTrue();
        assertThat(work.acknowledged()).isEqualTo(2);
    }

    @Test
    void shouldFindAcknowledgedWriteThatIsGoneAtTheEnd() {
        Attempt first = update(0, NONE);
        Attempt second = update(0, written(first));
        AcknowledgedWork work = judge(List.of(first, second), written(first));
        assertThat(work.lost()).isEqualTo(1);
        assertThat(work.violations()).singleElement().asString().startsWith("LOST: the write of version 2");
    }

    @Test
    void shouldFindAcknowledgedWriteThatAnotherOneHasBuriedInTheMiddle() {
        Attempt first = update(0, NONE);
        Attempt lost = update(0, written(first));
        Attempt other = update(0, written(first));
        Attempt last = update(0, written(other));
        AcknowledgedWork work = judge(List.of(first, lost, other, last), written(last));
        assertThat(work.lost()).isEqualTo(1);
        assertThat(work.checked().isClean()).isFalse();
    }

    @Test
    void shouldFindAWriteOfAnAttemptReportedAsAborted() {
        Attempt first = update(0, NONE, Status.ABORTED, true);
        AcknowledgedWork work = judge(List.of(first), written(first));
        assertThat(work.untruthful()).isEqualTo(1);
        assertThat(work.violations()).singleElement().asString().startsWith("UNTRUTHFUL");
    }

    @Test
    void shouldFindALostCommitConfirmedByAnOutcomeRequest() {
        Attempt first = update(0, NONE);
        Attempt second = update(0, written(first), Status.COMMITTED, true);
        AcknowledgedWork work = judge(List.of(first, second), written(first));
        assertThat(work.untruthful()).isEqualTo(1);
        assertThat(work.lost()).isEqualTo(1);
    }

    @Test
    void shouldAcceptEitherOutcomeOfAnUnknownAttempt() {
        Attempt first = update(0, NONE);
        Attempt unknown = update(0, written(first), Status.UNKNOWN, true);
        assertThat(judge(List.of(first, unknown), written(first)).violations()).isEmpty();
        assertThat(judge(List.of(first, unknown), written(unknown)).violations())
                .isEmpty();
    }

    @Test
    void shouldFindHalfOfATransactionWithUnknownOutcome() {
        Attempt both =
                new Attempt(1, 0, 0, 1, Status.UNKNOWN, true, new long[0], new long[0], new long[] {0, 1}, new long[] {
                    Register.next(0, 1), Register.next(0, 1)
                });
        number = 1;
        Attempt other = update(1, NONE);
        AcknowledgedWork work = judge(List.of(both, other), Register.next(0, 1), written(other));
        assertThat(work.halves()).isEqualTo(1);
    }

    @Test
    void shouldFindAVersionThatNoAttemptWrote() {
        AcknowledgedWork work = judge(List.of(update(0, NONE)), Register.next(0, 77));
        assertThat(work.violations()).anyMatch(violation -> violation.contains("which no attempt wrote"));
    }

    @Test
    void shouldNotHoldAKeyAgainstTheClusterThatCouldNotBeReadAtTheEnd() {
        AcknowledgedWork work = judge(List.of(update(0, NONE)), NONE);
        assertThat(work.lost()).isZero();
    }
}
