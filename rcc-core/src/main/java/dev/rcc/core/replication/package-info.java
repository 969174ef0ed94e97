/**
 * The SPI of replication: how the writes of a transaction get to its backups before it commits, and which of them are found when a node is lost.
 *
 * <p>Entry: {@link dev.rcc.core.replication.ReplicationProvider}, a way of replicating. It gives each node a
 * {@link dev.rcc.core.replication.NodeReplication}. That gives each worker a {@link dev.rcc.core.replication.WorkerReplication}, of which a protocol
 * sees a {@link dev.rcc.core.replication.Replication}. That gives each coroutine a {@link dev.rcc.core.replication.LogStage}. Recovery works on
 * {@link dev.rcc.core.replication.LogReport}s, and an implementation makes entries durable by a {@link dev.rcc.core.replication.DurableLog}.
 *
 * <p>No way of replicating lives here, and nothing here depends on one, nor on a protocol: the contents of a log, their place and their transport are
 * an implementation's own.
 */
package dev.rcc.core.replication;
