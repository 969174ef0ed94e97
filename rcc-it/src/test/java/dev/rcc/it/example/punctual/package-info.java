/**
 * PUNCTUAL: two-phase locking with firm deadlines. An attempt that is not ready to commit at its deadline aborts. Until then it waits for
 * locks where that cannot deadlock. It is the second example of {@code docs/new-protocol.md}: it adds to a lock word a clock, an abort
 * reason, an option, state of a node, and periodic work. Users cannot select it.
 *
 * <p>Entry: {@link dev.rcc.it.example.punctual.Punctual}. Stages, in the order of a hybrid code: lock (with fetch), log, commit (update
 * and unlock), release. The stages are those of {@link dev.rcc.protocols.locking}. Its classes depend only on the packages that a protocol
 * of {@code rcc-protocols} may use.
 *
 * <p>No lock is ever taken from a holder whose deadline has passed: the holder may have logged without the knowledge of any other node. So
 * the clocks decide which attempts abort, and never which values an attempt reads.
 */
package dev.rcc.it.example.punctual;
