package dev.rcc.transport.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.memory.Region;
import dev.rcc.core.memory.RemoteAddress;
import dev.rcc.core.testing.FakeCoroutine;
import dev.rcc.core.testing.FakeWorker;
import dev.rcc.core.worker.Completion;
import dev.rcc.transport.ManualWorker;
import dev.rcc.transport.control.JvmControl;
import dev.rcc.transport.sockets.SocketTransport;
import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TcpEndpointTest {
    private static final int PEER = 1;
    private static final int BUFFERS = 1;

    private final JvmControl control = new JvmControl.Cluster(2).join(0);
    private final ManualWorker worker = new ManualWorker(0, 0);
    private TcpFabric fabric;
    private TcpEndpoint endpoint;

    @BeforeEach
    void attach() throws Exception {
        fabric = new TcpFabric(control, TcpOptions.DEFAULT.withTransport(SocketTransport.NIO));
        Region buffers = fabric.register(BUFFERS, 4096);
        endpoint = (TcpEndpoint) fabric.open(worker, buffers);
    }

    @AfterEach
    void close() {
        fabric.close();
        worker.runTasks();
        control.close();
    }

    /** A link that is ACTIVE, with connections that nobody is at the other end of. */
    private TcpLink activeLink(TcpStream stream) {
        TcpLink link = new TcpLink(fabric, PEER, true, new byte[TcpFrames.TOKEN_BYTES], 1);
        for (int i = 0; i < link.connections(); i++) {
            link.dialled(i, i == 0 ? stream : stream());
        }
        for (int i = 0; i < link.connections(); i++) {
            link.welcomed();
        }
        return link;
    }

    private static TcpStream stream() {
        TcpStream stream = new TcpStream(null, new TcpTraffic());
        EmbeddedChannel _ = new EmbeddedChannel(stream);
        return stream;
    }

    private TcpLink adopted() {
        TcpStream stream = stream();
        TcpLink link = activeLink(stream);
        endpoint.adopt(link, stream, new TcpMemoryClient(endpoint, link, stream));
        stream = stream();
        endpoint.adopt(link, stream, new TcpRpcConnection(endpoint, link, stream));
        return link;
    }

    // Goal: the thread that fails a link may be so slow that the next link is there before it has notified the workers.
    @Test
    void shouldFailTheRequestsOfALinkThatIsReplaced() {
        TcpLink link = adopted();
        Completion completion = new Completion(new FakeCoroutine(0, new FakeWorker(0)));
        endpoint.batch(PEER).read(RemoteAddress.of(PEER, BUFFERS, 0), 8, 0).post(completion);
        assertThat(completion.outstanding()).isEqualTo(1);
        link.fail("test"); // the worker has no turn

        adopted();

        assertThat(completion.outstanding()).isZero();
        assertThat(completion.await()).isFalse();
        assertThat(completion.failedPeer()).isEqualTo(PEER);
    }

    /** One turn of a worker whose coroutines use their own node all the time. */
    private void ownTurn(long wallNanos) {
        worker.wallNanos = wallNanos;
        endpoint.batch(0)
                .read(RemoteAddress.of(0, BUFFERS, 0), 8, 0)
                .post(new Completion(new FakeCoroutine(0, new FakeWorker(0))));
        assertThat(endpoint.poll()).isPositive();
    }

    // Goal: peers wait for what the worker sends, and transactions on its own node's data can go on for a millisecond.
    @Test
    void shouldSendAfterFiftyMicrosecondsOfWorkForItsOwnNode() {
        TcpStream stream = new TcpStream(null, new TcpTraffic());
        EmbeddedChannel channel = new EmbeddedChannel(stream);
        ownTurn(1_000_000);
        stream.append(8);
        endpoint.toFlush(stream);

        ownTurn(1_000_000);
        ownTurn(1_049_999);
        assertThat(channel.outboundMessages()).isEmpty(); // more may come for the same write

        ownTurn(1_050_000);
        assertThat(channel.outboundMessages()).hasSize(1);
        channel.finishAndReleaseAll();
    }
}
