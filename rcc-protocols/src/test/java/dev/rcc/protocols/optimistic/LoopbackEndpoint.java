package dev.rcc.protocols.optimistic;

import dev.rcc.core.fabric.Batch;
import dev.rcc.core.fabric.Endpoint;
import dev.rcc.core.fabric.RpcHandler;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.RemoteAddress;
import dev.rcc.core.protocol.WorkerContext;
import dev.rcc.core.store.AddressCache;
import dev.rcc.core.store.Catalog;
import dev.rcc.core.store.Memstore;
import dev.rcc.core.testing.FakeRequest;
import dev.rcc.core.testing.PartialContext;
import dev.rcc.core.txn.AbortReasons;
import dev.rcc.core.txn.Admission;
import dev.rcc.core.txn.AttemptGate;
import dev.rcc.core.worker.Completion;
import dev.rcc.core.worker.Worker;
import dev.rcc.protocols.common.ConflictReasons;
import java.lang.foreign.Arena;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * A network of one node that carries out every request at once. The test can step in at any point of a batch. READs that follow each other in a batch
 * are served in any order, word by word, but the words of a READ's first cache line in ascending order.
 */
final class LoopbackEndpoint implements Endpoint {
    private static final int LINE_BYTES = 64;

    private final Memory buffers;
    private final Memstore memstore;
    private final Map<Integer, RpcHandler> handlers = new HashMap<>();
    /** Calls that have failed, and are not served yet. */
    private final Deque<Runnable> unserved = new ArrayDeque<>();

    /** Runs before each work request of a batch, and before each word that is read. */
    Runnable beforeEach = () -> {};
    /** Draws the order in which words are read. */
    SplittableRandom order = new SplittableRandom(1);
    /** The number of requests behind a READ that they must not overtake, for which a NIC would have to wait. */
    int fences;
    /** The number of next calls that fail before they are served. The node serves them before the call after them, and replies to no caller. */
    int late;
    /** The offsets of the WRITEs, in order. */
    final List<Long> written = new ArrayList<>();

    LoopbackEndpoint(Memory buffers, Memstore memstore) {
        this.buffers = buffers;
        this.memstore = memstore;
    }

    /** The context of a worker on this network, as far as the stages use it. */
    WorkerContext context(Worker worker) {
        return new PartialContext(worker, this, buffers)
                .memstore(memstore)
                .addresses(new AddressCache(16))
                .abortReasons(new AbortReasons(ConflictReasons.ALL))
                .gate(new AttemptGate(1, new Admission()))
                .make();
    }

    @Override
    public Batch batch(int peer) {
        return new LoopbackBatch();
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
        completion.add();
        if (late > 0) {
            late--;
            Memory sent = Memory.allocate(Arena.ofAuto(), requestBytes + replyBytes);
            buffers.copy(requestOffset, sent, 0, requestBytes);
            FakeRequest request = new FakeRequest(sent, 0, requestBytes, requestBytes, replyBytes, bytes -> {});
            unserved.add(() -> handlers.get(rpcId).handle(request));
            completion.fail(peer);
            return;
        }
        serveLate();
        handlers.get(rpcId)
                .handle(new FakeRequest(
                        buffers, requestOffset, requestBytes, replyOffset, replyBytes, bytes -> completion.succeed()));
    }

    /** The node serves the calls that have failed before they were served. */
    void serveLate() {
        while (!unserved.isEmpty()) {
            unserved.remove().run();
        }
    }

    @Override
    public void handle(int rpcId, RpcHandler handler) {
        handlers.put(rpcId, handler);
    }

    private Memory memory(long address) {
        if (RemoteAddress.region(address) == Catalog.BUFFERS_REGION) {
            return buffers;
        }
        return memstore.partitionOfRegion(RemoteAddress.region(address)).memory();
    }

    private final class LoopbackBatch implements Batch {
        private final List<Runnable> requests = new ArrayList<>();
        /** Words to be read, in sequences that keep their order, since the last request of another kind. */
        private List<Deque<Runnable>> reads = new ArrayList<>();

        private int size;

        @Override
        public Batch read(long source, int bytes, long target) {
            size++;
            if (reads.isEmpty()) {
                List<Deque<Runnable>> inARow = reads;
                requests.add(() -> serve(inARow));
            }
            Deque<Runnable> firstLine = new ArrayDeque<>();
            reads.add(firstLine);
            long line = RemoteAddress.offset(source) / LINE_BYTES;
            for (long i = 0; i < bytes; i += Memory.WORD_BYTES) {
                long from = RemoteAddress.offset(source) + i;
                long to = target + i;
                Runnable word = () -> memory(source).copy(from, buffers, to, Memory.WORD_BYTES);
                if (from / LINE_BYTES == line) {
                    firstLine.add(word);
                } else {
                    reads.add(new ArrayDeque<>(List.of(word)));
                }
            }
            return this;
        }

        private void serve(List<Deque<Runnable>> inARow) {
            while (!inARow.isEmpty()) {
                int i = order.nextInt(inARow.size());
                beforeEach.run();
                inARow.get(i).remove().run();
                if (inARow.get(i).isEmpty()) {
                    inARow.set(i, inARow.getLast());
                    inARow.removeLast();
                }
            }
        }

        private void add(Runnable request) {
            size++;
            fences += reads.isEmpty() ? 0 : 1;
            reads = new ArrayList<>();
            requests.add(request);
        }

        @Override
        public Batch write(long source, int bytes, long target) {
            add(() -> {
                written.add(RemoteAddress.offset(target));
                buffers.copy(source, memory(target), RemoteAddress.offset(target), bytes);
            });
            return this;
        }

        @Override
        public Batch writeWord(long value, long target) {
            add(() -> {
                written.add(RemoteAddress.offset(target));
                memory(target).putLong(RemoteAddress.offset(target), value);
            });
            return this;
        }

        @Override
        public Batch cas(long target, long expected, long desired, long result) {
            add(() -> buffers.putLong(
                    result, memory(target).compareAndExchange(RemoteAddress.offset(target), expected, desired)));
            return this;
        }

        @Override
        public Batch fetchAdd(long target, long delta, long result) {
            add(() -> buffers.putLong(result, memory(target).getAndAdd(RemoteAddress.offset(target), delta)));
            return this;
        }

        @Override
        public int peer() {
            return 0;
        }

        @Override
        public int size() {
            return size;
        }

        @Override
        public void post(Completion completion) {
            completion.add();
            requests.forEach(request -> {
                beforeEach.run();
                request.run();
            });
            completion.succeed();
        }
    }
}
