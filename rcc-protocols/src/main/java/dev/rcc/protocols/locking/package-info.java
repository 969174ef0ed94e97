/**
 * Two-phase locking, as NOWAIT and WAITDIE share it (rcc, 4.2 and 4.3): the stages lock (with fetch), log, commit, release,
 * in both forms, and the course of a transaction through them.
 *
 * <p>Entry: {@link dev.rcc.protocols.locking.LockingProtocol}, which a protocol extends with its
 * {@link dev.rcc.protocols.locking.LockRules}: what a lock word says, and what a conflict means. A protocol in which requests
 * wait also extends {@link dev.rcc.protocols.locking.LockingParticipant}; waiting one-sided is in the lock stage already. The
 * coordinator's classes run on its coroutine, the participant on the event loop of the worker that is called.
 *
 * <p>A cluster runs one protocol, so the calls of the rules have one receiver and the compiler inlines them.
 */
package dev.rcc.protocols.locking;
