/**
 * The lock managers without queues that DSLR is compared with (dslr, 6.1): who does not get a lock tries again.
 *
 * <p>Entry: {@link dev.rcc.protocols.locks.words.RetryOnFail} and {@link dev.rcc.protocols.locks.words.Drtm}. As in the paper, a round that
 * has waited for too long drops all that it has, as it may be in a deadlock. A holder that dies holds its lock for ever, but for DrTM's readers.
 */
package dev.rcc.protocols.locks.words;
