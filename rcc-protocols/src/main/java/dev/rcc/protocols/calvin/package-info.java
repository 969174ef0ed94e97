/**
 * CALVIN: deterministic concurrency control (rcc, 4.6).
 *
 * <p>Entry: {@link dev.rcc.protocols.calvin.Calvin}. Stages, in the order of a hybrid code: dispatch (each sequencer
 * broadcasts the inputs of its transactions), forward (records go to the node that executes a transaction, and its writes
 * to the nodes that hold them). The coordinator's classes run on its coroutine, all others in the polls and handlers of
 * their worker's event loop.
 *
 * <p>Where this differs from the paper, and why, is explained in {@code docs/protocols/calvin.md}; in short:
 * <ul>
 *   <li>A procedure that all nodes have by name, a {@link dev.rcc.core.txn.Fragment}, is executed by every active participant, and by the
 *       coordinator. A closure is a Java object on its coordinator's coroutine, so the coordinator's node executes it alone, as one more active
 *       participant, and forwards the values that it wrote.
 *   <li>Passive participants drop their locks as soon as they have forwarded; active ones wait for the writes.
 *   <li>Keys that a procedure discovers are found out by a reconnaissance and checked when it runs with locks held.
 *   <li>Writes are replicated, not inputs: a transaction is acknowledged when its writes are in the logs of all backups, and what a
 *       participant has executed is installed only then.
 *   <li>A node that is dead is left out of the epochs; what its transactions may have committed stays locked.
 * </ul>
 */
package dev.rcc.protocols.calvin;
