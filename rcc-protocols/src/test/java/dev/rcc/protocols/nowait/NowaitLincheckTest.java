package dev.rcc.protocols.nowait;

import dev.rcc.core.testing.LincheckJvm;
import dev.rcc.core.time.Timestamp;
import dev.rcc.protocols.locking.LockMode;
import dev.rcc.protocols.locking.LockWordOperations;
import dev.rcc.protocols.locking.LockedLeaf;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Goal: NOWAIT's lock word, which no latch protects, is a lock that is shared or held alone. A refused thread conflicted with a holder. Method:
 * {@link LockWordOperations}.
 */
public class NowaitLincheckTest extends LockWordOperations {
    private static final LockedLeaf LEAF = new LockedLeaf(
            new NowaitRules(LockMode.SHARED),
            IntStream.range(0, THREADS)
                    .mapToLong(thread -> Timestamp.of(7, 0, thread))
                    .toArray());

    public NowaitLincheckTest() {
        super(LEAF);
    }

    @Test
    void shouldBeLinearizable() throws Exception {
        LincheckJvm.run(LincheckJvm.Subject.NOWAIT, NowaitLincheckTest.class);
    }

    public static void main(String[] args) {
        check(NowaitLincheckTest.class, Conflicts.class);
    }

    /** No thread waits. */
    public static class Conflicts extends Specification {
        @Override
        protected String refusedBy(int other, int thread) {
            return "conflict";
        }

        @Override
        protected String refusedBySharers(int thread) {
            return "conflict";
        }
    }
}
