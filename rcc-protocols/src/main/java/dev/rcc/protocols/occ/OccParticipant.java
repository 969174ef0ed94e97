package dev.rcc.protocols.occ;

import dev.rcc.core.protocol.WorkerContext;
import dev.rcc.protocols.optimistic.OptimisticParticipant;

/** The participant's RPC handlers: those that optimistic protocols share. */
final class OccParticipant {
    private final OptimisticParticipant handlers;

    OccParticipant(WorkerContext context) {
        this.handlers = new OptimisticParticipant(context, new OccRules());
    }

    void serve() {
        handlers.serve();
    }
}
