/**
 * PUNCTUAL: two-phase locking with firm deadlines. An attempt that has not all that it needs when its deadline comes aborts; until then
 * it waits for locks, where that cannot deadlock. The second example of {@code docs/new-protocol.md}: what it brings beside a lock word
 * is a clock, an abort reason, an option, state of a node, and work by the clock. Users cannot pick it.
 *
 * <p>Entry: {@link dev.rcc.it.example.punctual.Punctual}. Stages, in the order of a hybrid code: lock (with fetch), log, commit (update
 * and unlock), release. They are those of {@link dev.rcc.protocols.locking}. Its classes depend on what a protocol of
 * {@code rcc-protocols} may depend on, and on nothing else.
 *
 * <p>No lock is ever taken from a holder whose deadline has passed: it may have logged, and nobody but it knows. So what the clocks say
 * decides who aborts, and never what anybody reads.
 */
package dev.rcc.it.example.punctual;
