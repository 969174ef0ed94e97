/**
 * The lock managers without queues with which DSLR is compared (dslr, 6.1): a requester that does not get a lock tries again.
 *
 * <p>Entry: {@link dev.rcc.protocols.locks.words.RetryOnFail} and {@link dev.rcc.protocols.locks.words.Drtm}. As in the paper, a round that
 * has waited for too long drops all its locks, as it may be in a deadlock. A holder that dies holds its lock for ever, except DrTM's readers.
 */
package dev.rcc.protocols.locks.words;
