package dev.rcc.protocols.calvin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.cluster.RingPlacement;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.store.Catalog;
import dev.rcc.core.store.KeyHash;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.store.TupleLayout;
import dev.rcc.core.testing.FakeWorker;
import dev.rcc.core.testing.TestTransactions;
import dev.rcc.core.time.Timestamp;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Fragment;
import dev.rcc.core.txn.Intent;
import dev.rcc.core.txn.Transaction;
import java.lang.foreign.Arena;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Messages from a sequencer to a scheduler, and from a participant to the coordinator, arrive as they were sent. */
class MessagesTest {
    private static final int WORKERS = 5;
    /** The last table has the largest keys and records, the others the smallest. */
    private static final Catalog CATALOG = new Catalog(
            new RingPlacement(40, 3),
            CalvinLayout.METADATA_BYTES,
            IntStream.range(0, TableSchema.MAX_TABLES)
                    .mapToObj(id -> id < TableSchema.MAX_TABLES - 1
                            ? TableSchema.ofLongKeys(id, "small" + id, 1, 1)
                            : TableSchema.ofByteKeys(
                                    id, "largest", TableSchema.MAX_KEY_BYTES, TableSchema.MAX_RECORD_BYTES, 1))
                    .toList());

    private final Transaction txn = TestTransactions.create(new FakeWorker(3), 0, CATALOG, 512 * 1024);
    private final Memory buffers = txn.buffer().memory();

    @Test
    void shouldCarryInputsOfAllIntentsAndTables() {
        txn.begin(true);
        Table first = CATALOG.table(0);
        Table largest = CATALOG.table(TableSchema.MAX_TABLES - 1);
        for (long key = 0; key < 200; key++) {
            switch ((int) key % 4) {
                case 0 -> txn.read(first, key);
                case 1 -> txn.update(first, key);
                case 2 -> txn.insert(first, key);
                default -> txn.delete(first, key);
            }
        }
        txn.insert(largest, new byte[TableSchema.MAX_KEY_BYTES]);
        Submission submission = new Submission(CATALOG::placement, WORKERS);
        for (int i = 0; i < txn.size(); i++) {
            submission.add(txn.access(i), txn.access(i).intent());
        }
        long id = Timestamp.of(Timestamp.MAX_CLOCK, Timestamp.MAX_NODE, Timestamp.MAX_COROUTINE);
        submission.place(id, 1L << 40, 1L << 41);
        int bytes = InputMessage.bytes(submission);
        Memory message = Memory.allocate(Arena.ofAuto(), 512 * 1024);
        buffers.copy(0, message, 0, 256 * 1024);
        InputMessage.encode(buffers, 256 * 1024, submission);
        buffers.copy(256 * 1024, message, 256 * 1024, bytes);

        long offset = 256 * 1024;
        assertThat(InputMessage.submissionBytes(message, offset)).isEqualTo(bytes);
        assertThat(InputMessage.items(message, offset)).isEqualTo(201);
        assertThat(InputMessage.id(message, offset)).isEqualTo(id);
        assertThat(InputMessage.flagsOffset(message, offset)).isEqualTo(1L << 40);
        assertThat(InputMessage.resultsOffset(message, offset)).isEqualTo(1L << 41);
        long item = InputMessage.firstItem(message, offset);
        for (int i = 0; i < txn.size(); i++) {
            Access access = txn.access(i);
            int part = InputMessage.part(message, item);
            assertThat(InputMessage.intent(message, item)).isEqualTo(access.intent());
            assertThat(InputMessage.table(message, item, CATALOG)).isSameAs(access.table());
            assertThat(InputMessage.partition(message, item)).isEqualTo(access.partition());
            assertThat(InputMessage.keyHash(message, item)).isEqualTo(access.keyHash());
            assertThat(InputMessage.imageOffset(message, item)).isEqualTo(access.imageOffset());
            assertThat(message.equalWords(
                            InputMessage.identityOffset(item),
                            buffers,
                            access.identityOffset(),
                            access.layout().identityBytes()))
                    .isTrue();
            assertThat(submission.partNode(part)).isEqualTo(access.node());
            item = InputMessage.nextItem(message, item, CATALOG);
        }
        assertThat(item).isEqualTo(offset + bytes);
    }

    /** A fragment with one word as its arguments. */
    private record Word(long word) implements Fragment {
        @Override
        public String name() {
            return "word";
        }

        @Override
        public int argumentBytes() {
            return Long.BYTES;
        }

        @Override
        public void putArguments(Memory target, long offset) {
            target.putLong(offset, word);
        }

        @Override
        public void takeArguments(Memory source, long offset) {
            throw new AssertionError("it has no other");
        }

        @Override
        public void declare(Transaction txn) {}

        @Override
        public void execute(Transaction txn) {}
    }

    // Goal: a message carries the fragment, its arguments, the ids of its attempt, and the items behind them.
    // The next submission contains none of them.
    @Test
    void shouldCarryAFragmentWithItsArgumentsAndTheIdsOfItsAttempt() {
        txn.begin(true);
        txn.begin(false);
        txn.update(CATALOG.table(0), 7);
        Submission submission = new Submission(CATALOG::placement, WORKERS);
        submission.add(txn.access(0), Intent.UPDATE);
        submission.ship(new Word(-5), 65_535, txn);
        submission.place(txn.clock().next(), 0, 0);
        InputMessage.encode(buffers, 1024, submission);
        assertThat(InputMessage.isFragment(buffers, 1024)).isTrue();
        assertThat(InputMessage.fragment(buffers, 1024)).isEqualTo(65_535);
        assertThat(InputMessage.attemptId(buffers, 1024)).isEqualTo(txn.id());
        assertThat(InputMessage.age(buffers, 1024)).isEqualTo(txn.age()).isNotEqualTo(txn.id());
        assertThat(buffers.getLong(InputMessage.argumentsOffset(1024))).isEqualTo(-5);
        long item = InputMessage.firstItem(buffers, 1024);
        assertThat(InputMessage.keyHash(buffers, item)).isEqualTo(txn.access(0).keyHash());
        assertThat(InputMessage.nextItem(buffers, item, CATALOG)).isEqualTo(1024 + InputMessage.bytes(submission));
        submission.clear();
        InputMessage.encode(buffers, 1024, submission);
        assertThat(InputMessage.isFragment(buffers, 1024)).isFalse();
    }

    // A part is one worker of one node; it is active if one of its keys may be written.
    @Test
    void shouldMakeOnePartOfTheKeysOfOneWorkerOfANode() {
        txn.begin(true);
        Table table = CATALOG.table(1);
        for (long key = 0; key < 500; key++) {
            txn.read(table, key);
        }
        txn.update(table, 17);
        Submission submission = new Submission(CATALOG::placement, WORKERS);
        for (int i = 0; i < txn.size(); i++) {
            submission.add(txn.access(i), txn.access(i).intent());
        }
        BitSet workersOfPart = new BitSet();
        for (int i = 0; i < txn.size(); i++) {
            int worker = InputMessage.worker(table, submission.key(i).keyHash, WORKERS);
            assertThat(worker).isBetween(0, WORKERS - 1);
            workersOfPart.set(submission.key(i).part * WORKERS + worker);
            assertThat(submission.isActive(submission.key(i).part))
                    .isEqualTo(submission.key(i).part == submission.key(17).part);
        }
        assertThat(workersOfPart.cardinality()).as("one worker for each part").isEqualTo(submission.parts());
        assertThat(submission.parts()).isGreaterThan(40);
        submission.clear();
        submission.add(txn.access(17), Intent.READ);
        assertThat(submission.parts()).isEqualTo(1);
        assertThat(submission.isActive(0)).as("in the next submission").isFalse();
    }

    @Test
    void shouldGiveAllKeysOfALeafToOneWorker() {
        Table table = CATALOG.table(0);
        int[] workerOfLeaf = new int[(int) table.layout().buckets()];
        for (long key = 0; key < 1_000; key++) {
            long hash = KeyHash.of(key);
            int leaf = (int) ((table.layout().leafOffset(hash) - table.layout().leafOffsetAt(0))
                    / table.layout().leafBytes());
            int worker = 1 + InputMessage.worker(table, hash, WORKERS);
            assertThat(workerOfLeaf[leaf]).isIn(0, worker);
            workerOfLeaf[leaf] = worker;
        }
        assertThat(IntStream.of(workerOfLeaf).distinct().count()).isGreaterThan(1);
    }

    @Test
    void shouldDeliverResultsAndImagesToTheirTargetsAndSetTheFlag() {
        TupleLayout small = CATALOG.table(0).layout().tuple();
        TupleLayout large = CATALOG.table(TableSchema.MAX_TABLES - 1).layout().tuple();
        Memory outbox = Memory.allocate(Arena.ofAuto(), 64 * 1024);
        Memory home = Memory.allocate(Arena.ofAuto(), 64 * 1024);
        long flag = 1024;
        long results = 2048;
        long smallImage = 4096;
        long largeImage = 8192;
        long item = ForwardMessage.HEADER_BYTES;
        ForwardMessage.encodeHeader(outbox, 0, 3, flag, 77, results, 78);
        for (int[] each :
                List.of(new int[] {5, small.tupleBytes()}, new int[] {0, large.tupleBytes()}, new int[] {2, 0})) {
            int number = each[0];
            int imageBytes = each[1];
            long target = number == 5 ? smallImage : largeImage;
            int status = imageBytes > 0 ? ForwardMessage.FOUND : ForwardMessage.ABSENT;
            ForwardMessage.encodeItem(outbox, item, target, imageBytes, number);
            ForwardMessage.encodeResult(
                    outbox, ForwardMessage.itemResult(item), status, 100 + number, 200 + number, -number);
            for (int i = 0; i < imageBytes; i += 8) {
                outbox.putLong(ForwardMessage.itemImage(item) + i, number * 1_000_000L + i);
            }
            item += ForwardMessage.itemBytes(imageBytes);
        }
        ForwardMessage.deliver(outbox, 0, home);
        assertThat(home.getLong(flag)).isEqualTo(77);
        for (int number : new int[] {5, 0, 2}) {
            long result = results + (long) number * ForwardMessage.RESULT_BYTES;
            assertThat(ForwardMessage.status(home, result))
                    .isEqualTo(number == 2 ? ForwardMessage.ABSENT : ForwardMessage.FOUND);
            assertThat(ForwardMessage.tupleOffset(home, result)).isEqualTo(100 + number);
            assertThat(ForwardMessage.leafVersion(home, result)).isEqualTo(200 + number);
            assertThat(ForwardMessage.slotVersion(home, result)).isEqualTo(-number);
        }
        for (int i = 0; i < small.tupleBytes(); i += 8) {
            assertThat(home.getLong(smallImage + i)).isEqualTo(5_000_000L + i);
        }
        for (int i = 0; i < large.tupleBytes(); i += 8) {
            assertThat(home.getLong(largeImage + i)).isEqualTo(i);
        }
        assertThat(home.getLong(smallImage + small.tupleBytes()))
                .as("behind the image")
                .isZero();
        assertThat(home.getLong(largeImage + large.tupleBytes()))
                .as("behind the image")
                .isZero();
    }
}
