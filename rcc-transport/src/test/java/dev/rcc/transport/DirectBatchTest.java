package dev.rcc.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.Prefetch;
import dev.rcc.core.memory.RemoteAddress;
import dev.rcc.core.worker.Completion;
import java.lang.foreign.Arena;
import org.junit.jupiter.api.Test;

class DirectBatchTest {
    private static final int PEER = 1;
    private static final int DATA = 0;
    private static final int UNKNOWN = 1;

    private final Prefetch prefetch = new Prefetch();

    // A peer's memory may go at any time after its batch was refused.
    @Test
    void shouldLeaveNothingOfARefusedBatchToBePrefetched() {
        try (Arena local = Arena.ofConfined()) {
            TestBatch batch;
            try (Arena peers = Arena.ofConfined()) {
                batch = new TestBatch(Memory.allocate(local, 64), Memory.allocate(peers, 64));
                batch.fetchAdd(RemoteAddress.of(PEER, DATA, 0), 1, 0);
                batch.writeWord(1, RemoteAddress.of(PEER, UNKNOWN, 0));
                assertThatIllegalArgumentException().isThrownBy(() -> batch.carryOutNow(prefetch));
            }
            assertThat(batch.recycled).isTrue();
            assertThatCode(prefetch::fetch).doesNotThrowAnyException();
        }
    }

    private static final class TestBatch extends DirectBatch {
        private final Memory[] regions;
        private boolean recycled;

        TestBatch(Memory buffers, Memory data) {
            super(buffers, new WorkerCounters());
            this.regions = new Memory[] {data};
            open(PEER);
        }

        @Override
        public void post(Completion completion) {
            throw new UnsupportedOperationException("the test carries the batch out");
        }

        @Override
        protected Memory[] reach() {
            return regions;
        }

        @Override
        protected void recycle() {
            recycled = true;
        }
    }
}
