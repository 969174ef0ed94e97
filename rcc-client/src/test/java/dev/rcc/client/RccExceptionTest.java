package dev.rcc.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.client.wire.CommitId;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class RccExceptionTest {
    private static final CommitTicket TICKET = new CommitTicket(CommitId.random(), "localhost:7400", 1, Instant.EPOCH);

    // Goal: an exception that a closure gets from another transaction's future still has its class and ticket.
    @Test
    void shouldKeepItsClassAndTicketOnAnotherThread() {
        RccException unknown = RccClient.unknown(TICKET, null).here();
        assertThat(unknown)
                .isInstanceOfSatisfying(
                        TransactionOutcomeUnknownException.class,
                        e -> assertThat(e.ticket()).isEqualTo(TICKET))
                .hasMessageEndingWith("before doing it twice [OUTCOME_UNKNOWN]");
        RccException lost = new ResultLostException(TICKET, "lost", null).here();
        assertThat(lost)
                .isInstanceOfSatisfying(
                        ResultLostException.class, e -> assertThat(e.ticket()).isEqualTo(TICKET))
                .hasMessage("lost [RESULT_LOST]");
    }
}
