/**
 * Lock managers: who may hold a lock of the cluster, decided by words in the memory of the lock's node or by a queue there.
 *
 * <p>Entry: {@link dev.rcc.protocols.locks.LockScheme}, a way of managing locks, which makes a
 * {@link dev.rcc.protocols.locks.LockManager} for each coroutine. What a scheme does to the words of a lock it does by
 * {@link dev.rcc.protocols.locks.LockVerbs}, so each scheme runs one-sided and by RPC. The schemes are packages below this one; this one
 * knows none of them.
 *
 * <p>A lock is an address: of a {@link dev.rcc.protocols.locks.LockSpace}, or of a tuple's metadata. Locks are advisory: they keep
 * those apart who ask for them. What a holder may rely on when it has slept too long is its {@link dev.rcc.protocols.locks.LockToken}.
 */
package dev.rcc.protocols.locks;
