/**
 * The service of named locks: clients of any gateway ask for locks by name, whatever protocol the cluster serves.
 *
 * <p>Entry: {@link dev.rcc.server.locks.NodeLocks}, a node's part, and {@link dev.rcc.server.locks.WorkerLocks}, which the gateway asks. A lock is at
 * home on the primary of the partition that its name hashes to; the home's directory returns the address of its words, and the worker of the client's
 * gateway requests it there by DSLR ({@link dev.rcc.protocols.locks.dslr.DslrDesk}). Depends on the protocols' lock managers and the client's wire
 * types; does not depend on gateways. All of it is confined to workers, except the directory, which all workers of a node share.
 */
package dev.rcc.server.locks;
