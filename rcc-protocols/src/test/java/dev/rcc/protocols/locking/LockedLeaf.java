package dev.rcc.protocols.locking;

import dev.rcc.core.cluster.RingPlacement;
import dev.rcc.core.fabric.Batch;
import dev.rcc.core.fabric.Endpoint;
import dev.rcc.core.fabric.RpcHandler;
import dev.rcc.core.fabric.RpcRequest;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.RemoteAddress;
import dev.rcc.core.protocol.WorkerContext;
import dev.rcc.core.store.Catalog;
import dev.rcc.core.store.KeyHash;
import dev.rcc.core.store.Memstore;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TablePartition;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.store.TupleLayout;
import dev.rcc.core.testing.FakeFabric;
import dev.rcc.core.testing.FakeRequest;
import dev.rcc.core.testing.FakeWorker;
import dev.rcc.core.testing.PartialContext;
import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.AbortReasons;
import dev.rcc.core.txn.Admission;
import dev.rcc.core.txn.AttemptGate;
import dev.rcc.core.txn.Intent;
import dev.rcc.core.txn.Transaction;
import dev.rcc.core.worker.Completion;
import dev.rcc.core.worker.Poller;
import dev.rcc.protocols.common.Calls;
import dev.rcc.protocols.common.ConflictReasons;
import dev.rcc.protocols.common.InstallMessage;
import dev.rcc.protocols.common.KeyItem;
import java.lang.foreign.Arena;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BiFunction;
import java.util.stream.LongStream;

/**
 * A leaf's lock word, and workers of its node that lock it, each for one transaction and on a thread of its own. Reading a missing key takes the lock
 * shared; deleting a key takes it exclusive, or makes the shared lock exclusive. Each transaction deletes a key of its own, so the transactions
 * compete for the leaf alone.
 *
 * <p>A thread sometimes yields between two changes of the word, and between reading and changing it. Otherwise the few instructions in between would
 * seldom be interrupted.
 */
public final class LockedLeaf {
    private static final TableSchema SCHEMA = TableSchema.ofLongKeys(0, "numbers", 8, 64);

    private final LockRules rules;
    private final long[] owners;
    private final Table table;
    private final Memstore memstore;
    private final TablePartition partition;
    private final long[] keys;
    private final FakeNode[] workers;

    /** A leaf for transactions that are {@code owners} in lock words and never wait. */
    public LockedLeaf(LockRules rules, long[] owners) {
        this(rules, owners, LockingParticipant::new);
    }

    /** A leaf for transactions that are {@code owners} in lock words. */
    public LockedLeaf(
            LockRules rules,
            long[] owners,
            BiFunction<WorkerContext, LockRules, ? extends LockingParticipant> participant) {
        Catalog catalog = new Catalog(new RingPlacement(1, 1), LockingProtocol.METADATA_BYTES, List.of(SCHEMA));
        this.rules = new Yielding(rules);
        this.owners = owners;
        this.table = catalog.table(0);
        this.memstore = new Memstore(catalog, new FakeFabric(0));
        this.partition = memstore.partition(0, 0);
        long leaf = table.layout().leafOffset(KeyHash.of(0));
        this.keys = LongStream.iterate(0, key -> key + 1)
                .filter(key -> table.layout().leafOffset(KeyHash.of(key)) == leaf)
                .limit(owners.length + 1)
                .toArray();
        Memory record = Memory.allocate(Arena.ofAuto(), 8);
        Memory identity = Memory.allocate(Arena.ofAuto(), 16);
        for (int i = 0; i < owners.length; i++) {
            identify(identity, 0, keys[i]);
            partition.load(KeyHash.of(keys[i]), identity, 0, 1, record, 0);
        }
        this.workers = new FakeNode[owners.length];
        for (int i = 0; i < owners.length; i++) {
            workers[i] = new FakeNode();
            participant.apply(workers[i].context, this.rules).serve();
        }
    }

    /** Unlocks everything. */
    void reset() {
        partition.memory().putLong(leafOffset(), LockRules.FREE);
        partition.forEachTuple(tuple -> partition.memory().putLong(tuple, LockRules.FREE));
    }

    /** Locks the leaf by RPC, and returns the result as in {@link LockMessage}. */
    int lock(int txn, LockMode held, LockMode wanted) {
        FakeNode worker = workers[txn];
        boolean shared = wanted == LockMode.SHARED;
        long key = shared ? keys[owners.length] : keys[txn];
        Intent intent = shared ? Intent.READ : Intent.DELETE;
        long item = Place.HEADER;
        worker.memory.putLong(item, (long) held.code() << 8 | intent.code());
        worker.memory.putLong(item + 8, KeyHash.of(key));
        identify(worker.memory, KeyItem.identityOffset(item), key);
        worker.call(LockingParticipant.LOCK, owners[txn]);
        return LockMessage.result(worker.memory, Place.REPLY + Memory.WORD_BYTES);
    }

    /** Unlocks the leaf by RPC. */
    void unlock(int txn, LockMode held) {
        FakeNode worker = workers[txn];
        int action = held == LockMode.SHARED ? InstallMessage.UNLOCK_SHARED : InstallMessage.UNLOCK;
        long leaf = partition.region().address(leafOffset());
        LockingParticipant.INSTALL.encode(worker.memory, Place.HEADER, action, leaf, 0);
        worker.call(LockingParticipant.FINISH, owners[txn]);
    }

    /** Unlocks the leaf by one-sided verbs. */
    void unlockOneSided(int txn, LockMode held) {
        long address = partition.region().address(leafOffset());
        Unlocking.unlock(rules, owners[txn], new DirectBatch(partition.memory()), address, held, 0);
    }

    private long leafOffset() {
        return table.layout().leafOffset(KeyHash.of(keys[0]));
    }

    private static void identify(Memory memory, long offset, long key) {
        memory.putLong(offset, TupleLayout.liveHeader(Long.BYTES));
        memory.putLong(offset + Memory.WORD_BYTES, key);
    }

    /** The offsets of messages: a request of one item, and its reply. */
    private static final class Place {
        static final long HEADER = Calls.HEADER_BYTES;
        static final long REPLY = 512;
        static final long END = 1024;

        private Place() {}
    }

    /** A worker that serves one request at a time, sent by its own thread. */
    private final class FakeNode implements Endpoint {
        final Memory memory = Memory.allocate(Arena.ofAuto(), Place.END);
        private final FakeWorker worker = new FakeWorker(0);
        private final Map<Integer, RpcHandler> handlers = new HashMap<>();
        private boolean replied;
        private final RpcRequest served = new FakeRequest(
                memory, 0, (int) Place.REPLY, Place.REPLY, (int) (Place.END - Place.REPLY), bytes -> replied = true);

        final WorkerContext context = new PartialContext(worker, this, memory)
                .memstore(memstore)
                .gate(new AttemptGate(0, new Admission()))
                .abortReasons(new AbortReasons(ConflictReasons.ALL))
                .make();

        void call(int rpcId, long owner) {
            memory.putLong(0, 1);
            memory.putLong(Memory.WORD_BYTES, owner);
            replied = false;
            handlers.get(rpcId).handle(served);
            while (!replied) {
                worker.pollers.forEach(Poller::poll);
            }
        }

        @Override
        public void handle(int rpcId, RpcHandler handler) {
            handlers.put(rpcId, handler);
        }

        @Override
        public Batch batch(int peer) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void call(
                int peer, int rpcId, long request, int requestBytes, long reply, int replyBytes, Completion done) {
            throw new UnsupportedOperationException();
        }
    }

    @SuppressWarnings("ThreadPriorityCheck") // only the number of interleavings depends on it
    private static void yieldSometimes() {
        if (ThreadLocalRandom.current().nextInt(8) == 0) {
            Thread.yield();
        }
    }

    /** Rules that sometimes yield: their caller has read a word and is about to change it. */
    private record Yielding(LockRules rules) implements LockRules {
        @Override
        public long owner(Transaction txn) {
            return rules.owner(txn);
        }

        @Override
        public boolean isFree(long word) {
            yieldSometimes();
            return rules.isFree(word);
        }

        @Override
        public long grant(long word, LockMode mode, long owner) {
            yieldSometimes();
            return rules.grant(word, mode, owner);
        }

        @Override
        public long upgrade(long word, long owner) {
            yieldSometimes();
            return rules.upgrade(word, owner);
        }

        @Override
        public long soleSharer(long owner) {
            return rules.soleSharer(owner);
        }

        @Override
        public long residue(long owner) {
            yieldSometimes();
            return rules.residue(owner);
        }

        @Override
        public AbortReason refusal(long word, long owner) {
            return rules.refusal(word, owner);
        }

        @Override
        public long waitNanosMax() {
            return rules.waitNanosMax();
        }
    }

    /** Changes memory at once. */
    private record DirectBatch(Memory memory) implements Batch {
        @Override
        public Batch writeWord(long value, long target) {
            memory.putRelease(RemoteAddress.offset(target), value);
            return this;
        }

        @Override
        public Batch cas(long target, long expected, long desired, long result) {
            memory.compareAndExchange(RemoteAddress.offset(target), expected, desired);
            return this;
        }

        @Override
        public Batch fetchAdd(long target, long delta, long result) {
            memory.getAndAdd(RemoteAddress.offset(target), delta);
            return this;
        }

        @Override
        public Batch read(long source, int bytes, long target) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Batch write(long source, int bytes, long target) {
            throw new UnsupportedOperationException();
        }

        @Override
        public int peer() {
            return 0;
        }

        @Override
        public int size() {
            return 0;
        }

        @Override
        public void post(Completion completion) {
            throw new UnsupportedOperationException();
        }
    }
}
