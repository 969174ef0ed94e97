/**
 * The SPI of replication: how the writes of a transaction get to the nodes that back them up before it commits.
 *
 * <p>Entry: {@link dev.rcc.core.replication.Replication}, which a protocol finds on its worker, and
 * {@link dev.rcc.core.replication.LogStage}, which is a stage of every protocol.
 *
 * <p>No way of replicating lives here, and nothing here depends on one, nor on a protocol: what lies in a log, where it lies and how it
 * travels is an implementation's own.
 */
package dev.rcc.core.replication;
