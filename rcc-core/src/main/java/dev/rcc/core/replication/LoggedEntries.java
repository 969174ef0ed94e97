package dev.rcc.core.replication;

import java.util.List;

/**
 * The entries that the coordinators of a node log, as seen by an observer that looks at all nodes of a simulated cluster between any two events. So a
 * node can be made to die at a critical moment.
 */
public interface LoggedEntries {
    /** The entry that one transaction has logged, or is about to log: a copy of it on each of several nodes. */
    interface Entry {
        /** The entry's number among all, from 1. */
        int number();

        /** The number of nodes that are to have a copy. */
        int copies();

        /** The node of a copy, from 0. */
        int backup(int copy);

        /** The number of copies that are there. */
        int arrived();

        /** Whether a copy is there, whole. */
        boolean isIn(int copy);

        /** Whether a copy is there, whole, but looks as if the earlier contents were still there. */
        boolean isTorn(int copy);

        /** Whether all copies are there, one of them torn. */
        boolean isTornInOne();

        /** Whether a copy is marked as aborted. */
        boolean isAborted(int copy);

        /** Whether the node of a copy is not notified yet that the entry is decided. */
        boolean isUndecided(int copy);

        /** Whether the coordinator has decided it everywhere. */
        boolean isDecided();

        /** Whether other contents will be, or are, where a copy was. */
        boolean isLapped(int copy);

        /** Whether other contents are where a copy was. */
        boolean isOverwritten(int copy);
    }

    /** Finds the entries that the last event has begun to log. */
    void look();

    /** Treats all entries that were logged so far as finished. */
    void skip();

    /** The number of entries that were logged. */
    int count();

    /** The last entries, in the order in which they were logged. */
    List<Entry> last();

    /** Whether one of the last entries, from a number on, has this commit timestamp. */
    boolean isAnyOf(long commitTs, int first);

    /** The entry with a number, if it is one of the last; or else null. */
    Entry entry(int number);
}
