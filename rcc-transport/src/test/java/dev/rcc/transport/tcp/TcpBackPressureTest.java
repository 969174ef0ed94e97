package dev.rcc.transport.tcp;

import static dev.rcc.transport.FabricCluster.at;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.fabric.Batch;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.Region;
import dev.rcc.core.memory.RemoteAddress;
import dev.rcc.core.testing.FakeCoroutine;
import dev.rcc.core.testing.FakeWorker;
import dev.rcc.core.worker.Completion;
import dev.rcc.core.worker.EventLoop;
import dev.rcc.transport.ExpectedLog;
import dev.rcc.transport.FabricCluster;
import dev.rcc.transport.control.JvmControl;
import dev.rcc.transport.sockets.SocketTransport;
import io.netty.channel.embedded.EmbeddedChannel;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Posts that would be too many for the peer wait. An exception would reach a coordinator that has decided its transaction, and has locks to drop. */
class TcpBackPressureTest {
    private static final int RPC = 1;
    private static final int ROOM = TcpFrames.MAX_MESSAGE_BYTES;
    /** The calls with so much room for their replies that the peer serves at a time. */
    private static final int CALLS = (int) (TcpRpcConnection.MAX_CALL_BYTES / (ROOM + Memory.WORD_BYTES));

    private static final int REQUEST_FRAME = TcpFrames.REQUEST_HEADER_BYTES + Memory.WORD_BYTES;

    private final ExpectedLog log = new ExpectedLog("dev.rcc.transport");
    private final JvmControl control = new JvmControl.Cluster(2).join(0);
    private final Completion completion = new Completion(new FakeCoroutine(0, new FakeWorker(0)));
    private final Memory in = Memory.allocate(Arena.ofAuto(), 64);
    private TcpFabric fabric;
    private TcpEndpoint endpoint;
    private TcpLink link;
    private TcpStream stream;

    @BeforeEach
    void attach() throws Exception {
        log.expect();
        fabric = new TcpFabric(control, TcpOptions.DEFAULT.withTransport(SocketTransport.NIO));
        Region buffers = fabric.register(2, 4096);
        endpoint = (TcpEndpoint) fabric.open(new EventLoop(0, 0, 1), buffers);
        link = new TcpLink(fabric, 1, false, new byte[TcpFrames.TOKEN_BYTES], 1);
        stream = new TcpStream(null, new TcpTraffic());
        EmbeddedChannel _ = new EmbeddedChannel(stream);
    }

    @AfterEach
    void close() {
        fabric.close();
        control.close();
        log.close();
    }

    private void call(TcpRpcConnection rpc, int times) {
        for (int i = 0; i < times; i++) {
            rpc.call(RPC, endpoint.buffers(), 0, Memory.WORD_BYTES, 8, ROOM, completion);
        }
    }

    private void answer(TcpRpcConnection rpc, int slot) throws Exception {
        header(TcpFrames.REPLY_HEADER_BYTES, TcpFrames.REPLY);
        in.putLong(TcpFrames.CALL_OFFSET, slot);
        rpc.frame(in, 0, TcpFrames.REPLY_HEADER_BYTES);
    }

    private void header(int length, byte type) {
        in.putLong(0, length | (long) type << TcpFrames.TYPE_SHIFT);
    }

    private int framesOut() {
        assertThat(stream.out().size % REQUEST_FRAME).isZero();
        return stream.out().size / REQUEST_FRAME;
    }

    @Test
    void shouldHoldCallsBackUntilOthersAreAnswered() throws Exception {
        TcpRpcConnection rpc = new TcpRpcConnection(endpoint, link, stream);
        call(rpc, CALLS + 3);
        assertThat(completion.outstanding()).isEqualTo(CALLS + 3);
        assertThat(framesOut()).isEqualTo(CALLS);
        answer(rpc, 5);
        assertThat(framesOut()).isEqualTo(CALLS + 1);
        answer(rpc, 5); // the slot is that of a call that has waited
        answer(rpc, 7);
        assertThat(framesOut()).isEqualTo(CALLS + 3);
        assertThat(completion.outstanding()).isEqualTo(CALLS);
        call(rpc, 1);
        assertThat(framesOut()).isEqualTo(CALLS + 3);
    }

    @Test
    void shouldFailTheCallsThatWaitWhenTheLinkFails() {
        TcpRpcConnection rpc = new TcpRpcConnection(endpoint, link, stream);
        call(rpc, CALLS + 3);
        rpc.fail();
        assertThat(completion.outstanding()).isZero();
        assertThat(completion.await()).isFalse();
        assertThat(completion.failedPeer()).isEqualTo(1);
    }

    private void post(TcpMemoryClient memory) {
        TcpBatch batch = new TcpBatch(endpoint, endpoint.buffers()).start(1);
        Batch _ = batch.writeWord(7, RemoteAddress.of(1, 2, 0));
        completion.add();
        batch.close(completion);
        memory.post(batch);
    }

    private void results(TcpMemoryClient memory) throws Exception {
        header(TcpFrames.HEADER_BYTES, TcpFrames.RESULTS);
        memory.frame(in, 0, TcpFrames.HEADER_BYTES);
    }

    @Test
    void shouldHoldBatchesBackWhileThePeerTakesNothing() throws Exception {
        TcpMemoryClient memory = new TcpMemoryClient(endpoint, link, stream);
        post(memory);
        int bytes = stream.out().size;
        stream.out().size = TcpEndpoint.MAX_UNSENT_BYTES + 1; // as if so much had been posted
        post(memory);
        post(memory);
        assertThat(stream.out().size).isEqualTo(TcpEndpoint.MAX_UNSENT_BYTES + 1);
        stream.out().size = 0; // all is sent
        results(memory);
        assertThat(completion.outstanding()).isEqualTo(2);
        assertThat(stream.out().size).isEqualTo(2 * bytes);
        results(memory);
        results(memory);
        assertThat(completion.outstanding()).isZero();
        stream.out().size = TcpEndpoint.MAX_UNSENT_BYTES + 1;
        post(memory);
        memory.fail();
        assertThat(completion.await()).isFalse();
        stream.out().size = 0;
    }

    // Goal: the same between two nodes.
    @Test
    void shouldServeMoreCallsThanThePeerTakesAtOnce() throws Exception {
        List<Long> arrived = new ArrayList<>();
        try (FabricCluster cluster = new FabricCluster(new TcpNetwork(2, TcpOptions.DEFAULT), 1, 1)) {
            cluster.handleEverywhere(RPC, request -> {
                arrived.add(request.payload().getLong(request.payloadOffset()));
                request.reply(0);
            });
            cluster.start();
            cluster.run(0, 0, on -> {
                for (int i = 0; i < 3 * CALLS; i++) {
                    on.endpoint.call(1, RPC, on.local(0), Memory.WORD_BYTES, 0, ROOM, on.completion);
                }
                on.awaitSuccess();
                on.endpoint.batch(1).writeWord(1, at(1, 0)).post(on.completion);
                on.awaitSuccess();
                return null;
            });
        }
        assertThat(arrived).hasSize(3 * CALLS);
    }
}
