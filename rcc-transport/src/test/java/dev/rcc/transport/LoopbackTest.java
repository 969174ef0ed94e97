package dev.rcc.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.fabric.RpcRequest;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.RemoteAddress;
import dev.rcc.core.worker.Completion;
import java.lang.foreign.Arena;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LoopbackTest {
    private static final int NODE = 3;
    private static final int SQUARE = 1;
    private static final int LATER = 2;
    private static final int NESTED = 3;
    private static final int TOO_LONG = 4;
    private static final int AT_ONCE_MAX = 32;

    private final Memory buffers = Memory.allocate(Arena.ofAuto(), 1024);
    private final PolledCompletions completions = new PolledCompletions();
    private final WorkerCounters counters = new WorkerCounters();
    private final RpcHandlers handlers = new RpcHandlers(NODE, counters);
    private final Completion completion = new Completion(null);
    private Memory[] regions = {null, buffers};
    private final Loopback loopback = new Loopback(NODE, buffers, () -> regions, handlers, counters, completions);
    private RpcRequest kept;

    @BeforeEach
    void registerHandlers() {
        handlers.register(SQUARE, request -> {
            long number = request.payload().getLong(request.payloadOffset());
            request.response().putLong(request.responseOffset(), number * number);
            request.reply(Memory.WORD_BYTES);
        });
        handlers.register(LATER, request -> kept = request);
        handlers.register(NESTED, request -> {
            call(SQUARE, 16, 24);
            request.reply(0);
        });
        handlers.register(TOO_LONG, request -> request.reply(Memory.WORD_BYTES + 1));
    }

    private void call(int rpcId, long request, long reply) {
        loopback.call(rpcId, request, Memory.WORD_BYTES, reply, Memory.WORD_BYTES, completion);
    }

    private static void asCoroutine(Runnable body) throws InterruptedException {
        Throwable[] thrown = {null};
        Thread coroutine = Thread.ofVirtual()
                .uncaughtExceptionHandler((thread, e) -> thrown[0] = e)
                .start(body);
        coroutine.join();
        assertThat(thrown[0]).isNull();
    }

    private int poll() {
        return loopback.poll() + completions.drain();
    }

    @Test
    void shouldHaveServedACallOfACoroutineWhenItReturns() throws Exception {
        buffers.putLong(0, 12);
        asCoroutine(() -> {
            call(SQUARE, 0, 8);
            assertThat(completion.outstanding()).isZero();
        });
        assertThat(buffers.getLong(8)).isEqualTo(144);
        assertThat(completion.await()).isTrue();
        assertThat(poll()).isZero();
    }

    @Test
    void shouldCompleteRequestsFromOutsideCoroutinesInTheNextPoll() {
        buffers.putLong(0, 12);
        call(SQUARE, 0, 8);
        loopback.batch().writeWord(7, RemoteAddress.of(NODE, 1, 32)).post(completion);
        assertThat(completion.outstanding()).isEqualTo(2);
        assertThat(buffers.getLong(8)).isZero();
        assertThat(buffers.getLong(32)).isEqualTo(7);

        poll();

        assertThat(buffers.getLong(8)).isEqualTo(144);
        assertThat(completion.outstanding()).isZero();
        assertThat(completion.await()).isTrue();
    }

    @Test
    void shouldDoALimitedNumberInATurnAndTheRestInTheNext() throws Exception {
        asCoroutine(() -> {
            for (int i = 0; i < AT_ONCE_MAX / 2 + 1; i++) {
                call(SQUARE, 0, 8);
                loopback.batch().writeWord(i, RemoteAddress.of(NODE, 1, 32)).post(completion);
            }
            assertThat(completion.outstanding()).isEqualTo(2);
        });
        assertThat(poll()).isPositive();
        assertThat(completion.outstanding()).isZero();
        asCoroutine(() -> {
            call(SQUARE, 0, 8);
            assertThat(completion.outstanding()).isZero();
        });
    }

    @Test
    void shouldCompleteACallWithALateReplyInTheNextPoll() throws Exception {
        asCoroutine(() -> {
            call(LATER, 0, 8);
            assertThat(completion.outstanding()).isEqualTo(1);
        });
        kept.reply(0);
        assertThat(completion.outstanding()).isEqualTo(1);
        poll();
        assertThat(completion.outstanding()).isZero();
    }

    @Test
    void shouldServeACallFromAHandlerInTheNextPoll() throws Exception {
        buffers.putLong(16, 5);
        asCoroutine(() -> {
            call(NESTED, 0, 8);
            assertThat(completion.outstanding()).isEqualTo(1);
        });
        assertThat(buffers.getLong(24)).isZero();
        poll();
        assertThat(buffers.getLong(24)).isEqualTo(25);
        assertThat(completion.outstanding()).isZero();
    }

    @Test
    void shouldFailACallWhoseHandlerFails() throws Exception {
        try (ExpectedLog log = new ExpectedLog(RpcHandlers.class.getName())) {
            log.expect();
            asCoroutine(() -> call(TOO_LONG, 0, 8));
            assertThat(log.thrown()).containsExactly("the reply to rpc 4 of node 3 must be 0 to 8 bytes long, got 9");
        }
        assertThat(completion.await()).isFalse();
        assertThat(completion.failedPeer()).isEqualTo(NODE);
    }

    @Test
    void shouldFailInTheNextPollOnceTheNodeHasLeft() throws Exception {
        regions = null;
        asCoroutine(() -> {
            call(SQUARE, 0, 8);
            loopback.batch().writeWord(7, RemoteAddress.of(NODE, 1, 32)).post(completion);
            assertThat(completion.outstanding()).isEqualTo(2);
        });
        poll();
        assertThat(completion.await()).isFalse();
        assertThat(completion.failedPeer()).isEqualTo(NODE);
        assertThat(buffers.getLong(32)).isZero();
    }
}
