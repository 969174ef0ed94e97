package dev.rcc.server.node;

import dev.rcc.core.cluster.Zones;
import dev.rcc.core.fabric.Batch;
import dev.rcc.core.fabric.Endpoint;
import dev.rcc.core.fabric.RpcHandler;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.worker.Completion;
import dev.rcc.core.worker.Crossings;
import java.util.ArrayDeque;

/**
 * A worker's endpoint that counts the messages to other zones. A batch counts as one message, whatever it contains, and its completion as another;
 * so do a call and its reply. A post whose {@link Completion} has a counter counts there, any other post in a counter of the worker. It is used in
 * clusters of several zones only, on any network. Used on its worker only; allocates nothing once warm.
 */
final class CrossingEndpoint implements Endpoint {
    private final Endpoint endpoint;
    private final boolean[] isElsewhere;
    private final Crossings shared;
    private final ArrayDeque<CountedBatch> free = new ArrayDeque<>();

    /**
     * Counts the messages that go through {@code endpoint}.
     *
     * @param node the endpoint's node
     * @param shared counts the posts that belong to no transaction of this worker
     */
    CrossingEndpoint(Endpoint endpoint, Zones zones, int node, Crossings shared) {
        this.endpoint = endpoint;
        this.shared = shared;
        this.isElsewhere = new boolean[zones.nodes()];
        for (int peer = 0; peer < isElsewhere.length; peer++) {
            isElsewhere[peer] = zones.zone(peer) != zones.zone(node);
        }
    }

    @Override
    public Batch batch(int peer) {
        Batch batch = endpoint.batch(peer);
        if (!isElsewhere[peer]) {
            return batch;
        }
        CountedBatch counted = free.poll();
        return (counted == null ? new CountedBatch() : counted).start(batch);
    }

    @Override
    public void call(
            int peer,
            int rpcId,
            long requestOffset,
            int requestBytes,
            long replyOffset,
            int replyBytes,
            Completion completion) {
        if (isElsewhere[peer]) {
            counterOf(completion).requested(requestBytes, replyBytes);
        }
        endpoint.call(peer, rpcId, requestOffset, requestBytes, replyOffset, replyBytes, completion);
    }

    private Crossings counterOf(Completion completion) {
        Crossings counter = completion.crossings();
        return counter == null ? shared : counter;
    }

    @Override
    public boolean completesAtOnce(int peer) {
        return endpoint.completesAtOnce(peer);
    }

    @Override
    public int maxCallBytes() {
        return endpoint.maxCallBytes();
    }

    @Override
    public void handle(int rpcId, RpcHandler handler) {
        endpoint.handle(rpcId, handler);
    }

    /** A batch to another zone. */
    private final class CountedBatch implements Batch {
        private Batch batch;
        private long requestBytes;
        private long answerBytes;

        CountedBatch start(Batch other) {
            batch = other;
            requestBytes = 0;
            answerBytes = 0;
            return this;
        }

        @Override
        public Batch read(long sourceAddress, int bytes, long targetOffset) {
            batch.read(sourceAddress, bytes, targetOffset);
            answerBytes += bytes;
            return this;
        }

        @Override
        public Batch write(long sourceOffset, int bytes, long targetAddress) {
            batch.write(sourceOffset, bytes, targetAddress);
            requestBytes += bytes;
            return this;
        }

        @Override
        public Batch writeWord(long value, long targetAddress) {
            batch.writeWord(value, targetAddress);
            requestBytes += Memory.WORD_BYTES;
            return this;
        }

        @Override
        public Batch cas(long targetAddress, long expected, long desired, long resultOffset) {
            batch.cas(targetAddress, expected, desired, resultOffset);
            countAtomic();
            return this;
        }

        @Override
        public Batch fetchAdd(long targetAddress, long delta, long resultOffset) {
            batch.fetchAdd(targetAddress, delta, resultOffset);
            countAtomic();
            return this;
        }

        /** Counts an atomic as networks do: one word there, one back. */
        private void countAtomic() {
            requestBytes += Memory.WORD_BYTES;
            answerBytes += Memory.WORD_BYTES;
        }

        @Override
        public int peer() {
            return batch.peer();
        }

        @Override
        public int size() {
            return batch.size();
        }

        @Override
        public void post(Completion completion) {
            counted(completion).post(completion);
        }

        @Override
        public void postAtOnce(Completion completion) {
            counted(completion).postAtOnce(completion);
        }

        /** Counts the message and returns the batch to post; this one is free for the next. */
        private Batch counted(Completion completion) {
            counterOf(completion).requested(requestBytes, answerBytes);
            Batch posted = batch;
            batch = null;
            free.push(this);
            return posted;
        }
    }
}
