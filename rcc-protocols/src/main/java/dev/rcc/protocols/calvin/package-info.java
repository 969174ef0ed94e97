/**
 * CALVIN: deterministic concurrency control (rcc, 4.6).
 *
 * <p>Entry: {@link dev.rcc.protocols.calvin.Calvin}. Stages, in the order of a hybrid code: dispatch (each sequencer
 * broadcasts the inputs of its transactions), forward (records go to the node that executes a transaction, and its writes
 * to the nodes that hold the records). The coordinator's classes run on its coroutine, all other classes in the polls and
 * handlers of their worker's event loop.
 *
 * <p>Where this differs from the paper, and why, is explained in {@code docs/protocols/calvin.md}; in short:
 * <ul>
 *   <li>A procedure that all nodes have by name, a {@link dev.rcc.core.txn.Fragment}, is executed by every active participant, and by the
 *       coordinator. A closure is a Java object on its coordinator's coroutine, so the coordinator's node executes it alone, as one more active
 *       participant, and forwards the values that it wrote.
 *   <li>Passive participants drop their locks as soon as they have forwarded; active ones wait for the writes.
 *   <li>A reconnaissance finds the keys that a procedure discovers; they are checked when the procedure runs with locks held.
 *   <li>Writes are replicated, not inputs: a transaction is acknowledged when its writes are in the logs of all backups, and a
 *       participant installs the writes that it has executed only then.
 *   <li>A dead node is left out of the epochs; records that its transactions may have committed stay locked.
 * </ul>
 */
package dev.rcc.protocols.calvin;
