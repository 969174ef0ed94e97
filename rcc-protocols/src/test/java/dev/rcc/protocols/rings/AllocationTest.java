package dev.rcc.protocols.rings;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.rcc.core.log.LogEntry;
import dev.rcc.core.store.AddressCache;
import dev.rcc.core.store.Table;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Transaction;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** The code that runs for every transaction allocates nothing on the heap once warm. */
class AllocationTest {
    private static final int ROUNDS = 100_000;

    private final LogCluster cluster = new LogCluster(4096);
    private final Transaction txn = cluster.transactions[0];
    private final Table numbers = cluster.catalog.table(0);
    private final Table names = cluster.catalog.table(1);
    private final byte[] name = "somebody".getBytes(StandardCharsets.UTF_8);
    private long sink;

    @Test
    void shouldNotAllocateForATransactionsAccessesAndItsLogEntry() {
        assertAllocatesNothing(() -> {
            txn.begin(true);
            for (int key = 0; key < 4; key++) {
                sink += txn.read(numbers, key).keyHash();
            }
            Access access = txn.update(numbers, 5);
            access.foundTuple();
            access.tupleAddress(64);
            access.putLong(0, sink);
            Access named = txn.insert(names, name);
            named.foundNothing();
            named.tupleAddress(64);
            named.putBytes(0, name, 0, 5);
            txn.commitTs(txn.clock().next());
            int length = LogEntry.bytes(txn);
            LogEntry.encode(txn, txn.buffer().allocate(length), length);
        });
    }

    @Test
    void shouldNotAllocateForALookupAReservationAndACachedAddress() {
        AddressCache cache = new AddressCache(1024);
        long[] buckets = new long[3];
        assertAllocatesNothing(() -> {
            txn.begin(true);
            Access access = txn.read(numbers, 5);
            var partition = cluster.memstores[access.node()].partition(0, access.partition());
            sink += partition.lookup(access.keyHash(), txn.buffer().memory(), access.identityOffset());
            long entry = partition.reserve(access.keyHash(), buckets);
            partition.clear(entry);
            cache.put(0, access.keyHash(), entry);
            sink += cache.get(0, access.keyHash());
        });
    }

    @Test
    void shouldNotAllocateForTheBookkeepingOfARing() {
        LogTail tail = cluster.tails[0].tail(1);
        assertAllocatesNothing(() -> {
            long ticket = tail.reserve(144);
            sink += tail.position(144) + tail.paddingPosition();
            tail.decide(ticket);
            tail.head(tail.decided());
        });
    }

    /** Runs the path until a round allocates nothing: the JIT may take any number of rounds to remove objects that do not escape. */
    private static void assertAllocatesNothing(Runnable path) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long least = Long.MAX_VALUE;
        for (int attempt = 0; attempt < 20 && least > 0; attempt++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < ROUNDS; i++) {
                path.run();
            }
            least = Math.min(least, (threads.getCurrentThreadAllocatedBytes() - before) / ROUNDS);
        }
        assertThat(least).as("bytes per round").isZero();
    }
}
