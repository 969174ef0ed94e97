package dev.rcc.server.raft;

import dev.rcc.core.cluster.Placement;
import dev.rcc.core.fabric.RpcRequest;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.txn.WorkerSite;
import dev.rcc.core.worker.Completion;
import dev.rcc.core.worker.Coroutine;
import dev.rcc.protocols.common.Calls;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The log's side on every worker. On a leader's worker, it is the handlers that propose the entries that coordinators send. On a
 * coordinator's worker, it is the service coroutine that notifies the groups of decided transactions.
 */
final class RaftService {
    /** Proposes a transaction's writes to groups. */
    static final int PROPOSE = 205;
    /** Notifies a group of decided transactions. */
    static final int DECIDE = 206;

    /** Bytes before the entry in an item of {@link #PROPOSE}. */
    static final int ITEM_HEADER_BYTES = 2 * Memory.WORD_BYTES;
    /** Bytes of a reply to one item of {@link #PROPOSE}. */
    static final int REPLY_BYTES = 2 * Memory.WORD_BYTES;

    private static final int EPOCH_SHIFT = 20;
    private static final int PARTITION_SHIFT = 32;
    private static final long LOW_MASK = 0xFFFF_FFFFL;

    /** The number of groups that are notified at once, and of the decisions that each is sent. */
    private static final int SLOTS = 4;

    private static final int SLOT_DECISIONS = 256;
    private static final int SLOT_REQUEST_BYTES = Calls.HEADER_BYTES + (1 + SLOT_DECISIONS) * Memory.WORD_BYTES;

    /** Bytes that it keeps of the worker's service buffer. */
    static final int BUFFER_BYTES = SLOTS * (SLOT_REQUEST_BYTES + Memory.WORD_BYTES);

    private static final long ANNOUNCE_NANOS_MIN = 300_000;
    private static final long ANNOUNCE_NANOS_MAX = 5_000_000;
    private static final long SEAL_AGAIN_NANOS = 20_000_000;

    private final WorkerSite site;
    private final RaftWorker worker;
    private final long requests;
    private final long replies;
    private final Queue<Served> idle = new ArrayDeque<>();
    private final List<Runnable> whenSettled = new ArrayList<>();
    private final List<Runnable> whenSealed = new ArrayList<>();

    private RaftService(WorkerSite site, RaftWorker worker) {
        this.site = site;
        this.worker = worker;
        this.requests = site.serviceBuffer().keep(SLOTS * SLOT_REQUEST_BYTES);
        this.replies = site.serviceBuffer().keep(SLOTS * Memory.WORD_BYTES);
    }

    /** Starts the log's side on a worker. */
    static RaftService serve(WorkerSite site, RaftWorker worker) {
        RaftService service = new RaftService(site, worker);
        site.endpoint().handle(PROPOSE, service::propose);
        site.endpoint().handle(DECIDE, service::decide);
        site.worker().spawn(site.serviceCoroutine(), service::announce);
        return service;
    }

    // ---- messages --------------------------------------------------------------------------------------------------

    /** The second word of a request's header. A request of another configuration than the leader's is proposed to no group. */
    static long header(long epoch, int log) {
        return epoch << EPOCH_SHIFT | log;
    }

    private static long epoch(long header) {
        return header >>> EPOCH_SHIFT;
    }

    private static int log(long header) {
        return (int) (header & ((1L << EPOCH_SHIFT) - 1));
    }

    /** Writes the words before the entry in an item of {@link #PROPOSE}. */
    static void encodeItem(Memory buffers, long item, int partition, boolean alone, int bytes) {
        buffers.putLong(item, (long) partition << PARTITION_SHIFT | bytes);
        buffers.putLong(item + Memory.WORD_BYTES, alone ? Command.LOG_ALONE : Command.LOG);
    }

    /** The status of a partition in a reply to {@link #PROPOSE}; see {@link Status}. */
    static long status(Memory buffers, long reply, int partition) {
        long items = buffers.getLong(reply);
        for (long i = 1; i <= items; i++) {
            long word = buffers.getLong(reply + i * Memory.WORD_BYTES);
            if (word >>> PARTITION_SHIFT == partition) {
                return word & LOW_MASK;
            }
        }
        return Status.NOT_KNOWN;
    }

    // ---- as a leader -----------------------------------------------------------------------------------------------

    private void propose(RpcRequest request) {
        Memory payload = request.payload();
        long at = request.payloadOffset();
        int items = Calls.items(payload, at);
        long header = Calls.headerWord(payload, at);
        Served served = serve(request, items, true);
        long item = at + Calls.HEADER_BYTES;
        for (int i = 0; i < items; i++) {
            int partition = (int) (payload.getLong(item) >>> PARTITION_SHIFT);
            int bytes = (int) (payload.getLong(item) & LOW_MASK);
            int kind = (int) payload.getLong(item + Memory.WORD_BYTES);
            served.partitions[i] = partition;
            RaftGroups.Member member = worker.node().groups().member(partition, epoch(header));
            if (member == null) {
                served.done(i, Status.NOT_KNOWN);
            } else {
                member.proposer().log(kind, log(header), payload, item + ITEM_HEADER_BYTES, bytes, served, i);
            }
            item += ITEM_HEADER_BYTES + bytes;
        }
        served.done();
    }

    private void decide(RpcRequest request) {
        Memory payload = request.payload();
        long at = request.payloadOffset();
        int count = Calls.items(payload, at);
        long header = Calls.headerWord(payload, at);
        int partition = (int) payload.getLong(at + Calls.HEADER_BYTES);
        Served served = serve(request, count, false);
        RaftGroups.Member member = worker.node().groups().member(partition, epoch(header));
        for (int i = 0; i < count; i++) {
            long id = payload.getLong(at + Calls.HEADER_BYTES + (i + 1L) * Memory.WORD_BYTES);
            if (member == null) {
                served.done(i, Status.NOT_KNOWN);
            } else {
                member.proposer().propose(Command.DECIDED, id, served, i);
            }
        }
        served.done();
    }

    private Served serve(RpcRequest request, int items, boolean each) {
        Served served = idle.poll();
        if (served == null) {
            served = new Served();
        }
        served.begin(request, items, each);
        return served;
    }

    /** A request whose items end on a group's threads, and to which this worker then replies. */
    private final class Served implements Proposer.Proposal {
        private final AtomicInteger remaining = new AtomicInteger();
        private RpcRequest request;
        private boolean each;
        private int items;
        private long[] words = new long[1];
        private int[] partitions = new int[1];

        void begin(RpcRequest newRequest, int newItems, boolean newEach) {
            request = newRequest;
            items = newItems;
            each = newEach;
            if (items > words.length) {
                words = new long[items];
                partitions = new int[items];
            }
            remaining.set(items + 1);
        }

        @Override
        public void done(int item, long word) {
            words[item] = word;
            done();
        }

        /** One item has ended, or all have been begun. */
        void done() {
            if (remaining.decrementAndGet() == 0) {
                site.worker().execute(this::reply);
            }
        }

        private void reply() {
            Memory response = request.response();
            long at = request.responseOffset();
            if (each) {
                response.putLong(at, items);
                for (int i = 0; i < items; i++) {
                    response.putLong(
                            at + (i + 1L) * Memory.WORD_BYTES, (long) partitions[i] << PARTITION_SHIFT | words[i]);
                }
                request.reply((1 + items) * Memory.WORD_BYTES);
            } else {
                response.putLong(at, worst());
                request.reply(Memory.WORD_BYTES);
            }
            request = null;
            idle.add(this);
        }

        private long worst() {
            return Arrays.stream(words, 0, items)
                    .filter(word -> Status.status(word) == Status.AGAIN)
                    .findFirst()
                    .orElse(Status.word(Status.LOGGED, -1));
        }
    }

    // ---- as a coordinator ------------------------------------------------------------------------------------------

    /** Calls {@code settled} on the worker when the groups have been notified of all decided transactions. */
    void settle(Runnable settled) {
        whenSettled.add(settled);
    }

    /** Calls {@code sealed} on the worker when this node's copies of all partitions that the worker looks after are sealed. */
    void seal(Runnable sealed) {
        whenSealed.add(sealed);
    }

    /** Notifies the groups of decided transactions, and seals them when that is asked for; at longer intervals while there is nothing to do. */
    private void announce(Coroutine coroutine) {
        Completion completion = new Completion(coroutine);
        long intervalNanos = ANNOUNCE_NANOS_MIN;
        long sealAtNanos = site.worker().nanoTime();
        while (true) {
            coroutine.sleep(intervalNanos);
            boolean busy = tell(completion) || !whenSettled.isEmpty();
            if (worker.decisions().isEmpty()) {
                runAll(whenSettled);
            }
            if (!whenSealed.isEmpty()) {
                busy = true;
                boolean again = site.worker().nanoTime() - sealAtNanos >= 0;
                if (isSealed(again)) {
                    runAll(whenSealed);
                }
                sealAtNanos = again ? site.worker().nanoTime() + SEAL_AGAIN_NANOS : sealAtNanos;
            }
            intervalNanos = busy ? ANNOUNCE_NANOS_MIN : Math.min(2 * intervalNanos, ANNOUNCE_NANOS_MAX);
        }
    }

    private static void runAll(List<Runnable> listeners) {
        List<Runnable> all = List.copyOf(listeners);
        listeners.clear();
        all.forEach(Runnable::run);
    }

    /** Notifies the groups. Returns whether there was a decision to send. */
    private boolean tell(Completion completion) {
        Placement placement = site.catalog().placement();
        long epoch = worker.node().groups().configEpoch();
        int[] partitions = new int[SLOTS];
        int[] counts = new int[SLOTS];
        boolean any = false;
        for (int next = 0; next < placement.partitions(); ) {
            int slots = 0;
            for (; next < placement.partitions() && slots < SLOTS; next++) {
                if (worker.decisions().count(next) > 0) {
                    partitions[slots] = next;
                    counts[slots] = Math.min(SLOT_DECISIONS, worker.decisions().count(next));
                    slots++;
                }
            }
            any |= slots > 0;
            tell(partitions, counts, slots, epoch, placement, completion);
        }
        return any;
    }

    private void tell(
            int[] partitions, int[] counts, int slots, long epoch, Placement placement, Completion completion) {
        Memory buffers = site.buffers();
        int[] asked = new int[slots];
        for (int i = 0; i < slots; i++) {
            long request = requests + (long) i * SLOT_REQUEST_BYTES;
            long reply = replies + (long) i * Memory.WORD_BYTES;
            buffers.putLong(request, counts[i]);
            buffers.putLong(request + Memory.WORD_BYTES, header(epoch, worker.log()));
            buffers.putLong(request + Calls.HEADER_BYTES, partitions[i]);
            for (int each = 0; each < counts[i]; each++) {
                long id = worker.decisions().id(partitions[i], each);
                buffers.putLong(request + Calls.HEADER_BYTES + (each + 1L) * Memory.WORD_BYTES, id);
            }
            buffers.putLong(reply, Status.NOT_KNOWN);
            asked[i] = worker.leaders().leader(partitions[i], epoch, placement);
            int bytes = Calls.HEADER_BYTES + (1 + counts[i]) * Memory.WORD_BYTES;
            site.endpoint().call(asked[i], DECIDE, request, bytes, reply, Memory.WORD_BYTES, completion);
        }
        boolean _ = completion.await();
        for (int i = 0; i < slots; i++) {
            long word = completion.hasFailed(asked[i])
                    ? Status.NOT_KNOWN
                    : buffers.getLong(replies + (long) i * Memory.WORD_BYTES);
            if (Status.status(word) == Status.AGAIN) {
                worker.leaders().isNot(partitions[i], asked[i], Status.leader(word), placement);
            } else {
                worker.decisions().told(partitions[i], counts[i]);
            }
        }
    }

    /** Whether all groups that this worker looks after are sealed; if {@code again}, proposes the seal to groups that this node leads. */
    private boolean isSealed(boolean again) {
        boolean all = true;
        for (RaftGroups.Member member : worker.members()) {
            boolean isSealed = member.state().isSealed();
            all &= isSealed;
            if (!isSealed && again && worker.node().groups().leads(member)) {
                member.proposer().propose(Command.SEAL, 0, (item, word) -> {}, 0);
            }
        }
        return all;
    }
}
