package dev.rcc.transport.verbs.ud;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.worker.Completion;
import dev.rcc.core.worker.EventLoop;
import dev.rcc.core.worker.Poller;
import dev.rcc.transport.PeerGates;
import dev.rcc.transport.RpcHandlers;
import dev.rcc.transport.WorkerCounters;
import dev.rcc.transport.verbs.ibv.ProtectionDomain;
import dev.rcc.transport.verbs.ibv.VerbsDevice;
import dev.rcc.transport.verbs.ibv.VerbsLibrary;
import dev.rcc.transport.verbs.rpc.RpcChannel;
import dev.rcc.transport.verbs.rpc.RpcSetting;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls by datagrams on a device, with two nodes of a worker each in this JVM. */
@Tag("rdma")
class UdRpcTest {
    private static final int PORT = 1;
    private static final int ECHO = 1;
    private static final int BUFFERS_BYTES = 1 << 20;
    /** Only ends a test that hangs: no test waits for it. */
    private static final long HANG_SECONDS = 900;

    private final VerbsDevice device = VerbsLibrary.load().open("");
    private final ProtectionDomain pd = device.allocPd();
    private final List<Node> nodes = new ArrayList<>();

    private final class Node {
        final EventLoop worker;
        final Memory buffers = Memory.allocate(Arena.ofAuto(), BUFFERS_BYTES);
        final RpcHandlers handlers;
        final UdRpc rpc;
        final RpcChannel channel;

        Node(int number, UdOptions options) {
            worker = new EventLoop(number, 0, 1);
            handlers = new RpcHandlers(number, new WorkerCounters());
            rpc = new UdRpc(
                    new RpcSetting(
                            number,
                            1,
                            2,
                            new PeerGates(number, 2),
                            device,
                            PORT,
                            device.port(PORT),
                            device.gid(PORT, -1),
                            pd,
                            5000,
                            0,
                            0,
                            (peer, link, worker, reason) -> {}),
                    options);
            channel = rpc.open(worker, buffers, null, null, handlers);
            worker.addPoller(new Poller() {
                @Override
                public int poll() {
                    return channel.poll();
                }
            });
        }
    }

    @BeforeEach
    void start() {
        for (int i = 0; i < 2; i++) {
            nodes.add(new Node(i, UdOptions.DEFAULT.withCallTimeoutNanos(TimeUnit.SECONDS.toNanos(20))));
        }
        for (Node node : nodes) {
            for (int peer = 0; peer < 2; peer++) {
                node.rpc.connect(peer, 1, nodes.get(peer).rpc.describe());
            }
            node.handlers.register(ECHO, request -> {
                for (int i = 0; i < request.payloadBytes(); i += Memory.WORD_BYTES) {
                    long word = request.payload().getLong(request.payloadOffset() + i);
                    request.response().putLong(request.responseOffset() + i, ~word);
                }
                request.reply(request.payloadBytes());
            });
        }
        nodes.forEach(node -> node.worker.start());
    }

    @AfterEach
    void close() {
        nodes.forEach(node -> node.worker.close());
        nodes.forEach(node -> node.rpc.close());
        pd.close();
        device.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 1000, 4096, 100_000})
    void shouldCarryRequestAndReply(int bytes) throws Exception {
        Node caller = nodes.getFirst();
        for (int i = 0; i < bytes; i += Memory.WORD_BYTES) {
            caller.buffers.putLong(i, i + 1L);
        }
        boolean succeeded = run(caller, completion -> {
            completion.add();
            caller.channel.call(1, ECHO, 0, bytes, BUFFERS_BYTES / 2, bytes, completion);
            return completion.await();
        });
        assertThat(succeeded).isTrue();
        for (int i = 0; i < bytes; i += Memory.WORD_BYTES) {
            assertThat(caller.buffers.getLong(BUFFERS_BYTES / 2 + i)).isEqualTo(~(i + 1L));
        }
    }

    // Goal: no call is lost if no node is slow, whatever the number of calls.
    @Test
    void shouldAnswerThousandsOfCallsBothWaysAndToItself() throws Exception {
        List<CompletableFuture<Boolean>> results = new ArrayList<>();
        for (Node node : nodes) {
            results.add(start(node, completion -> {
                boolean succeeded = true;
                for (int round = 0; round < 200; round++) {
                    for (int i = 0; i < 20; i++) {
                        completion.add();
                        node.channel.call(i % 2, ECHO, 0, 64, 4096, 64, completion);
                    }
                    succeeded &= completion.await();
                }
                return succeeded;
            }));
        }
        for (CompletableFuture<Boolean> result : results) {
            assertThat(result.get(HANG_SECONDS, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void shouldFailCallsToAPeerThatIsDisconnected() throws Exception {
        Node caller = nodes.getFirst();
        caller.rpc.disconnect(1);
        boolean succeeded = run(caller, completion -> {
            completion.add();
            caller.channel.call(1, ECHO, 0, 8, 64, 8, completion);
            return completion.await();
        });
        assertThat(succeeded).isFalse();
    }

    @FunctionalInterface
    private interface Body {
        boolean run(Completion completion);
    }

    private static boolean run(Node node, Body body) throws Exception {
        return start(node, body).get(HANG_SECONDS, TimeUnit.SECONDS);
    }

    private static CompletableFuture<Boolean> start(Node node, Body body) {
        CompletableFuture<Boolean> result = new CompletableFuture<>();
        node.worker.spawn(0, coroutine -> {
            try {
                result.complete(body.run(new Completion(coroutine)));
            } catch (RuntimeException | Error e) {
                result.completeExceptionally(e);
            }
        });
        return result;
    }
}
