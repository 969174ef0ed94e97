package dev.rcc.it.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.protocol.HybridCode;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Intent;
import dev.rcc.core.txn.Procedure;
import dev.rcc.core.txn.RetryPolicy;
import dev.rcc.core.txn.Transaction;
import dev.rcc.it.protocol.TestCluster.Result;
import dev.rcc.protocols.nowait.Nowait;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;

/** The accesses that exclude each other under NOWAIT: reads share; writes, inserts and deletes exclude. */
class NowaitOnLocalConflictTest extends ProtocolContract implements OnLocal {
    @Override
    public Protocol protocol() {
        return new Nowait();
    }

    private static final TableSchema SCHEMA = TableSchema.ofLongKeys(0, "numbers", 8, 1000);

    // Method: one transaction stays in its procedure with one access; others try each access on the same key,
    // on another key of the same leaf, and on another leaf.
    @ForEveryCode
    void shouldAbortAtOnceOnExactlyTheLocksThatExcludeEachOther(HybridCode code) {
        for (boolean loaded : new boolean[] {true, false}) {
            for (Intent held : Intent.values()) {
                try (TestCluster cluster = start(
                        config(code, SCHEMA).withRetries(RetryPolicy.NEVER),
                        loaded ? LongStream.range(0, 400).toArray() : new long[0])) {
                    Table table = cluster.table(0);
                    long[] keys = keysOfOneLeaf(cluster, table, 1, 3);
                    long elsewhere = keyOn(cluster, table, 1, 1);
                    CountDownLatch holding = new CountDownLatch(1);
                    AtomicBoolean release = new AtomicBoolean();
                    CompletableFuture<Result> holder = cluster.spawn(
                            0, 0, AtomicityContract.waiting(accessing(table, keys[0], held), holding, release));
                    cluster.await(holding);
                    for (Intent wanted : Intent.values()) {
                        String what = held + " holds, " + wanted + " wants, key " + (loaded ? "exists" : "is missing");
                        assertThat(cluster.run(2, accessing(table, keys[0], wanted)))
                                .as(what)
                                .isEqualTo(expected(excludes(held, wanted, loaded)));
                        boolean changesKeys = changesLeaf(wanted, loaded);
                        boolean leafExcludes = changesLeaf(held, loaded)
                                ? usesLeaf(wanted, loaded)
                                : usesLeaf(held, loaded) && changesKeys;
                        assertThat(cluster.run(2, aborting(table, keys[1], wanted)))
                                .as("%s, other key of the leaf", what)
                                .isEqualTo(leafExcludes ? expected(true) : Result.aborted(AbortReason.USER_ABORT));
                        assertThat(cluster.run(2, aborting(table, elsewhere, wanted)))
                                .as("%s, other leaf", what)
                                .isEqualTo(Result.aborted(AbortReason.USER_ABORT));
                    }
                    release.set(true);
                    assertThat(cluster.await(holder)).isEqualTo(Result.COMMITTED);
                    cluster.assertAtRest();
                }
            }
        }
    }

    private static Result expected(boolean conflict) {
        return conflict ? Result.aborted(AbortReason.LOCK_CONFLICT) : Result.COMMITTED;
    }

    /** On one key: only locks that both are shared go together. */
    private static boolean excludes(Intent held, Intent wanted, boolean exists) {
        return !isShared(held, exists) || !isShared(wanted, exists);
    }

    private static boolean isShared(Intent intent, boolean exists) {
        return exists ? intent == Intent.READ || intent == Intent.INSERT : intent != Intent.INSERT;
    }

    private static boolean usesLeaf(Intent intent, boolean exists) {
        return !exists || intent == Intent.DELETE;
    }

    private static boolean changesLeaf(Intent intent, boolean exists) {
        return intent == (exists ? Intent.DELETE : Intent.INSERT);
    }

    private static Procedure accessing(Table table, long key, Intent intent) {
        return procedure(txn -> declare(txn, table, key, intent), (txn, access) -> {});
    }

    private static Procedure aborting(Table table, long key, Intent intent) {
        return procedure(txn -> declare(txn, table, key, intent), (txn, access) -> txn.abort());
    }

    private static Access declare(Transaction txn, Table table, long key, Intent intent) {
        return switch (intent) {
            case READ -> txn.read(table, key);
            case UPDATE -> txn.update(table, key);
            case INSERT -> txn.insert(table, key);
            case DELETE -> txn.delete(table, key);
            case WRITE -> txn.write(table, key);
        };
    }
}
