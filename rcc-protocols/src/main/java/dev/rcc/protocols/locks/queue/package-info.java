/**
 * Traditional distributed locking, which DSLR is compared with (dslr, 6.1 and 6.4): a queue for each lock at the lock's node, asked by RPC.
 *
 * <p>Entry: {@link dev.rcc.protocols.locks.queue.Traditional}. One worker of the node keeps the queue of a lock, and no other touches it: what
 * comes to another worker is handed to it. A request is answered when the lock is granted, or when it has waited for too long. A holder that dies holds its lock for
 * ever.
 */
package dev.rcc.protocols.locks.queue;
