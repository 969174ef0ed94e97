package dev.rcc.transport.local;

import dev.rcc.core.fabric.Batch;
import dev.rcc.core.fabric.Endpoint;
import dev.rcc.core.fabric.RpcHandler;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.worker.Completion;
import dev.rcc.core.worker.Poller;
import dev.rcc.core.worker.Worker;
import dev.rcc.transport.PolledCompletions;
import dev.rcc.transport.PostedBatches;
import dev.rcc.transport.RpcHandlers;
import dev.rcc.transport.WorkerCounters;
import java.util.Arrays;
import org.jctools.queues.varhandle.MpscVarHandleArrayQueue;

/**
 * A worker's access to its peers. All of it belongs to that worker, except the inbox, which every worker adds to.
 *
 * <p>RPCs are collected in one {@link LocalChain} a target and handed over by {@link #poll}. If the target's inbox is full,
 * the chain waits for the next poll: nothing is lost and no thread blocks.
 *
 * <p>When a peer stops, its outstanding calls fail here and their {@link LocalCall} objects are abandoned, never pooled
 * again. So a reply that the peer's worker had put into this inbox before it ended finds a call that no caller waits for
 * and is dropped; it can neither complete a request twice nor be taken for the reply to a later call. (The bytes of such
 * a reply were written before that worker ended, hence before the caller had its buffers back: see
 * {@link LocalNetwork#stop}.)
 */
final class LocalEndpoint implements Endpoint, Poller {
    /** Calls received in one poll, so that a flood of requests leaves turns for the coroutines. */
    static final int CALLS_PER_POLL = 256;

    private static final int INITIAL_POOL = 16;

    private final LocalFabric fabric;
    private final Worker worker;
    private final int workerIndex;
    private final Memory buffers;
    private final int id;
    private final RpcHandlers handlers;
    private final WorkerCounters counters = new WorkerCounters();
    private final PolledCompletions completions = new PolledCompletions();
    private final PostedBatches posted = new PostedBatches(completions);

    private LocalBatch[] freeBatches = new LocalBatch[INITIAL_POOL];
    private int freeBatchCount;
    private int batchesMade;

    /** Every call that was ever made and not abandoned, by slot. */
    private LocalCall[] calls = new LocalCall[INITIAL_POOL];

    private int callCount;
    private LocalCall[] freeCalls = new LocalCall[INITIAL_POOL];
    private int freeCallCount;

    /** The chains by their target's id. */
    private LocalChain[] chains = {};
    /** The chains that hold calls. */
    private LocalChain[] pending = new LocalChain[INITIAL_POOL];

    private int pendingCount;

    private final MpscVarHandleArrayQueue<LocalCall> inbox;
    /** The rest of a chain that was longer than a poll. */
    private LocalCall backlog;

    /** Called under the network's lock. */
    LocalEndpoint(LocalNetwork network, LocalFabric fabric, Worker worker, Memory buffers) {
        this.fabric = fabric;
        this.handlers = new RpcHandlers(fabric.node(), counters);
        this.worker = worker;
        this.workerIndex = worker.index();
        this.buffers = buffers;
        this.id = network.nextEndpointId();
        this.inbox = new MpscVarHandleArrayQueue<>(network.inboxChains());
    }

    WorkerCounters counters() {
        return counters;
    }

    LocalFabric fabric() {
        return fabric;
    }

    int workerIndex() {
        return workerIndex;
    }

    /** Batches that exist, for tests of the pool. */
    int batchesMade() {
        return batchesMade;
    }

    /** Calls that exist, for tests of the pool. */
    int callsMade() {
        return callCount;
    }

    // One-sided.

    @Override
    public Batch batch(int peer) {
        LocalBatch batch = freeBatchCount > 0 ? freeBatches[--freeBatchCount] : newBatch();
        return batch.start(peer);
    }

    /** The peer's attachment, or null when it cannot be reached from this node. */
    LocalFabric reach(int peer) {
        return fabric.reach(peer);
    }

    /** Returns a batch to the pool. */
    void recycle(LocalBatch batch) {
        if (freeBatchCount == freeBatches.length) {
            freeBatches = Arrays.copyOf(freeBatches, freeBatchCount * 2);
        }
        freeBatches[freeBatchCount++] = batch;
    }

    /** The batches that the next poll carries out. */
    PostedBatches posted() {
        return posted;
    }

    private LocalBatch newBatch() {
        batchesMade++;
        return new LocalBatch(this, buffers);
    }

    // RPC, the caller's side.

    @Override
    public void call(
            int peer,
            int rpcId,
            long requestOffset,
            int requestBytes,
            long replyOffset,
            int replyBytes,
            Completion completion) {
        RpcHandlers.checkCall(rpcId, buffers, requestOffset, requestBytes, replyOffset, replyBytes);
        counters.call();
        LocalFabric target = reach(peer);
        completion.add();
        if (target == null) {
            completions.add(completion, peer);
            return;
        }
        LocalEndpoint server = target.endpointFor(workerIndex);
        LocalCall call = freeCallCount > 0 ? freeCalls[--freeCallCount] : newCall();
        call.start(peer, server, rpcId, completion);
        call.place(requestOffset, requestBytes, replyOffset, replyBytes);
        send(server, call);
    }

    private LocalCall newCall() {
        if (callCount == calls.length) {
            calls = Arrays.copyOf(calls, callCount * 2);
            freeCalls = Arrays.copyOf(freeCalls, callCount * 2);
        }
        LocalCall call = new LocalCall(this, buffers, callCount);
        calls[callCount++] = call;
        return call;
    }

    /** Ends a call that has come back. */
    private void finish(LocalCall call) {
        if (!call.outstanding) {
            return; // abandoned: its peer has stopped, and the call has failed
        }
        Completion completion = call.completion;
        call.outstanding = false;
        call.completion = null;
        freeCalls[freeCallCount++] = call;
        if (call.isFailed()) {
            completion.fail(call.peer());
        } else {
            completion.succeed();
        }
    }

    /** A node, perhaps this one, has stopped: fails the outstanding calls to it, on the worker. Called on any thread. */
    void peerStopped(LocalFabric stopped) {
        worker.execute(() -> failCalls(stopped));
    }

    private void failCalls(LocalFabric stopped) {
        // A stopped node gets no replies, so all its outstanding calls fail.
        boolean all = stopped == fabric;
        for (int slot = 0; slot < callCount; slot++) {
            LocalCall call = calls[slot];
            if (call.outstanding && (all || call.server().fabric() == stopped)) {
                call.outstanding = false;
                LocalCall fresh = new LocalCall(this, buffers, slot);
                calls[slot] = fresh;
                freeCalls[freeCallCount++] = fresh;
                call.completion.fail(call.peer());
            }
        }
        // The next flush drops the calls that are still pending to it.
        for (int i = 0; i < chains.length; i++) {
            if (chains[i] != null && chains[i].target().fabric == stopped) {
                chains[i] = null;
            }
        }
    }

    // RPC, the server's side.

    @Override
    public void handle(int rpcId, RpcHandler handler) {
        handlers.register(rpcId, handler);
    }

    private void serve(LocalCall call) {
        if (call.isOfStoppedCaller()) {
            return; // no caller waits for the reply, and the request must not be carried out any more
        }
        call.serve();
        handlers.handle(call);
    }

    /** The cache misses of all requests that have come together overlap. */
    private void prefetch(LocalCall first) {
        for (int round = 0; round < RpcHandler.PREFETCH_ROUNDS; round++) {
            for (LocalCall call = first; call != null; call = call.next) {
                if (!call.isReplied() && !call.isOfStoppedCaller()) {
                    handlers.prefetch(call, round);
                }
            }
            handlers.fetch();
        }
    }

    // Both sides: sending and receiving.

    /** Appends a call, or its reply, to the chain for {@code target}. Called on this endpoint's worker. */
    void send(LocalEndpoint target, LocalCall call) {
        LocalChain chain = target.id < chains.length ? chains[target.id] : null;
        if (chain == null) {
            chain = newChain(target);
        }
        if (chain.append(call)) {
            if (pendingCount == pending.length) {
                pending = Arrays.copyOf(pending, pendingCount * 2);
            }
            pending[pendingCount++] = chain;
        }
    }

    private LocalChain newChain(LocalEndpoint target) {
        if (target.id >= chains.length) {
            chains = Arrays.copyOf(chains, Math.max(target.id + 1, chains.length * 2));
        }
        LocalChain chain = new LocalChain(target);
        chains[target.id] = chain;
        return chain;
    }

    /** Takes a chain from any worker, or refuses it because the inbox is full. */
    boolean receive(LocalCall head) {
        if (!inbox.offer(head)) {
            return false;
        }
        worker.wakeUp();
        return true;
    }

    /**
     * {@inheritDoc}
     *
     * <p>Never 0 while calls are pending, as no event reports when a full inbox has room again. With no other work it
     * then yields the processor, which the owner of that inbox is likely to need on a crowded machine.
     */
    @Override
    @SuppressWarnings("ThreadPriorityCheck") // only a hint is wanted
    public int poll() {
        int work = posted.carryOut() + completions.drain();
        if (fabric.isStopped()) {
            return work;
        }
        work += flush();
        work += receiveCalls();
        work += flush();
        if (work == 0 && pendingCount > 0) {
            Thread.yield();
        }
        return work + pendingCount;
    }

    private int flush() {
        int count = pendingCount;
        int kept = 0;
        for (int i = 0; i < count; i++) {
            LocalChain chain = pending[i];
            pending[i] = null;
            if (!chain.handOver()) {
                pending[kept++] = chain;
            }
        }
        pendingCount = kept;
        return count - kept;
    }

    private int receiveCalls() {
        LocalCall call = backlog;
        int count = 0;
        while (count < CALLS_PER_POLL) {
            if (call == null) {
                // Not relaxedPoll: it may miss an element whose sender found this worker awake, and the
                // worker would then sleep with the element in its inbox.
                call = inbox.poll();
                if (call == null) {
                    break;
                }
                prefetch(call);
            }
            LocalCall next = call.next;
            call.next = null;
            if (call.isReplied()) {
                finish(call);
            } else {
                serve(call);
            }
            call = next;
            count++;
        }
        backlog = call;
        return count;
    }
}
