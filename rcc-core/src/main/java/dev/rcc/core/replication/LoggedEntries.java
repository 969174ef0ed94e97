package dev.rcc.core.replication;

import java.util.List;

/**
 * What the coordinators of a node log, as an observer sees it that looks at all nodes of a simulated cluster between any two events, so as to
 * have a node die in the middle of what matters.
 */
public interface LoggedEntries {
    /** What one transaction has logged, or is about to: a copy of it on each of some nodes. */
    interface Entry {
        /** Its number among all, from 1. */
        int number();

        /** On how many nodes it is to be. */
        int copies();

        /** The node of a copy, from 0. */
        int backup(int copy);

        /** How many copies are there. */
        int arrived();

        /** Whether a copy is there, whole. */
        boolean isIn(int copy);

        /** Whether a copy is there, whole, but looks as if what was there before still were. */
        boolean isTorn(int copy);

        /** Whether all copies are there, one of them torn. */
        boolean isTornInOne();

        /** Whether a copy is marked as aborted. */
        boolean isAborted(int copy);

        /** Whether the node of a copy does not know yet that it is decided. */
        boolean isUndecided(int copy);

        /** Whether the coordinator has decided it everywhere. */
        boolean isDecided();

        /** Whether something else will be, or is, where a copy was. */
        boolean isLapped(int copy);

        /** Whether something else is where a copy was. */
        boolean isOverwritten(int copy);
    }

    /** Finds what the last event has begun to log. */
    void look();

    /** Takes all that was logged so far as over. */
    void skip();

    /** How many were logged. */
    int count();

    /** The last ones, in the order in which they were logged. */
    List<Entry> last();

    /** Whether one of the last, from a number on, has this commit timestamp. */
    boolean isAnyOf(long commitTs, int first);

    /** One by its number, if it is one of the last; or else null. */
    Entry entry(int number);
}
