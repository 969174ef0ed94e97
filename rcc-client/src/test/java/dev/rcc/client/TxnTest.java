package dev.rcc.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.client.wire.Message;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class TxnTest {
    private static final RccException CONFLICT = refusal(ErrorCode.CONFLICT);

    private static RccException refusal(ErrorCode code) {
        return RccException.of(new Message.Failed(code.number(), false, true, 0, "why"));
    }

    private static ErrorCode reason(ErrorCode operation) {
        return Txn.whyRefused(CompletableFuture.failedFuture(refusal(operation)), CONFLICT)
                .code();
    }

    @Test
    void shouldGiveTheRefusalOfTheOperationAsTheReasonOfARefusedCommit() {
        assertThat(reason(ErrorCode.BAD_REQUEST)).isEqualTo(ErrorCode.BAD_REQUEST);
        assertThat(Txn.whyRefused(CompletableFuture.completedFuture(null), CONFLICT))
                .isSameAs(CONFLICT);
    }

    // A record that was read by an insert whose commit was refused need not be there.
    @Test
    void shouldNotClaimThatARecordExistsIfTheCommitThatWouldConfirmItWasRefused() {
        assertThat(reason(ErrorCode.ALREADY_EXISTS)).isEqualTo(ErrorCode.CONFLICT);
    }
}
