package dev.rcc.protocols.common;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.testing.FakeCoroutine;
import dev.rcc.core.testing.FakeWorker;
import dev.rcc.core.txn.BufferSlice;
import dev.rcc.core.txn.TransactionTooLarge;
import dev.rcc.core.worker.Completion;
import dev.rcc.protocols.common.FakeEndpoint.Call;
import java.lang.foreign.Arena;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class CallsTest {
    private static final int RPC = 7;
    private static final int SLICE_BYTES = 256;

    private final Memory memory = Memory.allocate(Arena.ofAuto(), 1024);
    private final BufferSlice buffer = new BufferSlice(memory, 128, SLICE_BYTES);
    private final FakeEndpoint endpoint = new FakeEndpoint();
    private final Completion completion = new Completion(new FakeCoroutine(0, new FakeWorker(0)));
    private final Calls calls = new Calls(endpoint, buffer, 4);

    @Test
    void shouldSendEachNodeOneRequestWithAllItsItems() {
        calls.measure(3, 16, 24);
        calls.measure(1, 8, 0);
        calls.measure(3, 32, 8);
        calls.begin(-5);
        long first = calls.item(3, 16);
        long other = calls.item(1, 8);
        long second = calls.item(3, 32);
        calls.call(RPC, completion);

        long request = first - Calls.HEADER_BYTES;
        assertThat(second).isEqualTo(first + 16);
        assertThat(endpoint.calls)
                .containsExactly(
                        new Call(3, RPC, request, Calls.HEADER_BYTES + 48, calls.replyOffset(3), 8 + 32),
                        new Call(1, RPC, other - Calls.HEADER_BYTES, Calls.HEADER_BYTES + 8, calls.replyOffset(1), 8));
        assertThat(Calls.items(memory, request)).isEqualTo(2);
        assertThat(Calls.headerWord(memory, request)).isEqualTo(-5);
        assertThat(Calls.items(memory, other - Calls.HEADER_BYTES)).isEqualTo(1);
        assertThat(calls.targets()).isEqualTo(2);
        assertThat(calls.target(0)).isEqualTo(3);
        assertThat(calls.target(1)).isEqualTo(1);
    }

    @Test
    void shouldSendOnlyTheItemsThatWereWritten() {
        calls.measure(0, 16, 8);
        calls.measure(0, 16, 8);
        calls.begin(0);
        calls.item(0, 16);
        calls.call(RPC, completion);
        assertThat(endpoint.calls.get(0).requestBytes()).isEqualTo(Calls.HEADER_BYTES + 16);
        assertThat(Calls.items(memory, endpoint.calls.get(0).requestOffset())).isEqualTo(1);
    }

    @Test
    void shouldZeroTheFirstWordOfEachReply() {
        for (long offset = 0; offset < memory.size(); offset += Memory.WORD_BYTES) {
            memory.putLong(offset, -1);
        }
        calls.measure(2, 8, 8);
        calls.begin(0);
        assertThat(memory.getLong(calls.replyOffset(2))).isZero();
        assertThat(memory.getLong(calls.replyOffset(2) + Memory.WORD_BYTES)).isEqualTo(-1);
    }

    @Test
    void shouldForgetTheLastStage() {
        calls.measure(2, 8, 8);
        calls.begin(0);
        calls.clear();
        calls.call(RPC, completion);
        assertThat(calls.isEmpty()).isTrue();
        assertThat(endpoint.calls).isEmpty();
        calls.measure(2, 16, 0);
        calls.begin(0);
        calls.item(2, 16);
        calls.call(RPC, completion);
        assertThat(endpoint.calls.get(0).requestBytes()).isEqualTo(Calls.HEADER_BYTES + 16);
        assertThat(endpoint.calls.get(0).replyBytes()).isEqualTo(Memory.WORD_BYTES);
    }

    @Test
    void shouldCallANodeThatRepliesAtOnceAfterTheOthersHaveReplied() {
        endpoint.atOnce = 2;
        assertThat(callAndAwait(2, 0, 3)).isTrue();
        assertThat(endpoint.calls).extracting(Call::peer).containsExactly(0, 3, 2);
    }

    @Test
    void shouldCallASingleNodeThatRepliesAtOnce() {
        endpoint.atOnce = 2;
        assertThat(callAndAwait(2)).isTrue();
        assertThat(endpoint.calls).extracting(Call::peer).containsExactly(2);
    }

    @Test
    void shouldNotCallANodeThatRepliesAtOnceWhenAnotherIsUnreachable() {
        endpoint.atOnce = 2;
        endpoint.unreachable = 3;
        assertThat(callAndAwait(2, 0, 3)).isFalse();
        assertThat(endpoint.calls).extracting(Call::peer).containsExactly(0, 3);
        assertThat(completion.failedPeer()).isEqualTo(3);
        assertThat(memory.getLong(calls.replyOffset(2))).isZero();
    }

    @Test
    void shouldReportThatTheNodeCalledLastIsUnreachable() {
        endpoint.atOnce = 2;
        endpoint.unreachable = 2;
        assertThat(callAndAwait(2, 0)).isFalse();
        assertThat(completion.failedPeer()).isEqualTo(2);
    }

    // Goal: the stage of a decided transaction calls the other nodes, and then this one again.
    @Test
    void shouldTakeARefusedCallForAFailedOne() {
        endpoint.refused = 3;
        for (int node : new int[] {0, 3, 1}) {
            calls.measure(node, 8, 0);
        }
        calls.begin(0);
        Logger logger = (Logger) LoggerFactory.getLogger(Calls.class);
        logger.setLevel(Level.OFF); // it logs the refusal
        calls.call(RPC, completion);
        logger.setLevel(null);
        assertThat(completion.await()).isFalse();
        assertThat(completion.hasFailed(3)).isTrue();
        assertThat(endpoint.calls).extracting(Call::peer).containsExactly(0, 1);
        endpoint.refused = -1;
        calls.call(3, RPC, completion);
        assertThat(completion.await()).isTrue();
    }

    private boolean callAndAwait(int... nodes) {
        for (int node : nodes) {
            calls.measure(node, 8, 0);
        }
        calls.begin(0);
        for (int node : nodes) {
            calls.item(node, 8);
        }
        return calls.callAndAwait(RPC, completion);
    }

    @Test
    void shouldFitExactlyAndForgetTheStageWhenItDoesNot() {
        int fitting = SLICE_BYTES - Calls.HEADER_BYTES - Memory.WORD_BYTES;
        calls.measure(1, fitting, 0);
        calls.begin(0);
        calls.clear();
        buffer.reset();
        calls.measure(1, fitting + Memory.WORD_BYTES, 0);
        assertThatExceptionOfType(TransactionTooLarge.class).isThrownBy(() -> calls.begin(0));
        assertThat(calls.isEmpty()).isTrue();
        buffer.reset();
        calls.measure(1, fitting, 0);
        calls.begin(0);
    }

    // Goal: a message that is too long for the network is refused before any message has been sent.
    @Test
    void shouldRefuseMessagesThatTheNetworkDoesNotCarry() {
        endpoint.maxCallBytes = Calls.HEADER_BYTES + 16;
        calls.measure(1, 16, 0);
        calls.begin(0);
        calls.clear();
        for (int[] tooLong : new int[][] {{24, 0}, {8, 32}}) {
            calls.measure(0, 8, 8);
            calls.measure(1, tooLong[0], tooLong[1]);
            assertThatExceptionOfType(TransactionTooLarge.class)
                    .isThrownBy(() -> calls.begin(0))
                    .withMessageStartingWith(
                            "a message of the transaction to or from node 1 needs 40 bytes, allowed: 32: ");
            assertThat(calls.isEmpty()).isTrue();
        }
        assertThat(endpoint.calls).isEmpty();
    }
}
