package dev.rcc.transport.tcp;

import dev.rcc.core.fabric.Batch;
import dev.rcc.core.fabric.Endpoint;
import dev.rcc.core.fabric.RpcHandler;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.worker.Completion;
import dev.rcc.core.worker.Worker;
import dev.rcc.transport.Loopback;
import dev.rcc.transport.PolledCompletions;
import dev.rcc.transport.RpcHandlers;
import dev.rcc.transport.WorkerCounters;
import dev.rcc.transport.sockets.SocketLoop;
import dev.rcc.transport.sockets.SocketParker;
import io.netty.channel.Channel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A worker's access to its peers. The worker itself does the input and output of its connections: the messages that its coroutines
 * and handlers send in a turn leave at the beginning of the next, in one write a connection. An idle worker sleeps in its
 * network. So an RPC wakes no thread but the two workers. Used on its worker, except where a method is documented otherwise.
 */
@SuppressWarnings("FutureReturnValueIgnored") // Netty logs its tasks' exceptions
final class TcpEndpoint implements Endpoint, SocketParker {
    /** The most unsent bytes that are kept for a peer that takes nothing. */
    static final int MAX_UNSENT_BYTES = (int) (3 * TcpRpcConnection.MAX_CALL_BYTES);

    private static final int INITIAL_POOL = 16;
    // An io_uring takes a few turns to release a connection.
    private static final int LEAVING_TURNS_MAX = 1000;
    private static final long TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final TcpFabric fabric;
    private final Worker worker;
    private final Memory buffers;
    private final RpcHandlers handlers;
    private final WorkerCounters counters = new WorkerCounters();
    private final PolledCompletions completions = new PolledCompletions();
    private final Loopback loopback;
    private final SocketLoop sockets;
    private final long stallNanos;
    private final boolean isSlower;
    /** Whether the worker polls this endpoint. */
    private boolean isPolled;

    private boolean armed;

    private final TcpRpcConnection[] rpcs;
    private final TcpMemoryClient[] memories;
    private final List<TcpStream> streams = new ArrayList<>();
    private TcpStream[] toFlush = new TcpStream[INITIAL_POOL];
    private int toFlushCount;
    private TcpStream[] toProcess = new TcpStream[INITIAL_POOL];
    private int toProcessCount;

    private final ArrayDeque<TcpBatch> freeBatches = new ArrayDeque<>();

    TcpEndpoint(TcpFabric fabric, Worker worker, Memory buffers) {
        this.fabric = fabric;
        this.worker = worker;
        this.buffers = buffers;
        this.handlers = new RpcHandlers(fabric.node(), counters);
        this.loopback = new Loopback(
                fabric.node(),
                buffers,
                () -> fabric.isClosed() ? null : fabric.regions(),
                handlers,
                counters,
                completions);
        this.sockets = new SocketLoop(fabric.transport());
        this.stallNanos = fabric.options().stallTimeout().toNanos();
        this.isSlower = fabric.options().isSlower();
        this.rpcs = new TcpRpcConnection[fabric.nodes()];
        this.memories = new TcpMemoryClient[fabric.nodes()];
    }

    /** Has the worker sleep here and poll this endpoint; if the nodes are also on a faster network, it polls only once there is something to poll. */
    void attach() {
        if (isSlower) {
            worker.sleepIn(this);
        } else {
            beginPolling();
        }
    }

    private void beginPolling() {
        if (!isPolled) {
            isPolled = true;
            worker.addPoller(this);
        }
    }

    WorkerCounters counters() {
        return counters;
    }

    TcpFabric fabric() {
        return fabric;
    }

    Worker worker() {
        return worker;
    }

    Memory buffers() {
        return buffers;
    }

    RpcHandlers handlers() {
        return handlers;
    }

    // One-sided.

    @Override
    public Batch batch(int peer) {
        if (peer == fabric.node()) {
            beginPolling();
            return loopback.batch();
        }
        TcpBatch batch = freeBatches.poll();
        return (batch == null ? new TcpBatch(this, buffers) : batch).start(peer);
    }

    /** Sends a batch, or fails it if its peer is not connected. */
    void post(TcpBatch batch) {
        TcpMemoryClient memory = memories[batch.peer()];
        if (memory == null) {
            beginPolling();
            batch.completion().add();
            completions.add(batch.completion(), batch.peer());
            freeBatches.push(batch);
            return;
        }
        boolean posted = false;
        try {
            memory.post(batch);
            posted = true;
        } finally {
            if (!posted) {
                freeBatches.push(batch);
            }
        }
        batch.completion().add();
    }

    /** Completes a batch that has been carried out, or never will be. */
    void finish(TcpBatch batch, boolean failed) {
        Completion waiting = batch.completion();
        int peer = batch.peer();
        freeBatches.push(batch);
        if (failed) {
            waiting.fail(peer);
        } else {
            waiting.succeed();
        }
    }

    // RPC.

    @Override
    public int maxCallBytes() {
        return TcpFrames.MAX_MESSAGE_BYTES;
    }

    @Override
    public void handle(int rpcId, RpcHandler handler) {
        handlers.register(rpcId, handler);
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
        RpcHandlers.checkCall(rpcId, buffers, requestOffset, requestBytes, replyOffset, replyBytes);
        counters.call();
        if (peer == fabric.node()) {
            beginPolling();
            loopback.call(rpcId, requestOffset, requestBytes, replyOffset, replyBytes, completion);
            return;
        }
        TcpRpcConnection rpc = rpcs[peer];
        if (rpc == null) {
            beginPolling();
            completion.add();
            completions.add(completion, peer);
        } else {
            rpc.call(rpcId, buffers, requestOffset, requestBytes, replyOffset, replyBytes, completion);
        }
    }

    @Override
    public boolean completesAtOnce(int peer) {
        return peer == fabric.node();
    }

    // The worker's turn.

    /** Has {@link #poll} flush a connection, and watch it until all is sent. */
    void toFlush(TcpStream stream) {
        if (!stream.flushListed) {
            stream.flushListed = true;
            if (toFlushCount == toFlush.length) {
                toFlush = Arrays.copyOf(toFlush, 2 * toFlushCount);
            }
            toFlush[toFlushCount++] = stream;
        }
    }

    /** Has {@link #poll} take the frames that have arrived on a connection. */
    void toProcess(TcpStream stream) {
        if (!stream.processListed) {
            stream.processListed = true;
            if (toProcessCount == toProcess.length) {
                toProcess = Arrays.copyOf(toProcess, 2 * toProcessCount);
            }
            toProcess[toProcessCount++] = stream;
        }
    }

    @Override
    public int poll() {
        if (sockets.isOver()) {
            return completions.drain();
        }
        int work = loopback.poll() + completions.drain();
        boolean isLookDue = sockets.isLookDue(worker.wallNanos());
        // The coroutines that this has made ready will post more. Messages cost less in fewer, larger writes.
        if (work > 0 && !isLookDue) {
            armed = false;
            return work;
        }
        flush();
        sockets.flush();
        // After a sleep, the arrived bytes have been read; before a sleep, the sleep itself will look. A worker that
        // spins for a faster network must not spend its turns on this.
        if (toProcessCount == 0 && !armed && (isLookDue || !isSlower)) {
            sockets.runNow();
        }
        armed = false;
        return work + process() + sockets.process();
    }

    @Override
    public boolean spinsFirst(boolean areProcessorsScarce) {
        return isSlower;
    }

    private void flush() {
        int kept = 0;
        for (int i = 0, n = toFlushCount; i < n; i++) {
            TcpStream stream = toFlush[i];
            toFlush[i] = null;
            if (stream.flush()) {
                stream.flushListed = false;
                stream.unblocked();
            } else if (stream.isStalled(worker.nanoTime(), stallNanos)) {
                stream.flushListed = false;
                stream.reject(
                        "the peer has read nothing for " + fabric.options().stallTimeout());
            } else {
                toFlush[kept++] = stream; // the operating system wakes the worker when there is room
            }
        }
        toFlushCount = kept;
    }

    private int process() {
        int frames = 0;
        for (int i = 0, n = toProcessCount; i < n; i++) {
            TcpStream stream = toProcess[i];
            toProcess[i] = null;
            stream.processListed = false;
            frames += stream.process();
        }
        toProcessCount = 0;
        return frames;
    }

    @Override
    public void arm() {
        armed = true;
    }

    @Override
    public SocketLoop sockets() {
        return sockets;
    }

    // Links.

    /** Takes over a connection whose channel belongs to no event loop. */
    void adopt(TcpLink link, TcpStream stream, TcpStream.Receiver receiver) {
        if (sockets.isOver() || !link.isActive()) {
            stream.channel().close();
            return;
        }
        beginPolling();
        dropBefore(link);
        if (receiver instanceof TcpMemoryClient memory) {
            memories[link.peer()] = memory;
        } else if (link.callsOn(stream, worker.index())) {
            rpcs[link.peer()] = (TcpRpcConnection) receiver;
        }
        stream.receiver(receiver);
        streams.add(stream);
        Channel channel = stream.channel();
        sockets.register(channel).addListener(registered -> {
            if (registered.isSuccess()) {
                channel.config().setAutoRead(true);
                stream.goOn();
                toProcess(stream);
            } else {
                link.fail("its connection could not be handed to a worker: " + registered.cause());
            }
        });
    }

    /** Drops the peer's earlier link, which has failed: the thread that failed it may be slow to have this worker do so. */
    private void dropBefore(TcpLink link) {
        TcpMemoryClient memory = memories[link.peer()];
        if (memory != null && memory.link() != link) {
            drop(memory.link());
        }
        TcpRpcConnection rpc = rpcs[link.peer()];
        if (rpc != null && rpc.link() != link) {
            drop(rpc.link());
        }
    }

    /** Fails all outstanding requests on a failed link, and ends its connections. */
    void drop(TcpLink link) {
        int peer = link.peer();
        if (memories[peer] != null && memories[peer].link() == link) {
            TcpMemoryClient memory = memories[peer];
            memories[peer] = null;
            memory.fail();
        }
        if (rpcs[peer] != null && rpcs[peer].link() == link) {
            TcpRpcConnection rpc = rpcs[peer];
            rpcs[peer] = null;
            rpc.fail();
        }
        for (TcpStream stream : List.copyOf(streams)) {
            if (link.has(stream)) {
                stream.end("its link has failed");
                streams.remove(stream);
            }
        }
    }

    /** Ends all connections and the socket loop; the network has been closed, or the worker has ended. */
    void shutDown() {
        if (sockets.isOver()) {
            return;
        }
        for (TcpStream stream : List.copyOf(streams)) {
            stream.end("the worker has ended");
        }
        sockets.end();
    }

    /**
     * {@inheritDoc}
     *
     * <p>To the peers, and to this node's other workers, this worker then looks stuck: an I/O thread keeps its connections
     * until the network is closed.
     */
    @Override
    public void end() {
        if (!sockets.hasEnded() && !fabric.isClosed()) {
            int[] leaving = {streams.size()};
            for (TcpStream stream : streams) {
                stream.channel().config().setAutoRead(false);
                stream.channel().deregister().addListener(left -> {
                    leaving[0]--;
                    fabric.shelter(stream);
                });
            }
            streams.clear();
            for (int turns = 0; leaving[0] > 0 && turns < LEAVING_TURNS_MAX; turns++) {
                sockets.run(TURN_NANOS);
            }
        }
        shutDown();
    }

    /** Shuts the endpoint down, on the worker if it still runs. Called on any thread. */
    void close() {
        if (sockets.claim()) {
            shutDown(); // a worker that never ran
        } else {
            worker.execute(this::shutDown);
        }
    }
}
