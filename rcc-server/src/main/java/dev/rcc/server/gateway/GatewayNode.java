package dev.rcc.server.gateway;

import dev.rcc.core.cluster.Placement;
import dev.rcc.core.store.Catalog;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TablePartition;
import dev.rcc.core.worker.Worker;
import dev.rcc.server.EmbeddedCluster;
import dev.rcc.server.NodeServer;
import dev.rcc.server.locks.WorkerLocks;
import dev.rcc.server.membership.Configuration;
import dev.rcc.server.node.Client;
import java.util.Optional;

/** The part of a node that its gateway needs: the catalogue, and coroutines for itself. */
public interface GatewayNode {
    /** The node's number. */
    int node();

    /** The name of the cluster's concurrency control. */
    String protocol();

    /** The tables. */
    Catalog catalog();

    /** Number of workers. */
    int workers();

    /** One of the node's workers. */
    Worker worker(int index);

    /** The locks of a worker's clients, if the cluster serves locks. */
    default Optional<WorkerLocks> locks(int index) {
        return Optional.empty();
    }

    /** Number of coroutines of each worker that belong to the gateway: as many transactions run at once. */
    int coroutines();

    /** The node's copy of a partition of which it is the primary. */
    TablePartition copy(Table table, int partition);

    /**
     * The placement of the partitions, as the node knows it.
     *
     * @param epoch the number of its configuration; 0 in clusters that do not number configurations
     */
    record Placed(long epoch, Placement placement) {}

    /** The placement of the partitions that the node has now. For any thread. */
    Placed placed();

    /**
     * Starts a coroutine that belongs to the gateway, for as long as the gateway is open.
     *
     * @param worker the worker's number, from 0
     * @param coroutine the coroutine's number on its worker, from 0
     */
    void spawn(int worker, int coroutine, Client client);

    /** A node of an embedded cluster, with all its coroutines. The cluster is started before the gateway. */
    static GatewayNode of(EmbeddedCluster cluster, int node) {
        return new GatewayNode() {
            @Override
            public int node() {
                return node;
            }

            @Override
            public String protocol() {
                return cluster.config().protocol().name();
            }

            @Override
            public Catalog catalog() {
                return cluster.catalog();
            }

            @Override
            public int workers() {
                return cluster.config().workers();
            }

            @Override
            public Worker worker(int index) {
                return cluster.worker(node, index);
            }

            @Override
            public Optional<WorkerLocks> locks(int index) {
                return cluster.locks(node, index);
            }

            @Override
            public int coroutines() {
                return cluster.config().coroutines();
            }

            @Override
            public TablePartition copy(Table table, int partition) {
                return cluster.partition(node, table, partition);
            }

            @Override
            public Placed placed() {
                return new Placed(0, cluster.catalog().placement());
            }

            @Override
            public void spawn(int worker, int coroutine, Client client) {
                cluster.spawn(node, worker, coroutine, client);
            }
        };
    }

    /** The node of a server process, with all its coroutines. It runs before the gateway is opened. */
    static GatewayNode of(NodeServer server) {
        return new GatewayNode() {
            @Override
            public int node() {
                return server.id();
            }

            @Override
            public String protocol() {
                return server.config().protocol().name();
            }

            @Override
            public Catalog catalog() {
                return server.catalog();
            }

            @Override
            public int workers() {
                return server.config().workers();
            }

            @Override
            public Worker worker(int index) {
                return server.worker(index);
            }

            @Override
            public Optional<WorkerLocks> locks(int index) {
                return server.locks(index);
            }

            @Override
            public int coroutines() {
                return server.config().coroutines();
            }

            @Override
            public TablePartition copy(Table table, int partition) {
                return server.copy(table, partition).orElseThrow();
            }

            @Override
            public Placed placed() {
                return server.configuration()
                        .filter(Configuration::hasFormed)
                        .map(agreed -> new Placed(
                                agreed.epoch(), agreed.placement(server.config().home())))
                        .orElseGet(() -> new Placed(0, server.catalog().placement()));
            }

            @Override
            public void spawn(int worker, int coroutine, Client client) {
                server.spawn(worker, coroutine, client);
            }
        };
    }
}
