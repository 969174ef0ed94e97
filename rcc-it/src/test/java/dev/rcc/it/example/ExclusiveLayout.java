package dev.rcc.it.example;

import dev.rcc.protocols.locking.LockRules;

/**
 * EXCLUSIVE's metadata: one lock word, at the start of each tuple and leaf.
 *
 * <pre>
 *  63                                                        0
 * +-----------------------------------------------------------+
 * |  0: free                                                  |
 * |  1: held by a reader                                      |
 * |  2^18 and more: held by the writing attempt with this id  |
 * |                 (ids are timestamps, and never less)      |
 * +-----------------------------------------------------------+
 * </pre>
 *
 * A transaction takes a lock by CAS from 0. A reader drops its lock by FETCH_ADD of -1, a writer by a WRITE of 0. So only
 * the holder changes a word that is not 0. A reader changes its 1 by the FETCH_ADD, or by a CAS to its id if it goes on to
 * change which keys a leaf has.
 */
public final class ExclusiveLayout {
    /** No transaction holds the lock. */
    public static final long FREE = LockRules.FREE;
    /** A reader holds the lock. */
    public static final long READER = 1;

    private ExclusiveLayout() {}
}
