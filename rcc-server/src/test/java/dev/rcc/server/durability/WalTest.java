package dev.rcc.server.durability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rcc.core.memory.Memory;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The write-ahead log: entries that were reported as durable are there again, and entries that differ from what was written are noticed. */
class WalTest {
    private static final WalIdentity IDENTITY = new WalIdentity(3, 0x123456789ABCDEFL, 42);
    private static final int RINGS = 5;
    private static final int SEGMENT_BYTES = 1 << 20;

    @TempDir
    private Path directory;

    private final FailingDisk disk = new FailingDisk();
    private final Memory source = Memory.allocate(Arena.ofAuto(), 4096);
    private final long[] positions = new long[RINGS];

    /** The appended entries, as text. */
    private final List<String> written = new ArrayList<>();

    private final Told told = new Told();

    private static final class Told implements WalWriter.Listener {
        private final Map<Integer, Long> durable = new ConcurrentHashMap<>();
        private final CountDownLatch failed = new CountDownLatch(1);
        /** The latch that the writer's thread waits for before it goes on. */
        private volatile CountDownLatch hold = new CountDownLatch(0);

        private final CountDownLatch called = new CountDownLatch(1);

        @Override
        public void durable(int ring, long end) {
            called.countDown();
            try {
                hold.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            durable.merge(ring, end, Math::max);
        }

        @Override
        public void failed(Throwable cause) {
            failed.countDown();
        }
    }

    private WalWriter writer(long segment, int segmentBytes) throws IOException {
        return new WalWriter(
                disk, directory, IDENTITY, segment, RINGS, 64 * 1024, segmentBytes, told, new DurabilityCounters());
    }

    /** Appends an entry of a ring; returns the number of its batch. */
    private long append(WalWriter writer, SplittableRandom random) {
        int ring = random.nextInt(RINGS);
        int bytes = 16 * (1 + random.nextInt(8));
        for (int i = 0; i < bytes; i += Memory.WORD_BYTES) {
            source.putLong(i, random.nextLong());
        }
        long batch = writer.appendEntry(ring, positions[ring], positions[ring] + bytes, source, 0, bytes);
        if (batch != WalWriter.NO_ROOM) {
            written.add(text(WalLayout.ENTRY, ring, positions[ring], source, 0, bytes));
            positions[ring] += bytes;
        }
        return batch;
    }

    private void appendDurably(WalWriter writer, SplittableRandom random, int records) throws InterruptedException {
        long batch = WalWriter.NO_ROOM;
        for (int i = 0; i < records; i++) {
            batch = append(writer, random);
        }
        while (writer.durableBatch() < batch) {
            TimeUnit.MICROSECONDS.sleep(50);
        }
    }

    private static String text(int kind, int ring, long position, Memory memory, long offset, int bytes) {
        byte[] payload = new byte[bytes];
        memory.getBytes(offset, payload, 0, bytes);
        return kind + " " + ring + "/" + position + " " + HexFormat.of().formatHex(payload);
    }

    private WalReader.End read(List<String> records) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            return new WalReader(disk, directory, IDENTITY, arena)
                    .read(
                            1,
                            (kind, ring, position, memory, offset, bytes) ->
                                    records.add(text(kind, ring, position, memory, offset, bytes)));
        }
    }

    private List<String> read() throws IOException {
        List<String> records = new ArrayList<>();
        read(records);
        return records;
    }

    @Test
    void shouldReadAllWrittenRecords() throws Exception {
        SplittableRandom random = new SplittableRandom(1);
        try (WalWriter writer = writer(1, 2_000)) {
            for (int i = 0; i < 40; i++) {
                appendDurably(writer, random, 1 + random.nextInt(5));
            }
            assertThat(writer.append(WalLayout.DECIDED, 2, 77)).isPositive();
        }
        written.add(WalLayout.DECIDED + " 2/77 ");
        assertThat(read()).isEqualTo(written);
        assertThat(WalFiles.segments(directory)).hasSizeGreaterThan(5);
        for (int ring = 0; ring < RINGS; ring++) {
            assertThat(told.durable.get(ring)).isEqualTo(positions[ring]);
        }
    }

    @Test
    void shouldBeginANewSegmentWhenAsked() throws Exception {
        SplittableRandom random = new SplittableRandom(2);
        try (WalWriter writer = writer(1, SEGMENT_BYTES)) {
            append(writer, random);
            assertThat(writer.rotate().get(10, TimeUnit.SECONDS)).isEqualTo(2);
            append(writer, random);
        }
        assertThat(read()).isEqualTo(written);
        WalFiles.deleteBefore(disk, directory, 2);
        assertThatThrownBy(this::read).isInstanceOf(WalDamaged.class).hasMessageContaining("segment-000000000001.wal");
    }

    @Test
    void shouldBeginANewSegmentBeforeOneIsLongerThanItsLimit() throws Exception {
        int limit = 4096;
        SplittableRandom random = new SplittableRandom(6);
        try (WalWriter writer = writer(1, limit)) {
            for (int batch = 0; batch < 30; batch++) {
                appendDurably(writer, random, 10);
            }
        }
        List<Long> segments = WalFiles.segments(directory);
        assertThat(segments).hasSizeGreaterThan(2);
        for (long segment : segments) {
            assertThat(Files.size(WalLayout.file(directory, segment))).isLessThanOrEqualTo(limit);
        }
        assertThat(read()).isEqualTo(written);
    }

    // Goal: no segment passes 2 GiB, with the largest log rings and segments.
    @Test
    void shouldNotTakeALargeBatchForOneThatFitsBehindAnother() {
        int largest = 1 << 30;
        assertThat(WalLayout.fits(WalLayout.HEADER_BYTES, largest, WalLayout.MAX_SEGMENT_BYTES))
                .isTrue();
        assertThat(WalLayout.fits(WalLayout.HEADER_BYTES + largest, largest, largest))
                .isFalse();
        assertThat(WalLayout.fits(0, WalLayout.MAX_SEGMENT_BYTES, WalLayout.MAX_SEGMENT_BYTES))
                .isFalse();
    }

    @Test
    void shouldRejectAnEntryThatDoesNotFitAndAcceptASmallerOne() throws Exception {
        try (WalWriter writer = writer(1, SEGMENT_BYTES)) {
            Memory large = Memory.allocate(Arena.ofAuto(), 64 * 1024);
            assertThat(writer.appendEntry(0, 0, 65536, large, 0, 65536)).isEqualTo(WalWriter.NO_ROOM);
            assertThat(writer.appendEntry(0, 0, 32768, large, 0, 32768)).isPositive();
        }
        assertThat(told.durable).containsExactly(Map.entry(0, 32768L));
    }

    // Goal: whatever a crash leaves of the last batch, the log is read up to the last whole record, and
    // continued behind it.
    @Test
    void shouldContinueAfterATailThatWasCutAtAnyByte() throws Exception {
        SplittableRandom random = new SplittableRandom(3);
        Path file = WalLayout.file(directory, 1);
        byte[] log;
        int durable;
        try (WalWriter writer = writer(1, SEGMENT_BYTES)) {
            appendDurably(writer, random, 3);
            durable = (int) Files.size(file);
            for (int i = 0; i < 4; i++) {
                append(writer, random);
            }
        }
        log = Files.readAllBytes(file);
        List<Integer> ends = recordEnds(log);
        for (int cut = durable; cut <= log.length; cut++) {
            int bytes = cut;
            Files.write(file, Arrays.copyOf(log, cut));
            List<String> left = new ArrayList<>();
            WalReader.End end = read(left);
            int whole = (int) ends.stream().filter(each -> each <= bytes).count();
            assertThat(left).as("cut at %d", cut).isEqualTo(written.subList(0, whole));
            assertThat(WalReader.seal(disk, directory, end)).isEqualTo(2);
            WalWriter next = writer(2, SEGMENT_BYTES);
            List<String> before = List.copyOf(written);
            written.clear();
            append(next, new SplittableRandom(cut));
            next.close();
            left.addAll(written);
            written.clear();
            written.addAll(before);
            assertThat(read()).as("cut at %d, and continued", cut).isEqualTo(left);
            Files.delete(WalLayout.file(directory, 2));
        }
    }

    @Test
    void shouldReadALogThatLostPowerAtAnyMomentWhileItsTornEndWasCutOff() throws Exception {
        SplittableRandom random = new SplittableRandom(10);
        Path file = WalLayout.file(directory, 1);
        try (WalWriter writer = writer(1, SEGMENT_BYTES)) {
            appendDurably(writer, random, 3);
        }
        byte[] torn = Arrays.copyOf(Files.readAllBytes(file), (int) Files.size(file) + 4 * WalLayout.RECORD_BYTES);
        Files.write(file, torn);
        WalReader.End end = read(new ArrayList<>());
        long before = disk.operations();
        WalReader.seal(disk, directory, end);
        long operations = disk.operations() - before;
        for (long operation = 0; operation < operations; operation++) {
            Files.write(file, torn);
            disk.failAfter(operation, FailingDisk.Fault.NOTHING);
            assertThatThrownBy(() -> WalReader.seal(disk, directory, end)).isInstanceOf(IOException.class);
            disk.losePower(random);
            disk.mend();
            assertThat(read()).as("lost power before operation %d", operation).isEqualTo(written);
        }
    }

    private static List<Integer> recordEnds(byte[] log) {
        ByteBuffer bytes = ByteBuffer.wrap(log).order(ByteOrder.LITTLE_ENDIAN);
        List<Integer> ends = new ArrayList<>();
        for (int at = WalLayout.HEADER_BYTES; at < log.length; ) {
            at += bytes.getInt(at);
            ends.add(at);
        }
        return ends;
    }

    // Goal: damage to anything that was durable before the last batch is an error that says where, never a shorter log.
    @Test
    void shouldNoticeEveryFlippedByteBeforeTheLastBatch() throws Exception {
        SplittableRandom random = new SplittableRandom(4);
        Path file = WalLayout.file(directory, 1);
        int last;
        try (WalWriter writer = writer(1, SEGMENT_BYTES)) {
            appendDurably(writer, random, 3);
            appendDurably(writer, random, 3);
            last = (int) Files.size(file);
            appendDurably(writer, random, 2);
        }
        byte[] log = Files.readAllBytes(file);
        List<Integer> ends = recordEnds(log);
        for (int at = WalLayout.HEADER_BYTES; at < last; at++) {
            byte[] damaged = log.clone();
            damaged[at] ^= (byte) (1 << random.nextInt(8));
            Files.write(file, damaged);
            int flipped = at;
            int start = ends.stream().filter(end -> end <= flipped).reduce(WalLayout.HEADER_BYTES, Math::max);
            assertThatThrownBy(this::read)
                    .as("flipped at %d", at)
                    .isInstanceOf(WalDamaged.class)
                    .hasMessageStartingWith(file + ", offset " + start + ":");
        }
    }

    @Test
    void shouldNoticeThatASegmentIsShorterOrMissingOrAnothers() throws Exception {
        SplittableRandom random = new SplittableRandom(5);
        try (WalWriter writer = writer(1, SEGMENT_BYTES)) {
            for (int i = 0; i < 3; i++) {
                append(writer, random);
                writer.rotate().get(10, TimeUnit.SECONDS);
            }
        }
        Path second = WalLayout.file(directory, 2);
        byte[] log = Files.readAllBytes(second);
        for (int bytes = 0; bytes < log.length; bytes++) {
            Files.write(second, Arrays.copyOf(log, bytes));
            assertThatThrownBy(this::read).isInstanceOf(WalDamaged.class).hasMessageContaining(second.toString());
        }
        Files.write(second, log);
        Files.move(second, directory.resolve("elsewhere"));
        assertThatThrownBy(this::read).isInstanceOf(WalDamaged.class).hasMessageContaining(second.toString());
        Files.copy(WalLayout.file(directory, 3), second);
        assertThatThrownBy(this::read).isInstanceOf(WalDamaged.class).hasMessageContaining(second.toString());
        assertThatThrownBy(() -> new WalReader(disk, directory, new WalIdentity(2, 1, 1), Arena.ofAuto())
                        .read(1, (kind, ring, position, memory, offset, bytes) -> {}))
                .isInstanceOf(WalDamaged.class)
                .hasMessageContaining("node=3")
                .hasMessageContaining("node=2");
    }

    // Goal: a crash while a segment is created leaves the log as it was.
    @Test
    void shouldPassOverASegmentThatWasNotThereYet() throws Exception {
        SplittableRandom random = new SplittableRandom(6);
        try (WalWriter writer = writer(1, SEGMENT_BYTES)) {
            append(writer, random);
            writer.rotate().get(10, TimeUnit.SECONDS);
        }
        Path next = WalLayout.file(directory, 2);
        byte[] header = Files.readAllBytes(next);
        assertThat(header).hasSize(WalLayout.HEADER_BYTES);
        for (int bytes = 0; bytes <= header.length; bytes++) {
            Files.write(next, Arrays.copyOf(header, bytes));
            List<String> records = new ArrayList<>();
            WalReader.End end = read(records);
            assertThat(records).isEqualTo(written);
            assertThat(WalReader.seal(disk, directory, end)).isEqualTo(bytes < header.length ? 2 : 3);
        }
    }

    // Method: the system wrote the end of the last batch back before its beginning, and then the power went.
    @Test
    void shouldTakeAHoleInTheLastBatchForATornTail() throws Exception {
        SplittableRandom random = new SplittableRandom(7);
        Path file = WalLayout.file(directory, 1);
        told.hold = new CountDownLatch(1);
        try (WalWriter writer = writer(1, SEGMENT_BYTES)) {
            append(writer, random);
            told.called.await();
            for (int i = 0; i < 3; i++) {
                append(writer, random);
            }
            told.hold.countDown();
        }
        List<Integer> ends = recordEnds(Files.readAllBytes(file));
        damage(file, ends.get(0));
        assertThat(read()).isEqualTo(written.subList(0, 1));
        damage(file, WalLayout.HEADER_BYTES);
        assertThat(batchOf(file, ends.get(1))).isEqualTo(ends.get(0));
        assertThatThrownBy(this::read).isInstanceOf(WalDamaged.class).hasMessageContaining("offset 64");
    }

    private static void damage(Path file, int offset) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.allocate(8), offset);
        }
    }

    private static int batchOf(Path file, int record) throws IOException {
        return ByteBuffer.wrap(Files.readAllBytes(file))
                .order(ByteOrder.LITTLE_ENDIAN)
                .getInt(record + WalLayout.BATCH_OFFSET);
    }

    // Goal: after a failed write or a failed force no entry is reported as durable, nothing more is written,
    // and the failure is reported.
    @ParameterizedTest
    @EnumSource(FailingDisk.Fault.class)
    void shouldStopAtOnceWhenTheDiskFails(FailingDisk.Fault fault) throws Exception {
        for (int operation = 0; operation < 8; operation++) {
            failAt(operation, fault);
        }
    }

    private void failAt(int operation, FailingDisk.Fault fault) throws Exception {
        SplittableRandom random = new SplittableRandom(8);
        Told fresh = new Told();
        Arrays.fill(positions, 0);
        written.clear();
        try (WalWriter writer = new WalWriter(
                disk, directory, IDENTITY, 1, RINGS, 64 * 1024, SEGMENT_BYTES, fresh, new DurabilityCounters())) {
            appendDurably(writer, random, 2);
            disk.failAfter(operation, fault);
            while (!writer.isFailed()) {
                append(writer, random);
                TimeUnit.MICROSECONDS.sleep(200);
            }
            assertThat(fresh.failed.await(10, TimeUnit.SECONDS)).isTrue();
            Map<Integer, Long> acknowledged = new HashMap<>(fresh.durable);
            long operations = disk.operations();
            disk.mend(); // it would work again, but must not be tried
            for (int i = 0; i < 5; i++) {
                append(writer, random);
            }
            assertThatThrownBy(() -> writer.rotate().get(10, TimeUnit.SECONDS))
                    .hasRootCauseInstanceOf(IOException.class);
            assertThat(disk.operations()).isEqualTo(operations);
            assertThat(fresh.durable).isEqualTo(acknowledged);
        }
        List<String> left = read();
        assertThat(left).isEqualTo(written.subList(0, left.size())).hasSizeGreaterThanOrEqualTo(2);
        Map<Integer, Long> ends = new HashMap<>();
        left.forEach(record -> {
            int slash = record.indexOf('/');
            int blank = record.indexOf(' ', slash);
            int ring = Integer.parseInt(record.substring(2, slash));
            ends.put(ring, Long.parseLong(record.substring(slash + 1, blank)) + (record.length() - blank - 1) / 2);
        });
        fresh.durable.forEach((ring, end) -> assertThat(ends.get(ring)).isGreaterThanOrEqualTo(end));
        for (long segment : WalFiles.segments(directory)) {
            Files.delete(WalLayout.file(directory, segment));
        }
    }

    @Test
    void shouldStopWhenTheDiskIsFull() throws Exception {
        SplittableRandom random = new SplittableRandom(9);
        try (WalWriter writer = writer(1, SEGMENT_BYTES)) {
            appendDurably(writer, random, 2);
            disk.fill();
            append(writer, random);
            assertThat(told.failed.await(10, TimeUnit.SECONDS)).isTrue();
            assertThat(writer.isFailed()).isTrue();
        }
        assertThat(read()).isEqualTo(written.subList(0, 2));
    }
}
