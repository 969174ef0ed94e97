package dev.rcc.bench.workload;

import dev.rcc.client.procedure.StoredProcedure;
import dev.rcc.core.store.Catalog;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.txn.FragmentType;
import dev.rcc.server.ClusterInspection;
import dev.rcc.server.node.Loader;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** A database and the transactions that clients run on it. Immutable; used on the driver's thread. */
public interface Workload {
    /** The name by which users choose the workload. */
    String name();

    /** All options by key, as they were given or by default. */
    Map<String, String> options();

    /** The property that {@link #check} verifies beyond the cluster's own invariants, in a few words. */
    String promise();

    /**
     * Checks that this many clients can run the workload.
     *
     * @throws IllegalArgumentException when they cannot; the message says what is allowed
     */
    default void checkClients(int nodes, int clients) {}

    /** The tables, for a cluster of this many nodes. */
    List<TableSchema> tables(int nodes);

    /** The largest number of records that one transaction accesses. */
    int maxAccesses();

    /** The number of records that a transaction usually writes at most; a log ring has room for several such transactions. */
    default int maxWrites() {
        return maxAccesses();
    }

    /**
     * The users' names of the kinds of transactions, by the numbers of {@link dev.rcc.core.txn.Procedure#kind} and {@link ClientGenerator#kind};
     * empty if the workload does not distinguish kinds.
     */
    default List<String> kinds() {
        return List.of();
    }

    /** The workload's lines in the report of a run, in addition to the lines of every report. */
    default List<ReportLine> report(WorkloadRun run) {
        return List.of();
    }

    /** How many of the records that one transaction writes, at most, are in replicated tables: every node has a tuple of each. */
    default int maxReplicatedWrites() {
        return 0;
    }

    /** Puts the initial records into a cluster that was made with {@link #tables} and has not been started. */
    void load(Loader loader);

    /**
     * Makes the generators of {@code count} coroutines: the same number on each node, the first ones on node 0.
     *
     * @param random the source of randomness for all of them
     */
    List<Generator> generators(Catalog catalog, int count, SplittableRandom random);

    /** The code of the transactions that any node can run: the generators make {@link dev.rcc.core.txn.Fragment}s of it. */
    default List<FragmentType> fragments() {
        return List.of();
    }

    /** Whether clients of the client library can run the workload. */
    default boolean hasClients() {
        return false;
    }

    /** The stored procedures that clients can call in place of interactive transactions; safe for any number of callers at a time. */
    default List<StoredProcedure<?, ?>> procedures() {
        return List.of();
    }

    /**
     * Makes the generators of {@code count} clients of the client library; only if the workload {@link #hasClients}.
     *
     * @param random the source of randomness for all of them
     */
    default List<ClientGenerator> clientGenerators(Catalog catalog, int count, SplittableRandom random) {
        throw new UnsupportedOperationException("workload " + name() + " is not for clients of the client library");
    }

    /**
     * Looks in a cluster at rest for states that the transactions in the accounts cannot have left behind. Clients whose account is not complete may
     * have done more.
     *
     * @param clients the accounts of all generators that were ever used on this cluster
     * @return the violations, each a sentence
     */
    List<String> check(Catalog catalog, ClusterInspection inspection, List<? extends Account> clients);
}
