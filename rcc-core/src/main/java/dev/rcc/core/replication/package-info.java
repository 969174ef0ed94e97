/**
 * The SPI of replication: how the writes of a transaction get to the nodes that back them up before it commits, and what of that is
 * found when a node is lost.
 *
 * <p>Entry: {@link dev.rcc.core.replication.ReplicationProvider}, a way of replicating. It gives each node a
 * {@link dev.rcc.core.replication.NodeReplication}, that gives each worker a {@link dev.rcc.core.replication.WorkerReplication}, of which a
 * protocol sees a {@link dev.rcc.core.replication.Replication}, and that gives each coroutine a
 * {@link dev.rcc.core.replication.LogStage}. Here is also what recovery learns ({@link dev.rcc.core.replication.LogReport}), and what an
 * implementation tells where things are made durable ({@link dev.rcc.core.replication.DurableLog}).
 *
 * <p>No way of replicating lives here, and nothing here depends on one, nor on a protocol: what lies in a log, where it lies and how it
 * travels is an implementation's own.
 */
package dev.rcc.core.replication;
