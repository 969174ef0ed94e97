package dev.rcc.protocols.calvin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.store.TupleLayout;
import dev.rcc.core.time.Timestamp;
import java.lang.foreign.Arena;
import org.junit.jupiter.api.Test;

class CommitVersionTest {
    private static final long SUBMISSION = Timestamp.of(1_000, 3, 5);
    private static final int RESULT = 64;
    private static final int IMAGE = 128;

    private final TupleLayout layout =
            new TupleLayout(CalvinLayout.METADATA_BYTES, TableSchema.ofLongKeys(0, "t", 8, 10));
    private final Memory buffers = Memory.allocate(Arena.ofAuto(), 1024);

    private long latest(int status, long record, long leaf, long slot) {
        ForwardMessage.encodeResult(buffers, RESULT, status, 0, leaf, slot);
        buffers.putLong(IMAGE + layout.versionOffset(), record);
        return CommitVersion.latest(7, buffers, RESULT, IMAGE, layout);
    }

    @Test
    void shouldMeetTheVersionsOfRecordLeafAndSlot() {
        assertThat(latest(ForwardMessage.FOUND, 30, 20, 0)).isEqualTo(30);
        assertThat(latest(ForwardMessage.FOUND, 30, 40, 0)).isEqualTo(40);
        assertThat(latest(ForwardMessage.ABSENT, 30, 20, 25)).as("no image").isEqualTo(25);
        assertThat(latest(ForwardMessage.ABSENT, 30, 0, 0)).isEqualTo(7);
    }

    @Test
    void shouldBeTheSubmissionsIdIfThatIsGreaterThanAllThatWasMet() {
        assertThat(CommitVersion.of(Timestamp.NONE, SUBMISSION)).isEqualTo(SUBMISSION);
        assertThat(CommitVersion.of(Timestamp.of(1_000, 3, 4), SUBMISSION)).isEqualTo(SUBMISSION);
    }

    // Goal: the commit version is greater than the latest version, and no other coroutine's version.
    @Test
    void shouldBeTheCoroutinesNextBehindTheLatestVersion() {
        for (long latest : new long[] {Timestamp.of(1_000, 3, 6), Timestamp.of(5_000, 255, 1_023)}) {
            assertThat(CommitVersion.of(latest, SUBMISSION))
                    .isEqualTo(Timestamp.of(Timestamp.clock(latest) + 1, 3, 5))
                    .isGreaterThan(latest);
        }
    }
}
