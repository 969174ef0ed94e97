package dev.rcc.it.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.store.Table;
import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.Outcome;
import dev.rcc.core.txn.Procedure;
import dev.rcc.core.txn.TransactionMetrics;
import dev.rcc.server.EmbeddedCluster;
import dev.rcc.server.node.Client;
import dev.rcc.server.node.Loader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;

/** A cluster with clients whose failures fail the test. Used by the test's thread. */
final class TestCluster implements AutoCloseable {
    /** Guards against hangs only; nothing is expected to take that long, not even on an emulated processor. */
    static final Duration HANG =
            Duration.ofSeconds(Long.getLong("rcc.hang.seconds", "guest".equals(System.getenv("RCC_LAB")) ? 900 : 30));

    final EmbeddedCluster embedded;
    final Loader loader;

    TestCluster(EmbeddedCluster embedded) {
        this.embedded = embedded;
        this.loader = embedded.loader();
    }

    /** How a transaction ended: committed, aborted for a reason, or by an exception. */
    record Result(Outcome outcome, AbortReason reason, RuntimeException thrown) {
        static final Result COMMITTED = new Result(Outcome.COMMITTED, null, null);

        static Result aborted(AbortReason reason) {
            return new Result(Outcome.ABORTED, reason, null);
        }
    }

    void start() {
        embedded.start();
    }

    Table table(int id) {
        return embedded.catalog().table(id);
    }

    /** Runs a transaction on the first coroutine of a node. */
    Result run(int node, Procedure procedure) {
        return run(node, 0, procedure);
    }

    /** Runs a transaction on a coroutine of a node's first worker. */
    Result run(int node, int coroutine, Procedure procedure) {
        return await(spawn(node, coroutine, procedure));
    }

    /** Runs a transaction that must commit. */
    void commit(int node, Procedure procedure) {
        assertThat(run(node, procedure)).isEqualTo(Result.COMMITTED);
    }

    /** Runs transactions that must commit, one after the other: faster than each on its own, as no thread waits in between. */
    void commitAll(int node, List<Procedure> procedures) {
        assertThat(await(spawn(node, 0, procedures))).allMatch(Result.COMMITTED::equals);
    }

    /** The value of a key, or null if it has no record. */
    Long read(int node, Table table, long key) {
        Long[] value = new Long[1];
        commit(
                node,
                ProtocolContract.procedure(
                        txn -> txn.read(table, key), (txn, access) -> value[0] = ProtocolContract.valueOf(access)));
        return value[0];
    }

    /** Starts a transaction on a coroutine of a node's first worker. */
    CompletableFuture<Result> spawn(int node, int coroutine, Procedure procedure) {
        CompletableFuture<Result> result = new CompletableFuture<>();
        embedded.spawn(node, 0, coroutine, (runner, self) -> {
            try {
                Outcome outcome = runner.run(procedure);
                result.complete(new Result(outcome, runner.transaction().abortReason(), null));
            } catch (RuntimeException e) {
                result.complete(new Result(null, null, e));
            } catch (Error e) {
                result.completeExceptionally(e);
            }
        });
        return result;
    }

    /** Starts transactions, one after the other, on a coroutine of a node's first worker. */
    CompletableFuture<List<Result>> spawn(int node, int coroutine, List<Procedure> procedures) {
        CompletableFuture<List<Result>> results = new CompletableFuture<>();
        embedded.spawn(node, 0, coroutine, (runner, self) -> {
            List<Result> ended = new ArrayList<>();
            try {
                for (Procedure procedure : procedures) {
                    Outcome outcome = runner.run(procedure);
                    ended.add(new Result(outcome, runner.transaction().abortReason(), null));
                }
                results.complete(ended);
            } catch (RuntimeException | Error e) {
                results.completeExceptionally(e);
            }
        });
        return results;
    }

    /** Runs a client on every coroutine of every worker and waits until all have returned. */
    void everywhere(Client client) {
        List<Integer> nodes = new ArrayList<>();
        for (int node = 0; node < embedded.config().nodes(); node++) {
            nodes.add(node);
        }
        awaitAll(onNodes(nodes, client));
    }

    /** Starts a client on every coroutine of every worker of some nodes. */
    List<CompletableFuture<Void>> onNodes(List<Integer> nodes, Client client) {
        List<CompletableFuture<Void>> ends = new ArrayList<>();
        for (int node : nodes) {
            for (int worker = 0; worker < embedded.config().workers(); worker++) {
                for (int coroutine = 0; coroutine < embedded.config().coroutines(); coroutine++) {
                    CompletableFuture<Void> end = new CompletableFuture<>();
                    ends.add(end);
                    embedded.spawn(node, worker, coroutine, (runner, self) -> {
                        try {
                            client.run(runner, self);
                            end.complete(null);
                        } catch (RuntimeException | Error e) {
                            end.completeExceptionally(e);
                        }
                    });
                }
            }
        }
        return ends;
    }

    /** Waits until all clients have returned; an exception of a client fails the test. */
    void awaitAll(List<CompletableFuture<Void>> ends) {
        await(CompletableFuture.allOf(ends.toArray(CompletableFuture[]::new)));
    }

    <T> T await(CompletableFuture<T> future) {
        if (!embedded.await(HANG, future::isDone)) {
            throw new AssertionError("a client of " + this + " hangs");
        }
        try {
            return future.get();
        } catch (ExecutionException e) {
            throw new AssertionError("a client of " + this + " failed", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    /** Waits until the clients have counted a latch down. */
    void await(CountDownLatch latch) {
        assertThat(embedded.await(HANG, () -> latch.getCount() == 0))
                .as("the clients of %s get where they are awaited", this)
                .isTrue();
    }

    /** The counts of all workers. */
    TransactionMetrics metrics() {
        return embedded.measurements().metrics();
    }

    /** Once all logs are replayed: no lock is left, index and tuples agree, backups equal primaries. */
    void assertAtRest() {
        assertThat(embedded.quiesce(HANG))
                .as("all logs are replayed in %s", this)
                .isTrue();
        assertThat(embedded.inspect().violations()).as("violations in %s", this).isEmpty();
    }

    @Override
    public void close() {
        embedded.close();
    }

    @Override
    public String toString() {
        return "cluster(code " + embedded.config().code() + ", seed "
                + embedded.config().seed() + ")";
    }
}
