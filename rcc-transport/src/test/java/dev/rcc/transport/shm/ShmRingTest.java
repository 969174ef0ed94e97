package dev.rcc.transport.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.testing.Seeds;
import java.lang.foreign.Arena;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ShmRingTest {
    private static final int CAPACITY = 4096;
    private static final int MAX_PAYLOAD = ShmRingLayout.maxPayloadBytes(CAPACITY);

    private final Arena arena = Arena.ofConfined();
    private final Memory source = Memory.allocate(arena, CAPACITY);
    private final Memory target = Memory.allocate(arena, CAPACITY);
    private Memory ring;
    private ShmRingWriter writer;
    private ShmRingReader reader;

    ShmRingTest() {
        reset();
    }

    private void reset() {
        ring = Memory.allocate(arena, ShmRingLayout.RECORDS + CAPACITY);
        writer = new ShmRingWriter(ring);
        reader = new ShmRingReader(ring);
    }

    @AfterEach
    void free() {
        arena.close();
    }

    @Test
    void shouldKeepEveryFieldOfARecordToItsLastValue() {
        source.putLong(0, 77);
        assertThat(writer.write(ShmRingLayout.FAILURE, 255, -1, Integer.MAX_VALUE, source, 0, 7))
                .isTrue();
        writer.publish();
        assertThat(reader.next()).isTrue();
        assertThat(reader.kind()).isEqualTo(ShmRingLayout.FAILURE);
        assertThat(reader.rpcId()).isEqualTo(255);
        assertThat(reader.call()).isEqualTo(-1);
        assertThat(reader.room()).isEqualTo(Integer.MAX_VALUE);
        assertThat(reader.payloadBytes()).isEqualTo(7);
        assertThat(reader.next()).isFalse();
    }

    @Test
    void shouldHaveItsPartsSideBySide() {
        assertThat(ShmRingLayout.ringOffset(0, false, CAPACITY)).isZero();
        assertThat(ShmRingLayout.ringOffset(0, true, CAPACITY)).isEqualTo(ring.size());
        assertThat(ShmRingLayout.ringOffset(3, true, CAPACITY)).isEqualTo(7 * ring.size());
        assertThat(ShmRingLayout.fileBytes(4, CAPACITY)).isEqualTo(8 * ring.size());
        assertThat(ShmNodeFileLayout.state(ShmNodeFileLayout.MAX_WORKERS)).isEqualTo(ShmNodeFileLayout.BYTES);
        assertThat(ShmNodeFileLayout.doorbell()).isPositive().isLessThan(ShmNodeFileLayout.state(0));
    }

    @Test
    void shouldShowOnlyPublishedRecordsAndReportWhetherAnyWerePublished() {
        assertThat(writer.publish()).isFalse();
        write(1, 8);
        assertThat(reader.next()).isFalse();
        assertThat(writer.publish()).isTrue();
        assertThat(writer.publish()).isFalse();
        assertThat(reader.next()).isTrue();
    }

    @Test
    void shouldHaveNoRoomUntilTheReaderGivesSomeBack() {
        int written = 0;
        while (write(written, 40)) {
            written++;
        }
        assertThat(written).isEqualTo(CAPACITY / 64);
        writer.publish();
        assertThat(reader.next()).isTrue();
        assertThat(write(0, 40)).isFalse();
        reader.release();
        assertThat(write(0, 40)).isTrue();
        assertThat(write(0, 40)).isFalse();
    }

    // Goal: the longest record finds room in an empty ring at any position; otherwise a call would wait for
    // ever.
    @Test
    void shouldTakeTheLongestRecordWhereverAnEmptyRingHasStopped() {
        for (int stop = 0; stop < CAPACITY; stop += 8) {
            reset();
            for (int at = 0; at < stop; ) {
                int record = stop - at < 64 && stop - at >= 32 ? stop - at : Math.min(32, stop - at);
                if (record < 24) {
                    break;
                }
                assertThat(write(at, record - 24)).isTrue();
                at += record;
                writer.publish();
                assertThat(reader.next()).isTrue();
                reader.release();
            }
            assertThat(write(stop, MAX_PAYLOAD)).as("from byte %d", stop).isTrue();
            writer.publish();
            assertThat(reader.next()).isTrue();
            assertThat(reader.payloadBytes()).isEqualTo(MAX_PAYLOAD);
        }
    }

    // Goal: the reader gets records whole and in order, at any length and any alternation of the two ends,
    // round after round.
    @Test
    void shouldCarryRecordsInOrder() {
        Seeds.forEach(50, random -> {
            reset();
            Queue<Long> sent = new ArrayDeque<>();
            for (int step = 0; step < 5000; step++) {
                switch (random.nextInt(4)) {
                    case 0, 1 -> {
                        long seed = random.nextLong();
                        int bytes = length(seed);
                        fill(source, seed, bytes);
                        if (writer.write(ShmRingLayout.REQUEST, (int) seed & 0xFF, seed, 5, source, 0, bytes)) {
                            sent.add(seed);
                        }
                    }
                    case 2 -> writer.publish();
                    default -> {
                        for (int i = random.nextInt(10); i > 0 && reader.next(); i--) {
                            checkRecord(sent.remove());
                        }
                        reader.release();
                    }
                }
            }
            writer.publish();
            while (reader.next()) {
                checkRecord(sent.remove());
            }
            assertThat(sent).isEmpty();
        });
    }

    private void checkRecord(long seed) {
        int bytes = length(seed);
        assertThat(reader.call()).isEqualTo(seed);
        assertThat(reader.rpcId()).isEqualTo((int) seed & 0xFF);
        assertThat(reader.payloadBytes()).isEqualTo(bytes);
        reader.copyPayload(target, 0);
        fill(source, seed, bytes);
        for (int i = 0; i < bytes; i += 8) {
            assertThat(target.getLong(i)).isEqualTo(source.getLong(i));
        }
    }

    /** A length that is mostly short, sometimes up to the maximum; a multiple of 8 so that words can be compared. */
    private static int length(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        return random.nextInt(8) == 0 ? random.nextInt(MAX_PAYLOAD / 8 + 1) * 8 : random.nextInt(12) * 8;
    }

    private static void fill(Memory memory, long seed, int bytes) {
        SplittableRandom random = new SplittableRandom(~seed);
        for (int i = 0; i < bytes; i += 8) {
            memory.putLong(i, random.nextLong());
        }
    }

    // Goal: for any contents of the ring, reading ends, touches no memory outside, and either yields records
    // of bounded length or refuses.
    // Method: valid traffic, then words are overwritten by nearly valid or random values.
    @Test
    void shouldRejectInvalidRecordsAndNeverReadOutsideTheRing() {
        int[] refused = new int[1];
        Seeds.forEach(3000, random -> {
            reset();
            for (int round = 0; round < 20; round++) {
                for (int i = random.nextInt(20); i > 0; i--) {
                    write(random.nextLong(), random.nextInt(random.nextInt(1, MAX_PAYLOAD)));
                }
                writer.publish();
                for (int i = random.nextInt(3); i > 0; i--) {
                    spoil(random);
                }
                try {
                    int records = 0;
                    while (reader.next()) {
                        assertThat(reader.payloadBytes()).isBetween(0, MAX_PAYLOAD);
                        assertThat(reader.kind()).isBetween(ShmRingLayout.REQUEST, ShmRingLayout.FAILURE);
                        assertThat(reader.rpcId()).isBetween(0, 255);
                        reader.copyPayload(target, 0);
                        assertThat(++records).isLessThanOrEqualTo(CAPACITY / ShmRingLayout.HEADER_BYTES);
                    }
                    reader.release();
                } catch (CorruptRing e) {
                    refused[0]++;
                    return;
                }
            }
        });
        assertThat(refused[0]).isPositive();
    }

    private void spoil(SplittableRandom random) {
        long tail = ring.getLong(ShmRingLayout.TAIL);
        switch (random.nextInt(4)) {
            case 0 -> ring.putLong(ShmRingLayout.TAIL, tail + random.nextInt(-CAPACITY, 2 * CAPACITY));
            case 1 -> ring.putLong(ShmRingLayout.TAIL, random.nextLong());
            case 2 -> {
                long at = ShmRingLayout.RECORDS + 8L * random.nextInt(CAPACITY / 8);
                ring.putLong(at, ring.getLong(at) ^ 1L << random.nextInt(64));
            }
            default -> {
                long at = ShmRingLayout.RECORDS + 8L * random.nextInt(CAPACITY / 8);
                ring.putLong(at, ShmRingLayout.header(random.nextInt(6), random.nextInt(256), random.nextInt(8192)));
            }
        }
    }

    @Test
    void shouldRejectAReaderWithAnImpossiblePosition() {
        for (long claim : new long[] {72, -8, 3, Long.MIN_VALUE, Long.MAX_VALUE & -8}) {
            reset();
            write(1, 40);
            writer.publish();
            ring.putLong(ShmRingLayout.HEAD, claim);
            assertThatExceptionOfType(CorruptRing.class)
                    .as("claim %d", claim)
                    .isThrownBy(() -> {
                        while (write(1, MAX_PAYLOAD)) {
                            // until the writer checks the reader's count
                        }
                    })
                    .withMessageContaining(String.valueOf(claim));
        }
    }

    private boolean write(long call, int bytes) {
        return writer.write(ShmRingLayout.REQUEST, 1, call, 8, source, 0, bytes);
    }
}
