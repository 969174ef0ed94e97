/**
 * Traditional distributed locking, with which DSLR is compared (dslr, 6.1 and 6.4): a queue for each lock at the lock's node, reached by RPC.
 *
 * <p>Entry: {@link dev.rcc.protocols.locks.queue.Traditional}. One worker of the node keeps the queue of a lock, and no other touches it: another
 * worker hands the requests that it receives to it. A request is answered when the lock is granted, or when it has waited for too long. A holder
 * that dies holds its lock for ever.
 */
package dev.rcc.protocols.locks.queue;
