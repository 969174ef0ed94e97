package dev.rcc.protocols.rings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.memory.RemoteAddress;
import dev.rcc.core.store.Catalog;
import dev.rcc.core.testing.Seeds;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LogTailTest {
    private static final int RING = 4096;

    private final LogRingLayout layout = new LogRingLayout(3, 2, RING);

    @Test
    void shouldAppendEntriesOneAfterTheOther() {
        LogTail tail = tail(4);
        tail.reserve(64);
        assertThat(tail.position(64)).isZero();
        assertThat(tail.paddingPosition()).isEqualTo(LogTail.NO_PADDING);
        tail.reserve(16);
        assertThat(tail.position(16)).isEqualTo(64);
        assertThat(tail.tail()).isEqualTo(80);
    }

    @Test
    void shouldRestartAtTheStartOfTheRingForANewIncarnationOfTheBackup() {
        LogTail tail = tail(4);
        tail.decide(tail.reserve(64));
        tail.reserve(128);
        tail.restart();
        assertThat(tail.isDrained()).isTrue();
        assertThat(tail.hasUnannounced()).isFalse();
        assertThat(tail.nextUndecided(0)).isEqualTo(LogTail.NO_TICKET);
        long ticket = tail.reserve(64);
        assertThat(tail.position(64)).isZero();
        tail.decide(ticket);
        assertThat(tail.decided()).isEqualTo(64);
        tail.head(64);
        assertThat(tail.isDrained()).isTrue();
    }

    // Goal: an entry is contiguous. If it does not fit before the ring's end, padding fills the rest, at
    // every alignment of the end.
    @Test
    void shouldPadExactlyUpToTheRingsEnd() {
        for (int before = 16; before <= RING; before += 16) {
            for (int bytes : new int[] {16, 48, 1024, RING / 2}) {
                LogTail tail = tail(4);
                tail.decide(tail.reserve(before));
                tail.head(before);
                assertThat(tail.hasRoom(bytes)).isTrue();
                tail.reserve(bytes);
                int untilEnd = RING - before;
                if (bytes <= untilEnd || untilEnd == 0) {
                    assertThat(tail.paddingPosition()).isEqualTo(LogTail.NO_PADDING);
                    assertThat(tail.position(bytes)).isEqualTo(before);
                } else {
                    assertThat(tail.paddingPosition()).isEqualTo(before);
                    assertThat(tail.paddingBytes(bytes)).isEqualTo(untilEnd);
                    assertThat(tail.position(bytes)).isEqualTo(RING);
                }
            }
        }
    }

    @Test
    void shouldHaveRoomUpToTheLastByteAndNoFurther() {
        LogTail tail = tail(8);
        tail.reserve(RING - 64);
        assertThat(tail.hasRoom(64)).isTrue();
        assertThat(tail.hasRoom(80)).as("would have to start over the head").isFalse();
        tail.reserve(64);
        assertThat(tail.hasRoom(16)).isFalse();
        tail.head(16);
        assertThat(tail.hasRoom(16)).isTrue();
        assertThat(tail.hasRoom(32)).isFalse();
        tail.head(RING);
        assertThat(tail.isDrained()).isTrue();
        assertThat(tail.hasRoom(RING)).isTrue();
    }

    @Test
    void shouldAlwaysHaveRoomForHalfARingWhenDrained() {
        for (int before = 16; before <= RING; before += 16) {
            LogTail tail = tail(1);
            tail.decide(tail.reserve(before));
            tail.head(before);
            assertThat(tail.canEverFit(RING / 2)).isTrue();
            assertThat(tail.hasRoom(RING / 2)).isTrue();
            assertThat(tail.canEverFit(RING / 2 + 16)).isFalse();
        }
    }

    @Test
    void shouldMoveDecidedOverTheLongestDecidedPrefix() {
        LogTail tail = tail(4);
        long[] tickets = {tail.reserve(16), tail.reserve(32), tail.reserve(48)};
        tail.decide(tickets[2]);
        assertThat(tail.decided()).isZero();
        assertThat(tail.hasUnannounced()).isFalse();
        tail.decide(tickets[0]);
        assertThat(tail.decided()).isEqualTo(16);
        assertThat(tail.hasUnannounced()).isTrue();
        tail.decide(tickets[1]);
        assertThat(tail.decided()).isEqualTo(96);
        tail.announced(96);
        assertThat(tail.hasUnannounced()).isFalse();
        tail.announced(16);
        assertThat(tail.hasUnannounced())
                .as("an older announcement changes nothing")
                .isFalse();
    }

    @Test
    void shouldIgnoreAnOlderHead() {
        LogTail tail = tail(4);
        tail.decide(tail.reserve(64));
        tail.head(64);
        tail.head(16);
        assertThat(tail.isDrained()).isTrue();
    }

    @Test
    void shouldTakeAtLeastAsManyUndecidedEntriesAsPromised() {
        for (int outstanding : new int[] {1, 2, 3, 4, 5, 7, 8, 9, 31}) {
            LogTail tail = tail(outstanding);
            for (int i = 0; i < outstanding; i++) {
                assertThat(tail.hasRoom(16)).isTrue();
                tail.reserve(16);
            }
        }
        LogTail tail = tail(1);
        while (tail.hasRoom(16)) {
            tail.reserve(16);
        }
        assertThat(tail.tail())
                .as("one slow entry holds up the others when tickets run out")
                .isLessThan(RING);
    }

    // Method: random reservations, decisions out of order and heads against a list of entries.
    @Test
    void shouldAgreeWithAListOfEntries() {
        Seeds.forEach(100, random -> {
            LogTail tail = tail(8);
            List<long[]> entries = new ArrayList<>(); // start, end, decided
            List<Long> tickets = new ArrayList<>();
            long head = 0;
            int firstUndecided = 0;
            long decided = 0;
            for (int step = 0; step < 500; step++) {
                int bytes = 16 * (1 + random.nextInt(RING / 32));
                if (random.nextBoolean() && tail.hasRoom(bytes)) {
                    long before = tail.tail();
                    tickets.add(tail.reserve(bytes));
                    long start = tail.position(bytes);
                    long padding = start - before;
                    assertThat(tail.paddingPosition()).isEqualTo(padding == 0 ? LogTail.NO_PADDING : before);
                    assertThat(start / RING).as("contiguous").isEqualTo((start + bytes - 1) / RING);
                    assertThat(padding == 0 || start % RING == 0).isTrue();
                    assertThat(start + bytes - head).isLessThanOrEqualTo(RING);
                    entries.add(new long[] {start, start + bytes, 0});
                } else if (firstUndecided < entries.size()) {
                    int i = firstUndecided + random.nextInt(entries.size() - firstUndecided);
                    if (entries.get(i)[2] == 0) {
                        entries.get(i)[2] = 1;
                        tail.decide(tickets.get(i));
                    }
                    while (firstUndecided < entries.size() && entries.get(firstUndecided)[2] == 1) {
                        decided = entries.get(firstUndecided++)[1];
                    }
                    assertThat(tail.decided()).isEqualTo(decided);
                }
                if (random.nextInt(4) == 0) {
                    head = decided;
                    tail.head(head);
                    assertThat(tail.isDrained()).isEqualTo(head == tail.tail());
                }
            }
        });
    }

    @Test
    void shouldAddressTheWritersRingOnEveryBackup() {
        LogTails tails = new LogTails(layout, 3, 1, 1, 4);
        for (int backup = 0; backup < 3; backup++) {
            LogTail tail = tails.tail(backup);
            assertThat(tail.backup()).isEqualTo(backup);
            assertThat(tail.ring()).isEqualTo(layout.ring(1, 1));
            for (long address :
                    new long[] {tails.decidedAddress(tail), tails.headAddress(tail), tails.entryAddress(tail, 5000)}) {
                assertThat(RemoteAddress.node(address)).isEqualTo(backup);
                assertThat(RemoteAddress.region(address)).isEqualTo(Catalog.LOG_REGION);
            }
            assertThat(RemoteAddress.offset(tails.entryAddress(tail, 5000)))
                    .isEqualTo(layout.entryOffset(tail.ring(), 5000 - RING));
        }
    }

    private LogTail tail(int outstanding) {
        return new LogTail(2, 0, layout, outstanding);
    }
}
