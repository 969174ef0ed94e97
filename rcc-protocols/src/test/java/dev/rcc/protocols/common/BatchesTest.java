package dev.rcc.protocols.common;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.testing.FakeCoroutine;
import dev.rcc.core.testing.FakeWorker;
import dev.rcc.core.worker.Completion;
import org.junit.jupiter.api.Test;

class BatchesTest {
    private final FakeEndpoint endpoint = new FakeEndpoint();
    private final Completion completion = new Completion(new FakeCoroutine(0, new FakeWorker(0)));
    private final Batches batches = new Batches(endpoint, 3);

    @Test
    void shouldStartOneBatchANodeAndPostThemInThatOrder() {
        batches.to(2).writeWord(1, 0);
        batches.to(0).writeWord(2, 0);
        batches.to(2).writeWord(3, 0);
        batches.post(completion);
        assertThat(endpoint.log)
                .containsExactly(
                        "start 2",
                        "writeWord 1 to 2",
                        "start 0",
                        "writeWord 2 to 0",
                        "writeWord 3 to 2",
                        "post 2 of 2",
                        "post 0 of 1");
    }

    @Test
    void shouldPostNothingTwice() {
        batches.to(1).writeWord(1, 0);
        batches.post(completion);
        batches.post(completion);
        batches.to(1).writeWord(2, 0);
        batches.post(completion);
        assertThat(endpoint.log)
                .containsExactly(
                        "start 1", "writeWord 1 to 1", "post 1 of 1", "start 1", "writeWord 2 to 1", "post 1 of 1");
    }
}
