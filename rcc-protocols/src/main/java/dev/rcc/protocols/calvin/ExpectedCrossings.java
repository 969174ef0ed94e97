package dev.rcc.protocols.calvin;

import dev.rcc.core.cluster.Zones;
import dev.rcc.core.protocol.WorkerContext;
import dev.rcc.core.txn.Transaction;
import dev.rcc.core.worker.Crossings;

/**
 * Notes when a transaction's next wait is for messages from other zones that answer none of its own messages: CALVIN's sequencers and participants
 * send them. Does nothing where such messages are not counted. Used on the transaction's coroutine.
 */
final class ExpectedCrossings {
    /** Null if nothing is counted. */
    private final Crossings counter;

    private final Zones zones;
    private final int zone;

    ExpectedCrossings(WorkerContext context, Transaction txn) {
        this.counter = txn.completion().crossings();
        this.zones = context.catalog().placement().zones();
        this.zone = zones.zone(context.worker().node());
    }

    /** Notes that all nodes send messages, the local node among them. */
    void expectFromAnyZone() {
        if (counter != null) {
            counter.expect();
        }
    }

    /** Notes that a node sends a message. */
    void expectFrom(int node) {
        if (counter != null && zones.zone(node) != zone) {
            counter.expect();
        }
    }
}
