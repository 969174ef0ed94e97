package dev.rcc.it.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.protocol.HybridCode;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Procedure;
import dev.rcc.core.txn.RetryPolicy;
import dev.rcc.core.txn.Transaction;
import dev.rcc.core.txn.TransactionTooLarge;
import dev.rcc.it.protocol.TestCluster.Result;
import dev.rcc.server.config.ClusterConfig;
import dev.rcc.transport.sim.FaultPlan;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.LongStream;

/**
 * Transactions that are fetched in small pieces, and outgrow their buffer or the network's messages in a later stage, which deals with all pieces
 * together: in the check of their reads, in the commit, or in the release. They end without effect, and leave no lock behind.
 */
@EachProtocol.All
class OutgrownStagesOnSimTest extends ProtocolContract implements OnSim {
    private static final int RECORDS = 600;
    private static final TableSchema SMALL = TableSchema.ofLongKeys(0, "small", 8, 4 * RECORDS);
    private static final int BUFFER_BYTES = 8 * 1024;
    private static final int MESSAGE_BYTES = 2 * 1024;
    private static final RetryPolicy SHORT = new RetryPolicy(10, 4_000, 1_000_000);

    /** How the procedure ends. */
    private enum End {
        COMMIT,
        ABORT,
        THROW
    }

    @Override
    public FaultPlan faults() {
        return FaultPlan.NONE;
    }

    /** The sizes that matter are other ones under each protocol and code. */
    @Override
    public boolean isShort() {
        return false;
    }

    private TestCluster start(Protocol protocol, HybridCode code, int bufferBytes) {
        ClusterConfig config = ClusterConfig.of(protocol, List.of(SMALL))
                .withCode(code)
                .withShape(3, 1, 4, 3)
                .withMemory(64 * 1024, bufferBytes, 4 * RECORDS)
                .withRetries(SHORT);
        return start(config, LongStream.range(0, RECORDS).toArray());
    }

    /** Accesses the keys one after the other, and fetches each {@code pieces} of them. */
    private static List<Access> fetch(
            Transaction txn, Table table, long[] keys, int pieces, BiFunction<Table, Long, Access> access) {
        List<Access> accesses = new ArrayList<>();
        for (int i = 0; i < keys.length; i++) {
            accesses.add(access.apply(table, keys[i]));
            if (i % pieces == pieces - 1 || i == keys.length - 1) {
                txn.fetch();
            }
        }
        return accesses;
    }

    private static void end(Transaction txn, End end) {
        switch (end) {
            case COMMIT -> {}
            case ABORT -> txn.abort();
            case THROW -> throw new IllegalStateException("thrown by the procedure");
        }
    }

    private static void check(Result result, End end, String what) {
        if (result.thrown() instanceof TransactionTooLarge) {
            return;
        }
        switch (end) {
            case COMMIT -> assertThat(result).as(what).isEqualTo(Result.COMMITTED);
            case ABORT -> assertThat(result.reason()).as(what).isNotNull();
            case THROW -> assertThat(result.thrown()).as(what).hasMessage("thrown by the procedure");
        }
    }

    @ForEveryCode
    void shouldDropItsLocksWhenItsReadsCannotBeCheckedTogether(HybridCode code) {
        try (TestCluster cluster = start(protocol(), code, BUFFER_BYTES)) {
            Table table = cluster.table(0);
            for (int count = 40; count <= 140; count += 4) {
                long[] keys = LongStream.range(1, count).toArray();
                for (End end : End.values()) {
                    Procedure procedure = procedure(txn -> txn.update(table, 0), (txn, written) -> {
                        List<Access> _ = fetch(txn, table, keys, 1, txn::read);
                        written.putLong(VALUE, 1);
                        end(txn, end);
                    });
                    String what = count + " records, " + end;
                    check(cluster.run(0, procedure), end, what);
                    assertThat(cluster.run(1, write(table, 0, 7))).as(what).isEqualTo(Result.COMMITTED);
                }
            }
            cluster.assertAtRest();
        }
    }

    @ForEveryCode
    void shouldDropItsLocksWhenOneMessageCannotNameAllOfThem(HybridCode code) {
        try (TestCluster cluster = start(new LimitedProtocol(protocol(), MESSAGE_BYTES), code, 1 << 16)) {
            Table table = cluster.table(0);
            for (int count = 20; count <= 70; count += 2) {
                long[] keys = keysOn(cluster, 1, count);
                for (End end : End.values()) {
                    Procedure procedure = procedure(txn -> txn, (txn, _) -> {
                        fetch(txn, table, keys, 5, txn::update).forEach(access -> access.putLong(VALUE, 1));
                        end(txn, end);
                    });
                    String what = count + " records, " + end;
                    check(cluster.run(0, procedure), end, what);
                    assertThat(cluster.run(2, write(table, keys[count - 1], 7)))
                            .as(what)
                            .isEqualTo(Result.COMMITTED);
                }
            }
            cluster.assertAtRest();
        }
    }

    @ForEveryCode
    void shouldDropItsLocksWhenOneMessageCannotNameAllOfItsInserts(HybridCode code) {
        try (TestCluster cluster = start(new LimitedProtocol(protocol(), MESSAGE_BYTES), code, 1 << 16)) {
            Table table = cluster.table(0);
            long[] free = Arrays.stream(keysOn(cluster, 1, 2 * RECORDS))
                    .filter(key -> key >= RECORDS)
                    .toArray();
            int used = 0;
            for (int count = 8; count <= 40; count += 2) {
                for (End end : End.values()) {
                    long[] keys = Arrays.copyOfRange(free, used, used + count);
                    Procedure procedure = procedure(txn -> txn, (txn, _) -> {
                        fetch(txn, table, keys, 4, txn::insert).forEach(access -> access.putLong(VALUE, 1));
                        end(txn, end);
                    });
                    String what = count + " records, " + end;
                    Result result = cluster.run(0, procedure);
                    check(result, end, what);
                    used += result.equals(Result.COMMITTED) ? count : 0;
                    assertThat(cluster.run(2, insert(table, free[used++], 7)))
                            .as(what)
                            .isEqualTo(Result.COMMITTED);
                }
            }
            cluster.assertAtRest();
        }
    }
}
