package dev.rcc.bench.workload.ycsb;

import dev.rcc.bench.workload.Reads;
import dev.rcc.bench.workload.ycsb.YcsbTransaction.WriteKind;
import dev.rcc.client.Codec;
import dev.rcc.client.KeyType;
import dev.rcc.client.Table;
import dev.rcc.client.Transaction;
import dev.rcc.client.procedure.KeySet;
import dev.rcc.client.procedure.ProcedureType;
import dev.rcc.client.procedure.StoredProcedure;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The work of a {@link YcsbTransaction}, through the client library: as a stored procedure, and, by {@link #run}, interactively. Returns the
 * number of torn records that it read. Immutable.
 */
final class YcsbProcedure implements StoredProcedure<YcsbProcedure.Operations, Long> {
    /**
     * The operations of a transaction.
     *
     * @param keys the keys of the records, all different
     * @param writes for each record whether it is written
     * @param blindValue the value of blind writes
     */
    @SuppressWarnings("ArrayRecordComponent") // the arrays are not compared
    record Operations(long[] keys, boolean[] writes, long blindValue) {}

    private final Table<Long, byte[]> table;
    private final WriteKind writeKind;
    private final long computeNanos;
    private final ProcedureType<Operations, Long> type;

    /**
     * A procedure.
     *
     * @param operations the number of each transaction's operations
     * @param readOnly whether the procedure is for transactions that only read
     */
    YcsbProcedure(
            String table, int recordBytes, int operations, WriteKind writeKind, long computeNanos, boolean readOnly) {
        this.table = new Table<>(table, KeyType.LONG, Codec.ofBytes(recordBytes));
        this.writeKind = writeKind;
        this.computeNanos = computeNanos;
        this.type = readOnly
                ? ProcedureType.ofReader("ycsb-read", codec(operations), Codec.ofLong())
                : ProcedureType.of("ycsb", codec(operations), Codec.ofLong());
    }

    private static Codec<Operations> codec(int count) {
        return new Codec<>() {
            @Override
            public int bytes() {
                return count * (Long.BYTES + 1) + Long.BYTES;
            }

            @Override
            public void encode(Operations operations, ByteBuffer target) {
                for (int i = 0; i < count; i++) {
                    target.putLong(operations.keys[i]).put((byte) (operations.writes[i] ? 1 : 0));
                }
                target.putLong(operations.blindValue);
            }

            @Override
            public Operations decode(ByteBuffer source) {
                long[] keys = new long[count];
                boolean[] writes = new boolean[count];
                for (int i = 0; i < count; i++) {
                    keys[i] = source.getLong();
                    writes[i] = source.get() != 0;
                }
                return new Operations(keys, writes, source.getLong());
            }
        };
    }

    Table<Long, byte[]> table() {
        return table;
    }

    @Override
    public ProcedureType<Operations, Long> type() {
        return type;
    }

    @Override
    public void declare(KeySet keys, Operations operations) {
        for (int i = 0; i < operations.keys.length; i++) {
            if (operations.writes[i]) {
                keys.update(table, operations.keys[i]);
            } else {
                keys.read(table, operations.keys[i]);
            }
        }
    }

    /** Runs the operations. The plain reads travel with the reads for update. */
    @Override
    public Long run(Transaction txn, Operations operations) {
        List<CompletableFuture<Optional<byte[]>>> reads = keys(operations, false).stream()
                .map(key -> txn.getAsync(table, key))
                .toList();
        List<Long> toWrite = keys(operations, true);
        List<Optional<byte[]>> before = txn.getAllForUpdate(table, toWrite);
        long torn = Stream.concat(reads.stream().map(Reads::await), before.stream())
                .filter(record -> !isWhole(record.orElseThrow()))
                .count();
        compute();
        for (int i = 0; i < toWrite.size(); i++) {
            txn.put(table, toWrite.get(i), written(before.get(i).orElseThrow(), operations.blindValue));
        }
        return torn;
    }

    private static List<Long> keys(Operations operations, boolean written) {
        return IntStream.range(0, operations.keys.length)
                .filter(i -> operations.writes[i] == written)
                .mapToObj(i -> operations.keys[i])
                .toList();
    }

    private void compute() {
        long end = System.nanoTime() + computeNanos;
        while (System.nanoTime() - end < 0) {
            Thread.onSpinWait();
        }
    }

    private static boolean isWhole(byte[] record) {
        return Arrays.equals(record, 0, record.length - Long.BYTES, record, Long.BYTES, record.length);
    }

    /** The written record. Its words have the nodes' byte order. */
    private byte[] written(byte[] before, long blindValue) {
        ByteBuffer words = ByteBuffer.wrap(before).order(ByteOrder.LITTLE_ENDIAN);
        long value = writeKind == WriteKind.BLIND ? blindValue : words.getLong(0) + 1;
        ByteBuffer record = ByteBuffer.allocate(before.length).order(ByteOrder.LITTLE_ENDIAN);
        while (record.hasRemaining()) {
            record.putLong(value);
        }
        return record.array();
    }
}
