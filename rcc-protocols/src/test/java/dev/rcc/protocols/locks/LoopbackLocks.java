package dev.rcc.protocols.locks;

import dev.rcc.core.fabric.Batch;
import dev.rcc.core.fabric.Endpoint;
import dev.rcc.core.fabric.RpcHandler;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.RemoteAddress;
import dev.rcc.core.protocol.Primitive;
import dev.rcc.core.testing.FakeCoroutine;
import dev.rcc.core.testing.FakeRequest;
import dev.rcc.core.testing.FakeWorker;
import dev.rcc.core.txn.BufferSlice;
import dev.rcc.core.worker.Completion;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The locks of one node, whose memory every requester reaches at once. Requesters run when the test lets them, each on a worker and with a clock of
 * its own. Other requesters run while a requester sleeps, or before one of its requests.
 */
public final class LoopbackLocks {
    private static final int REGION = 2;
    private static final int BUFFER_BYTES = 1 << 15;

    /** Ends a service coroutine that has nothing to do. */
    private static final class Idle extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    public final Memory memory = Memory.allocate(Arena.ofAuto(), 4096);
    private final LockScheme scheme;
    private final Primitive primitive;

    public LoopbackLocks(LockScheme scheme, Primitive primitive) {
        this.scheme = scheme;
        this.primitive = primitive;
    }

    /** The address of a lock of the space. */
    public static long address(int lock) {
        return RemoteAddress.of(0, REGION, (long) lock * LockSpace.LOCK_BYTES);
    }

    public long word(long address) {
        return memory.getLong(RemoteAddress.offset(address));
    }

    public void word(long address, long value) {
        memory.putLong(RemoteAddress.offset(address), value);
    }

    public Requester requester() {
        return requester(BUFFER_BYTES);
    }

    /** A requester whose coroutine has a buffer of this size. */
    public Requester requester(int bufferBytes) {
        return new Requester(bufferBytes);
    }

    /** A coroutine that requests locks. */
    public final class Requester implements Endpoint {
        public final FakeWorker worker = new FakeWorker(0);
        public final FakeCoroutine coroutine = new FakeCoroutine(0, worker);
        public final LockCounters counters = new LockCounters();
        /** The operations on memory, in order. */
        public final List<String> requests = new ArrayList<>();
        /** Runs before each request that is carried out. */
        public Runnable before = () -> {};
        /** Whether the node can't be reached. */
        public boolean isCutOff;
        /** The number of reports that a lock may stay held by no requester. */
        public int unsettled;

        public final LockManager locks;
        private final Memory buffers = Memory.allocate(Arena.ofAuto(), 2 * BUFFER_BYTES);
        private final Map<Integer, RpcHandler> handlers = new HashMap<>();

        private Requester(int bufferBytes) {
            locks = scheme.serve(site(1, BUFFER_BYTES)).manager(coroutine, new BufferSlice(buffers, 0, bufferBytes));
        }

        /** The requester's site, as if its node were all nodes of a cluster, with a service buffer of this size. */
        public LockSite site(int nodes, int serviceBytes) {
            return new LockSite(
                    worker,
                    this,
                    region -> memory,
                    nodes,
                    8,
                    primitive,
                    1,
                    new BufferSlice(buffers, BUFFER_BYTES, serviceBytes),
                    () -> 3,
                    counters,
                    WordRequests.RPC_ID,
                    () -> unsettled++);
        }

        /** Runs the service coroutine until it has nothing to do. */
        public void runService() {
            FakeCoroutine service = new FakeCoroutine(1, worker);
            service.whileSuspended = () -> {
                throw new Idle();
            };
            service.whileSleeping = coroutine.whileSleeping;
            try {
                worker.spawned.getFirst().accept(service);
            } catch (Idle e) {
                // expected
            }
        }

        @Override
        public Batch batch(int peer) {
            return new Requests();
        }

        @Override
        public void call(int peer, int rpcId, long request, int bytes, long reply, int replyBytes, Completion done) {
            done.add();
            if (isCutOff) {
                done.fail(peer);
                return;
            }
            handlers.get(rpcId)
                    .handle(new FakeRequest(buffers, request, bytes, reply, replyBytes, length -> done.succeed()));
        }

        @Override
        public void handle(int rpcId, RpcHandler handler) {
            handlers.put(rpcId, handler);
        }

        private final class Requests implements Batch {
            private final List<Runnable> appended = new ArrayList<>();

            private Batch append(String what, Runnable effect) {
                appended.add(() -> {
                    before.run();
                    requests.add(what);
                    effect.run();
                });
                return this;
            }

            @Override
            public Batch read(long source, int bytes, long target) {
                return append("read", () -> memory.copy(RemoteAddress.offset(source), buffers, target, bytes));
            }

            @Override
            public Batch write(long source, int bytes, long target) {
                return append("write", () -> buffers.copy(source, memory, RemoteAddress.offset(target), bytes));
            }

            @Override
            public Batch writeWord(long value, long target) {
                return append("write", () -> memory.putLong(RemoteAddress.offset(target), value));
            }

            @Override
            public Batch cas(long target, long expected, long desired, long result) {
                return append(
                        "cas",
                        () -> buffers.putLong(
                                result, memory.compareAndExchange(RemoteAddress.offset(target), expected, desired)));
            }

            @Override
            public Batch fetchAdd(long target, long delta, long result) {
                return append(
                        "fetchAdd",
                        () -> buffers.putLong(result, memory.getAndAdd(RemoteAddress.offset(target), delta)));
            }

            @Override
            public int peer() {
                return 0;
            }

            @Override
            public int size() {
                return appended.size();
            }

            @Override
            public void post(Completion done) {
                done.add();
                if (isCutOff) {
                    done.fail(0);
                    return;
                }
                appended.forEach(Runnable::run);
                done.succeed();
            }
        }
    }
}
