package dev.rcc.server.recovery;

import java.util.BitSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs that the cluster stands still, once each time that it does. Used by the leader's thread. */
final class Standstill {
    private static final Logger LOG = LoggerFactory.getLogger(Standstill.class);

    private boolean isLogged;

    /** The cluster stands still, perhaps since an earlier call. */
    void because(BitSet lost, String why) {
        if (!isLogged) {
            LOG.error(
                    "event=cluster_frozen lost={}: {}; transactions wait until one of these nodes is back", lost, why);
            isLogged = true;
        }
    }

    /** The cluster goes on: without the lost nodes, or as they are back in the incarnations in which they were lost. */
    void isOver() {
        isLogged = false;
    }
}
