package dev.rcc.transport.verbs.darpc;

import dev.rcc.core.fabric.RpcHandler;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.worker.Completion;
import dev.rcc.core.worker.EventLoop;
import dev.rcc.core.worker.Poller;
import dev.rcc.transport.PeerGates;
import dev.rcc.transport.RpcHandlers;
import dev.rcc.transport.WorkerCounters;
import dev.rcc.transport.verbs.ibv.VerbsDevice;
import dev.rcc.transport.verbs.ibv.VerbsLibrary;
import dev.rcc.transport.verbs.rpc.RpcChannel;
import dev.rcc.transport.verbs.rpc.RpcSetting;
import java.lang.foreign.Arena;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A node with workers that make and serve calls by DaRPC, and no fabric. */
final class DarpcNode implements AutoCloseable {
    static final int BUFFER_BYTES = 1 << 16;

    private static final int PORT = 1;
    private static final int TIMEOUT_MILLIS = 5_000;

    final DarpcRpc rpc;
    final PeerGates gates;
    final EventLoop[] workers;
    final RpcChannel[] channels;
    final Memory[] buffers;
    final RpcHandlers[] handlers;

    private final VerbsDevice device = VerbsLibrary.load().open("");
    private int coroutines;
    private boolean ended;

    /** The body of a test's coroutine. */
    @FunctionalInterface
    interface Body<T> {
        T run(Memory buffers, RpcChannel channel, Completion completion) throws Exception;
    }

    DarpcNode(int node, int nodes, int workerCount, DarpcOptions options) {
        gates = new PeerGates(node, nodes);
        rpc = new DarpcRpc(
                new RpcSetting(
                        node,
                        node + 1L,
                        nodes,
                        gates,
                        device,
                        PORT,
                        device.port(PORT),
                        device.gid(PORT, -1),
                        null, // DaRPC registers memory of its own
                        TIMEOUT_MILLIS,
                        0,
                        0,
                        (peer, link, worker, reason) -> {}),
                options);
        workers = new EventLoop[workerCount];
        channels = new RpcChannel[workerCount];
        buffers = new Memory[workerCount];
        handlers = new RpcHandlers[workerCount];
        for (int i = 0; i < workerCount; i++) {
            workers[i] = new EventLoop(node, i, 1);
            buffers[i] = Memory.of(Arena.ofAuto().allocate(BUFFER_BYTES, Memory.WORD_BYTES));
            handlers[i] = new RpcHandlers(node, new WorkerCounters());
            RpcChannel channel = rpc.open(workers[i], buffers[i], null, null, handlers[i]);
            channels[i] = channel;
            workers[i].addPoller(new Poller() {
                @Override
                public int poll() {
                    return channel.poll();
                }

                @Override
                public void arm() {
                    channel.arm();
                }
            });
        }
    }

    /** Registers a handler on all workers, before they start. */
    void handle(int rpcId, RpcHandler handler) {
        for (RpcHandlers of : handlers) {
            of.register(rpcId, handler);
        }
    }

    void start() {
        for (EventLoop worker : workers) {
            worker.start();
        }
    }

    /** Starts a coroutine on a worker. */
    <T> CompletableFuture<T> spawn(int worker, Body<T> body) {
        CompletableFuture<T> result = new CompletableFuture<>();
        workers[worker].spawn(coroutines++, coroutine -> {
            try {
                result.complete(body.run(buffers[worker], channels[worker], new Completion(coroutine)));
            } catch (Exception | AssertionError e) {
                result.completeExceptionally(e);
            }
        });
        return result;
    }

    /** Runs a coroutine to its end. */
    <T> T run(int worker, Body<T> body) throws Exception {
        return spawn(worker, body).get(100, TimeUnit.SECONDS);
    }

    /** Ends the node; a second call does nothing. */
    @Override
    public void close() {
        if (!ended) {
            ended = true;
            for (EventLoop worker : workers) {
                worker.close();
            }
            rpc.close();
            device.close();
        }
    }
}
