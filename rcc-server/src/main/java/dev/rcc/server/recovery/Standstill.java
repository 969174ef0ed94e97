package dev.rcc.server.recovery;

import java.util.BitSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs that the cluster stands still, once each time that it does. Used by the leader's thread. */
final class Standstill {
    private static final Logger LOG = LoggerFactory.getLogger(Standstill.class);

    private boolean isLogged;
    private boolean isLoggedForGood;

    /**
     * The cluster stands still, perhaps since an earlier call.
     *
     * @param onDisk whether the lost nodes have their data on disks
     */
    void because(BitSet lost, String why, boolean onDisk) {
        if (!isLogged) {
            LOG.error(
                    "event=cluster_frozen lost={}: {}; transactions wait until {}",
                    lost,
                    why,
                    onDisk
                            ? "all of these nodes are started again, with their disks"
                            : "enough of these nodes are reached again, in the same processes");
            isLogged = true;
        }
    }

    /** The processes that had the data in memory have ended: it will never go on. */
    void isForGood(BitSet startedAnew) {
        if (!isLoggedForGood) {
            LOG.error(
                    "event=data_lost nodes={}: these nodes were started anew, without the data in their memory, and too few copies of it"
                            + " are left; stop all nodes and start them: the cluster begins without data",
                    startedAnew);
            isLoggedForGood = true;
        }
    }

    /** The cluster goes on: without the lost nodes, or as they are back in the incarnations in which they were lost. */
    void isOver() {
        isLogged = false;
        isLoggedForGood = false;
    }
}
