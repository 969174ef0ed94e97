/**
 * Lock managers: words in the memory of a lock's node, or a queue there, decide which requester may hold a lock of the cluster.
 *
 * <p>Entry: {@link dev.rcc.protocols.locks.LockScheme}, a way of managing locks, which makes a
 * {@link dev.rcc.protocols.locks.LockManager} for each coroutine. A scheme accesses the words of a lock by
 * {@link dev.rcc.protocols.locks.LockVerbs} only, so each scheme runs one-sided and by RPC. The schemes are packages below this one, which
 * depends on none of them.
 *
 * <p>A lock is an address: of a {@link dev.rcc.protocols.locks.LockSpace}, or of a tuple's metadata. Locks are advisory: they keep
 * only their requesters apart. A holder that may have slept too long relies on its {@link dev.rcc.protocols.locks.LockToken}.
 */
package dev.rcc.protocols.locks;
