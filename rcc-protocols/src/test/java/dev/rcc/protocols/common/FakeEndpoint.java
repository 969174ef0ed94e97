package dev.rcc.protocols.common;

import dev.rcc.core.fabric.Batch;
import dev.rcc.core.fabric.Endpoint;
import dev.rcc.core.fabric.RpcHandler;
import dev.rcc.core.worker.Completion;
import java.util.ArrayList;
import java.util.List;

/** Records batches and calls, and completes them at once. */
final class FakeEndpoint implements Endpoint {
    /** The operations, in order. */
    final List<String> log = new ArrayList<>();
    /** The calls that were made. */
    final List<Call> calls = new ArrayList<>();
    /** The peer whose requests are reported to complete at once. */
    int atOnce = -1;
    /** Most bytes of a request or reply. */
    int maxCallBytes = Integer.MAX_VALUE;
    /** The peer that replies to no call. */
    int unreachable = -1;
    /** The peer to which no call can be made. */
    int refused = -1;

    record Call(int peer, int rpcId, long requestOffset, int requestBytes, long replyOffset, int replyBytes) {}

    @Override
    public Batch batch(int peer) {
        log.add("start " + peer);
        return new FakeBatch(peer);
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
        if (peer == refused) {
            throw new IllegalStateException("no call can be made");
        }
        calls.add(new Call(peer, rpcId, requestOffset, requestBytes, replyOffset, replyBytes));
        completion.add();
        if (peer == unreachable) {
            completion.fail(peer);
        } else {
            completion.succeed();
        }
    }

    @Override
    public boolean completesAtOnce(int peer) {
        return peer == atOnce;
    }

    @Override
    public int maxCallBytes() {
        return maxCallBytes;
    }

    @Override
    public void handle(int rpcId, RpcHandler handler) {
        throw new UnsupportedOperationException();
    }

    private final class FakeBatch implements Batch {
        private final int peer;
        private int size;

        FakeBatch(int peer) {
            this.peer = peer;
        }

        @Override
        public Batch read(long sourceAddress, int bytes, long targetOffset) {
            return append("read");
        }

        @Override
        public Batch write(long sourceOffset, int bytes, long targetAddress) {
            return append("write");
        }

        @Override
        public Batch writeWord(long value, long targetAddress) {
            return append("writeWord " + value);
        }

        @Override
        public Batch cas(long targetAddress, long expected, long desired, long resultOffset) {
            return append("cas");
        }

        @Override
        public Batch fetchAdd(long targetAddress, long delta, long resultOffset) {
            return append("fetchAdd");
        }

        @Override
        public int peer() {
            return peer;
        }

        @Override
        public int size() {
            return size;
        }

        @Override
        public void post(Completion completion) {
            log.add("post " + peer + " of " + size);
            completion.add();
            if (peer == unreachable) {
                completion.fail(peer);
            } else {
                completion.succeed();
            }
        }

        private Batch append(String what) {
            size++;
            log.add(what + " to " + peer);
            return this;
        }
    }
}
