package dev.rcc.protocols.common;

import dev.rcc.core.fabric.Batch;
import dev.rcc.core.fabric.Endpoint;
import dev.rcc.core.worker.Completion;

/**
 * The doorbell batches of one stage: at most one to each node, started when first asked for, posted together, collected
 * with one await (rcc, 3.3). Used on one coroutine; allocates nothing.
 */
public final class Batches {
    private final Endpoint endpoint;
    private final Batch[] byNode;
    private final int[] started;
    private int count;

    /** Batches to any of {@code nodes} nodes. */
    public Batches(Endpoint endpoint, int nodes) {
        this.endpoint = endpoint;
        this.byNode = new Batch[nodes];
        this.started = new int[nodes];
    }

    /** The batch to {@code node}. */
    public Batch to(int node) {
        Batch batch = byNode[node];
        if (batch == null) {
            batch = endpoint.batch(node);
            byNode[node] = batch;
            started[count++] = node;
        }
        return batch;
    }

    /** Posts the batches that were started; {@code completion} gets the result of each batch. */
    public void post(Completion completion) {
        for (int i = 0; i < count; i++) {
            take(i).post(completion);
        }
        count = 0;
    }

    /** As {@link #post}, for batches without cache misses to wait for ({@link Batch#postAtOnce}). */
    public void postAtOnce(Completion completion) {
        for (int i = 0; i < count; i++) {
            take(i).postAtOnce(completion);
        }
        count = 0;
    }

    private Batch take(int i) {
        Batch batch = byNode[started[i]];
        byNode[started[i]] = null;
        return batch;
    }
}
