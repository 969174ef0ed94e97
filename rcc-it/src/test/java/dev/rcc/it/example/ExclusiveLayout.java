package dev.rcc.it.example;

import dev.rcc.protocols.locking.LockRules;

/**
 * EXCLUSIVE's metadata: one lock word, at the start of each tuple and leaf.
 *
 * <pre>
 *  63                                                        0
 * +-----------------------------------------------------------+
 * |  0: free                                                  |
 * |  1: held by somebody who reads                            |
 * |  2^18 and more: held by the attempt whose id this is, who |
 * |                 may write (ids are timestamps, never less)|
 * +-----------------------------------------------------------+
 * </pre>
 *
 * All locks are taken by CAS from 0. A reader drops its lock by FETCH_ADD of -1, a writer by a WRITE of 0. So a word that
 * is neither 0 nor 1 is changed by its holder alone, and a 1 by its holder's FETCH_ADD or, if the holder goes on to change
 * which keys a leaf has, by its CAS to its id.
 */
public final class ExclusiveLayout {
    /** Nobody holds the lock. */
    public static final long FREE = LockRules.FREE;
    /** Somebody reads. */
    public static final long READER = 1;

    private ExclusiveLayout() {}
}
