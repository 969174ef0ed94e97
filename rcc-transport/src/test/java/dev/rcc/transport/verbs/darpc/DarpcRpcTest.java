package dev.rcc.transport.verbs.darpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.rcc.core.fabric.RpcRequest;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.worker.Completion;
import dev.rcc.transport.verbs.rpc.RpcChannel;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

/** Promises of calls by DaRPC beyond the contract of fabrics: limits, and the failure of calls when a peer leaves. */
@Tag("rdma")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DarpcRpcTest {
    private static final DarpcOptions OPTIONS = new DarpcOptions(4, 1024, 64, 5_000);
    private static final int ECHO = 1;
    private static final int KEEP = 2;
    private static final int WORKER = 3;

    private final Logger logger = (Logger) LoggerFactory.getLogger(DarpcRpc.class.getPackageName());
    private final List<RpcRequest> kept = new ArrayList<>(); // used by the server's only worker
    private DarpcNode client;
    private DarpcNode server;

    @BeforeEach
    void connect() {
        client = new DarpcNode(0, 2, 2, OPTIONS);
        server = new DarpcNode(1, 2, 1, OPTIONS);
        server.handle(ECHO, request -> {
            request.response()
                    .putLong(request.responseOffset(), request.payload().getLong(request.payloadOffset()));
            request.reply(request.payloadBytes());
        });
        server.handle(KEEP, kept::add);
        client.handle(ECHO, request -> request.reply(0));
        client.handle(WORKER, request -> request.reply(0));
        byte[] ofClient = client.rpc.describe();
        byte[] ofServer = server.rpc.describe();
        client.start();
        server.start();
        client.rpc.connect(0, 1, ofClient); // itself
        client.rpc.connect(1, 1, ofServer);
        server.rpc.connect(0, 1, ofClient);
    }

    @AfterEach
    void close() {
        logger.setLevel(null);
        client.close();
        server.close();
    }

    private static boolean echo(Memory buffers, RpcChannel channel, Completion completion, long word) {
        buffers.putLong(0, word);
        completion.add();
        channel.call(1, ECHO, 0, Long.BYTES, 64, Long.BYTES, completion);
        return completion.await();
    }

    private boolean canEcho() throws Exception {
        return client.run(0, (buffers, channel, completion) -> echo(buffers, channel, completion, 1));
    }

    @Test
    void shouldAnswerEachWorkerBothWaysAndItself() throws Exception {
        for (int worker = 0; worker < 2; worker++) {
            long word = 42L + worker;
            long reply = client.run(worker, (buffers, channel, completion) -> {
                assertThat(echo(buffers, channel, completion, word)).isTrue();
                return buffers.getLong(64);
            });
            assertThat(reply).isEqualTo(word);
        }
        for (DarpcNode caller : List.of(server, client)) {
            boolean succeeded = caller.run(0, (buffers, channel, completion) -> {
                completion.add();
                channel.call(0, ECHO, 0, 0, 0, 0, completion);
                return completion.await();
            });
            assertThat(succeeded).isTrue();
        }
    }

    @Test
    void shouldLetMoreCallsWaitThanMayBeUnderWay() throws Exception {
        int calls = 100;
        List<Long> replies = client.run(0, (buffers, channel, completion) -> {
            for (int i = 0; i < calls; i++) {
                buffers.putLong(i * 8L, i + 1);
                completion.add();
                channel.call(1, ECHO, i * 8L, Long.BYTES, 4096 + i * 8L, Long.BYTES, completion);
            }
            assertThat(completion.await()).isTrue();
            List<Long> words = new ArrayList<>();
            for (int i = 0; i < calls; i++) {
                words.add(buffers.getLong(4096 + i * 8L));
            }
            return words;
        });
        for (int i = 0; i < calls; i++) {
            assertThat(replies.get(i)).isEqualTo(i + 1);
        }
    }

    @Test
    void shouldCarryTheLongestMessageAndFailALongerOne() throws Exception {
        logger.setLevel(Level.OFF); // it would log the cause
        int failedPeer = client.run(0, (buffers, channel, completion) -> {
            completion.add();
            channel.call(1, ECHO, 0, OPTIONS.messageBytesMax(), 4096, OPTIONS.messageBytesMax(), completion);
            assertThat(completion.await()).isTrue();
            completion.add();
            channel.call(1, ECHO, 0, OPTIONS.messageBytesMax() + 8, 4096, 8, completion);
            assertThat(completion.await()).isFalse();
            int peer = completion.failedPeer();
            assertThat(echo(buffers, channel, completion, 5)).as("the next one").isTrue();
            return peer;
        });
        assertThat(failedPeer).isEqualTo(1);
    }

    @Test
    void shouldFailCallsToAPeerThatIsDisconnectedOrNeverWas() throws Exception {
        CompletableFuture<Boolean> waiting = client.spawn(0, (buffers, channel, completion) -> {
            for (int i = 0; i < 10; i++) { // more than may be outstanding
                completion.add();
                channel.call(1, KEEP, 0, Long.BYTES, 64, Long.BYTES, completion);
            }
            return completion.await();
        });
        while (server.run(0, (buffers, channel, completion) -> kept.size()) < OPTIONS.callsPerPeer()) {
            Thread.onSpinWait();
        }
        assertThat(waiting.isDone()).isFalse();
        client.rpc.disconnect(1);
        assertThat(waiting.get(60, TimeUnit.SECONDS)).isFalse();
        assertThat(canEcho()).isFalse();
        server.run(0, (buffers, channel, completion) -> {
            kept.forEach(request -> request.reply(0)); // their caller does not wait any more
            return null;
        });
        client.rpc.connect(1, 1, server.rpc.describe());
        assertThat(canEcho()).as("connected anew").isTrue();
    }

    // Only the connection itself reports the end of the peer.
    @Test
    void shouldFailOutstandingCallsWhenThePeerCloses() throws Exception {
        CompletableFuture<Boolean> waiting = client.spawn(0, (buffers, channel, completion) -> {
            completion.add();
            channel.call(1, KEEP, 0, Long.BYTES, 64, Long.BYTES, completion);
            return completion.await();
        });
        while (server.run(0, (buffers, channel, completion) -> kept.size()) < 1) {
            Thread.onSpinWait();
        }
        byte[] ofServer = server.rpc.describe();
        logger.setLevel(Level.OFF); // it would log the end of the connection
        server.close();
        assertThat(waiting.get(60, TimeUnit.SECONDS)).isFalse();
        assertThat(canEcho()).isFalse();
        assertThatThrownBy(() -> client.rpc.connect(1, 1, ofServer))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("node 1");
        assertThat(canEcho()).isFalse();
    }

    // A message that is longer than the server's buffers fails in the device.
    @Test
    void shouldEndOnlyTheConnectionThatFailsInTheDevice() throws Exception {
        logger.setAdditive(false); // it logs the failure
        ListAppender<ILoggingEvent> logged = new ListAppender<>();
        logged.list = new CopyOnWriteArrayList<>(); // DaRPC's thread adds to it
        logged.start();
        logger.addAppender(logged);
        try (DarpcNode other = new DarpcNode(0, 2, 1, new DarpcOptions(4, 4096, 64, 5_000))) {
            byte[] _ = other.rpc.describe(); // begins to listen
            other.start();
            other.rpc.connect(1, 1, server.rpc.describe());
            boolean succeeded = other.run(0, (buffers, channel, completion) -> {
                completion.add();
                channel.call(1, ECHO, 0, 4000, 4096, 8, completion);
                return completion.await();
            });
            assertThat(succeeded).isFalse();
            assertThat(canEcho()).isTrue();
            while (logged.list.stream().noneMatch(event -> event.getMessage().contains("call_connection_ended"))) {
                Thread.sleep(10);
            }
        } finally {
            logger.detachAppender(logged);
            logger.setAdditive(true);
        }
    }
}
