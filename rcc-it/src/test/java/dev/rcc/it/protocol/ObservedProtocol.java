package dev.rcc.it.protocol;

import dev.rcc.core.protocol.Protocol;
import dev.rcc.core.protocol.WorkerContext;
import java.util.ArrayList;
import java.util.List;

/** A protocol that lets tests look into the nodes that it serves: their memstores and log rings. */
final class ObservedProtocol extends DelegatingProtocol {
    private final List<WorkerContext> contexts = new ArrayList<>();

    ObservedProtocol(Protocol protocol) {
        super(protocol);
    }

    /** The context of a node's worker. */
    WorkerContext context(int node, int worker) {
        return contexts.stream()
                .filter(context ->
                        context.worker().node() == node && context.worker().index() == worker)
                .findFirst()
                .orElseThrow();
    }

    @Override
    public void serve(WorkerContext context) {
        contexts.add(context);
        super.serve(context);
    }
}
