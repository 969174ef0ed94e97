package dev.rcc.protocols.waitdie;

import dev.rcc.core.testing.LincheckJvm;
import dev.rcc.core.time.Timestamp;
import dev.rcc.protocols.locking.LockMode;
import dev.rcc.protocols.locking.LockWordOperations;
import dev.rcc.protocols.locking.LockedLeaf;
import org.junit.jupiter.api.Test;

/**
 * Goal: WAITDIE's lock word, which no latch protects, is a lock that is shared or held alone. It lets exactly two kinds of transactions wait: those
 * older than its holder, and those whose clock is less than all its sharers' clocks since it was free.
 *
 * <p>Method: {@link LockWordOperations}. Waits end at once: a transaction that may wait looks at the word again after each change, and gives up.
 */
public class WaitdieLincheckTest extends LockWordOperations {
    /** The ages: the first and the last parallel thread have the same clock, the thread between them is older. */
    private static final long[] OWNERS = {
        Timestamp.of(6, 0, 0),
        Timestamp.of(7, 0, 1),
        Timestamp.of(5, 0, 2),
        Timestamp.of(7, 0, 3),
        Timestamp.of(8, 0, 4)
    };

    private static final LockedLeaf LEAF =
            new LockedLeaf(new WaitdieRules(LockMode.SHARED, 0), OWNERS, WaitdieParticipant::new);

    public WaitdieLincheckTest() {
        super(LEAF);
    }

    @Test
    void shouldBeLinearizable() throws Exception {
        LincheckJvm.run(LincheckJvm.Subject.WAITDIE, WaitdieLincheckTest.class);
    }

    public static void main(String[] args) {
        check(WaitdieLincheckTest.class, Ages.class);
    }

    /** An older transaction waits, a younger one dies. */
    public static class Ages extends Specification {
        private long oldestClock;

        @Override
        protected void joined(int thread, boolean first) {
            long clock = Timestamp.clock(OWNERS[thread]);
            oldestClock = first ? clock : Math.min(oldestClock, clock);
        }

        @Override
        protected String refusedBy(int other, int thread) {
            return OWNERS[thread] < OWNERS[other] ? "waited" : "died";
        }

        @Override
        protected String refusedBySharers(int thread) {
            return Timestamp.clock(OWNERS[thread]) < oldestClock ? "waited" : "died";
        }
    }
}
