package dev.rcc.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.client.wire.Bytes;
import dev.rcc.client.wire.CommitId;
import dev.rcc.client.wire.Message;
import org.junit.jupiter.api.Test;

class CallResultsTest {
    private static final CommitId ONE = new CommitId(0, 1);
    private static final CommitId OTHER = new CommitId(0, 2);

    private final CallResults results = new CallResults(1_000);

    private static Message.Returned result(long commitTs, int bytes) {
        return new Message.Returned(commitTs, Bytes.wrap(new byte[bytes]));
    }

    @Test
    void shouldForgetTheOldestResultWhenTogetherTheyAreTooLarge() {
        results.put(ONE, result(1, 500));
        results.put(OTHER, result(2, 500));
        assertThat(results.get(ONE)).isNull();
        assertThat(results.get(OTHER)).isEqualTo(result(2, 500));
    }

    @Test
    void shouldCountAResultThatReplacesAnotherOnce() {
        results.put(ONE, result(1, 300));
        for (int commitTs = 2; commitTs < 20; commitTs++) {
            results.put(OTHER, result(commitTs, 300));
        }
        assertThat(results.get(ONE)).isEqualTo(result(1, 300));
        assertThat(results.get(OTHER)).isEqualTo(result(19, 300));
    }
}
