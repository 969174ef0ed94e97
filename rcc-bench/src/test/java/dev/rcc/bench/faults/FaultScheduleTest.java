package dev.rcc.bench.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class FaultScheduleTest {
    private static final ClusterShape MEMORY = new ClusterShape(3, 3, false, false, true, 2_000);
    private static final ClusterShape DISK = new ClusterShape(5, 3, false, true, true, 2_000);
    private static final ClusterShape RAFT = new ClusterShape(5, 3, true, true, true, 2_000);
    private static final int MANY = 500;

    private static List<FaultKind> survived(ClusterShape shape) {
        return Stream.of(FaultKind.values())
                .filter(kind -> kind.isSurvivedBy(shape))
                .toList();
    }

    @Test
    void shouldDrawTheSameFromASeedForAnyOrderOfKinds() {
        List<PlannedFault> drawn = FaultSchedule.draw(7, MANY, DISK, List.of(FaultKind.values()));
        assertThat(FaultSchedule.draw(7, MANY, DISK, List.of(FaultKind.values()).reversed()))
                .isEqualTo(drawn);
        assertThat(FaultSchedule.draw(8, MANY, DISK, List.of(FaultKind.values())))
                .isNotEqualTo(drawn);
    }

    @Test
    void shouldBeginLikeAShorterScheduleOfTheSameSeed() {
        assertThat(FaultSchedule.draw(7, MANY, DISK, survived(DISK)).subList(0, 10))
                .isEqualTo(FaultSchedule.draw(7, 10, DISK, survived(DISK)));
    }

    @Test
    void shouldDrawAllKindsAndNodesThatMayBe() {
        List<PlannedFault> drawn = FaultSchedule.draw(1, MANY, DISK, survived(DISK));
        assertThat(drawn.stream().map(PlannedFault::kind).collect(Collectors.toSet()))
                .isEqualTo(EnumSet.allOf(FaultKind.class));
        assertThat(drawn.stream().map(PlannedFault::node).collect(Collectors.toSet()))
                .containsExactlyInAnyOrder(0, 1, 2, 3, 4);
    }

    @Test
    void shouldHitTwoNodesWithinAQuarterOfASecond() {
        assertThat(FaultSchedule.draw(1, MANY, MEMORY, List.of(FaultKind.KILL_TWO)))
                .allSatisfy(fault -> {
                    assertThat(fault.other()).isNotEqualTo(fault.node()).isBetween(0, 2);
                    assertThat(fault.betweenMillis()).isBetween(0, 250);
                });
    }

    @Test
    void shouldStopNodesForLongerThanTheTimeAfterWhichTheyCountAsDead() {
        assertThat(FaultSchedule.draw(1, MANY, MEMORY, List.of(FaultKind.STOP)))
                .allSatisfy(fault -> assertThat(fault.downMillis()).isGreaterThan(MEMORY.failureMillis()));
    }

    @Test
    void shouldAllowOnlyFaultKindsThatAClusterSurvives() {
        assertThat(survived(MEMORY)).contains(FaultKind.KILL_TWO).doesNotContain(FaultKind.KILL_ALL, FaultKind.CUT_LOG);
        assertThat(survived(DISK)).contains(FaultKind.KILL_ALL, FaultKind.CUT_LOG);
        assertThat(survived(new ClusterShape(5, 2, false, false, true, 2_000)))
                .contains(FaultKind.KILL)
                .doesNotContain(FaultKind.KILL_TWO, FaultKind.KILL_OTHER);
        assertThat(survived(new ClusterShape(3, 1, false, false, true, 2_000))).isEmpty();
        assertThat(survived(new ClusterShape(3, 3, false, false, false, 2_000))).isEmpty();
        assertThat(survived(new ClusterShape(3, 2, false, true, false, 2_000))).containsExactly(FaultKind.KILL_ALL);
    }

    // Goal: Raft in memory does not go on when half of a partition's copies are lost, even if their processes are
    // started again.
    @Test
    void shouldKillTwoNodesUnderRaftOnlyIfAMajorityOfCopiesOrDisksAreLeft() {
        assertThat(survived(new ClusterShape(5, 3, true, false, true, 2_000)))
                .contains(FaultKind.KILL, FaultKind.KILL_AGAIN)
                .doesNotContain(FaultKind.KILL_TWO, FaultKind.KILL_OTHER);
        assertThat(survived(new ClusterShape(5, 5, true, false, true, 2_000)))
                .contains(FaultKind.KILL_TWO, FaultKind.KILL_OTHER);
        assertThat(survived(RAFT)).contains(FaultKind.KILL_TWO, FaultKind.KILL_OTHER);
    }

    // Goal: no fault is reported that changes nothing. Raft's entries are not in the write-ahead log.
    @Test
    void shouldNotCutTheWriteAheadLogUnderRaft() {
        assertThat(survived(RAFT)).contains(FaultKind.KILL_ALL).doesNotContain(FaultKind.CUT_LOG);
    }
}
