/**
 * Two-phase locking, as NOWAIT and WAITDIE share it (rcc, 4.2 and 4.3): the stages lock (with fetch), log, commit, release,
 * in both forms, and the course of a transaction through them.
 *
 * <p>Entry: {@link dev.rcc.protocols.locking.LockingProtocol}, which a protocol extends with its
 * {@link dev.rcc.protocols.locking.LockRules}: the meaning of a lock word, and the effect of a conflict. A protocol in which
 * requests wait also extends {@link dev.rcc.protocols.locking.LockingParticipant}; the lock stage already waits one-sided.
 * The coordinator's classes run on its coroutine, the participant on the event loop of the worker that is called.
 *
 * <p>A cluster runs one protocol, so the calls of the rules have one receiver and the compiler inlines them.
 */
package dev.rcc.protocols.locking;
