package dev.rcc.server.raft;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.cluster.Placement;
import dev.rcc.core.cluster.RingPlacement;
import org.junit.jupiter.api.Test;

class LeadersTest {
    private final Placement placement = new RingPlacement(4, 3);
    private final Leaders leaders = new Leaders(4);

    @Test
    void shouldBeginWithThePrimaryAndAskAllCopiesInTurn() {
        assertThat(leaders.leader(1, 1, placement)).isEqualTo(1);
        leaders.isNot(1, 1, -1, placement);
        assertThat(leaders.leader(1, 1, placement)).isEqualTo(2);
        leaders.isNot(1, 2, -1, placement);
        assertThat(leaders.leader(1, 1, placement)).isEqualTo(3);
        leaders.isNot(1, 3, -1, placement);
        assertThat(leaders.leader(1, 1, placement)).isEqualTo(1);
    }

    @Test
    void shouldAskTheReportedLeader() {
        assertThat(leaders.leader(1, 1, placement)).isEqualTo(1);
        leaders.isNot(1, 1, 3, placement);
        assertThat(leaders.leader(1, 1, placement)).isEqualTo(3);
    }

    // Another coroutine was notified already, or there is a new configuration.
    @Test
    void shouldKeepTheLeaderOnARedirectFromAnotherNode() {
        assertThat(leaders.leader(1, 1, placement)).isEqualTo(1);
        leaders.isNot(1, 1, 3, placement);
        leaders.isNot(1, 1, 2, placement);
        assertThat(leaders.leader(1, 1, placement)).isEqualTo(3);
        assertThat(leaders.leader(1, 2, placement)).isEqualTo(1);
    }
}
