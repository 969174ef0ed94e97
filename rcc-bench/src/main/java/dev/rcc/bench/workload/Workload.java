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
    /** The name by which users pick it. */
    String name();

    /** All options by key, as they were given or by default. */
    Map<String, String> options();

    /** What {@link #check} looks for beyond the cluster's own invariants, in a few words. */
    String promise();

    /**
     * Checks that so many clients can run it.
     *
     * @throws IllegalArgumentException when they cannot, with what is allowed
     */
    default void checkClients(int nodes, int clients) {}

    /** The tables, for a cluster of this many nodes. */
    List<TableSchema> tables(int nodes);

    /** The largest number of records that one transaction accesses. */
    int maxAccesses();

    /** How many records a transaction usually writes at most; a log ring has room for several such transactions. */
    default int maxWrites() {
        return maxAccesses();
    }

    /**
     * What users call the kinds of transactions, by the numbers of {@link dev.rcc.core.txn.Procedure#kind} and {@link ClientGenerator#kind}; empty
     * if the workload does not tell them apart.
     */
    default List<String> kinds() {
        return List.of();
    }

    /** What the workload has to say of a run, beside what every report says. */
    default List<ReportLine> report(WorkloadRun run) {
        return List.of();
    }

    /** How many of the records that one transaction writes, at most, are of replicated tables: every node has a tuple of each. */
    default int maxReplicatedWrites() {
        return 0;
    }

    /** Puts the initial records into a cluster that was made with {@link #tables} and has not been started. */
    void load(Loader loader);

    /**
     * Makes what draws the transactions of each of {@code count} coroutines: as many on each node, the first ones on node 0.
     *
     * @param random where the randomness of all of them comes from
     */
    List<Generator> generators(Catalog catalog, int count, SplittableRandom random);

    /** The code of those of its transactions that any node can run: its generators make {@link dev.rcc.core.txn.Fragment}s of it. */
    default List<FragmentType> fragments() {
        return List.of();
    }

    /** Whether clients of the client library can run it. */
    default boolean hasClients() {
        return false;
    }

    /** The stored procedures that clients can call in place of interactive transactions; safe for any number of callers at a time. */
    default List<StoredProcedure<?, ?>> procedures() {
        return List.of();
    }

    /**
     * Makes what draws the transactions of each of {@code count} clients of the client library; only if it {@link #hasClients}.
     *
     * @param random where the randomness of all of them comes from
     */
    default List<ClientGenerator> clientGenerators(Catalog catalog, int count, SplittableRandom random) {
        throw new UnsupportedOperationException("workload " + name() + " is not for clients of the client library");
    }

    /**
     * Looks for what no transactions can have left behind in a cluster at rest, whichever they were: where clients have died, nobody knows what
     * all of them have done. {@link #check} looks for that, too.
     *
     * @return the violations, each a sentence
     */
    default List<String> checkData(Catalog catalog, ClusterInspection inspection) {
        return List.of();
    }

    /**
     * Looks for what the transactions that were accounted for cannot have left behind in a cluster at rest.
     *
     * @param clients of all generators that were ever used on this cluster
     * @return the violations, each a sentence
     */
    List<String> check(Catalog catalog, ClusterInspection inspection, List<? extends Account> clients);
}
