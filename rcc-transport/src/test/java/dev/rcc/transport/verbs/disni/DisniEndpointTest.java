package dev.rcc.transport.verbs.disni;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.ibm.disni.RdmaActiveEndpointGroup;
import com.ibm.disni.RdmaCqProvider;
import com.ibm.disni.RdmaServerEndpoint;
import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvPd;
import com.ibm.disni.verbs.IbvQP;
import com.ibm.disni.verbs.IbvQPInitAttr;
import com.ibm.disni.verbs.IbvRecvWR;
import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.IbvSge;
import com.ibm.disni.verbs.IbvWC;
import com.ibm.disni.verbs.RdmaCm;
import com.ibm.disni.verbs.RdmaCmEvent;
import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.RdmaConnParam;
import com.ibm.disni.verbs.RdmaEventChannel;
import com.ibm.disni.verbs.SVCPollCq;
import com.ibm.disni.verbs.SVCPostSend;
import dev.rcc.core.fabric.Atomicity;
import dev.rcc.transport.verbs.LabDraw;
import dev.rcc.transport.verbs.ibv.Gid;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.LinkedList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;

/** DiSNI's endpoints on a device: their functions, and that no misuse crashes or hangs. */
@Tag("rdma")
@SuppressWarnings("JdkObsolete") // DiSNI wants linked lists
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DisniEndpointTest {
    /** In the lab, where a test takes a second or more, each runs in one of this many builds. */
    private static final int ONE_IN = 3;

    private static final int TIMEOUT_MILLIS = 1000;
    /** The time for which a group's threads wait for events before they check whether the group is closed. */
    private static final int LOOK_MILLIS = 50;

    private static final int QKEY = 0x1234;
    private static final int GRH_BYTES = 40;
    private static final int UNUSED_PORT = 9;

    private RdmaActiveEndpointGroup<TestEndpoint> servers;
    private RdmaActiveEndpointGroup<TestEndpoint> clients;
    private RdmaServerEndpoint<TestEndpoint> listener;
    private TestEndpoint client;
    private TestEndpoint server;

    @BeforeEach
    void connect(TestInfo test) throws Exception {
        LabDraw.assumeTurn(test.getTestMethod().orElseThrow().getName(), 0, ONE_IN);
        DisniProvider.install();
        servers = group();
        clients = group();
        listener = servers.createServerEndpoint();
        listener.bind(Device.address(0), 10);
        CompletableFuture<TestEndpoint> accepted = new CompletableFuture<>();
        Thread.ofPlatform().daemon().start(() -> {
            try {
                accepted.complete(listener.accept());
            } catch (IOException | RuntimeException e) {
                accepted.completeExceptionally(e);
            }
        });
        client = clients.createEndpoint();
        client.connect(listener.getSrcAddr() instanceof InetSocketAddress address ? address : null, TIMEOUT_MILLIS);
        server = accepted.get(60, TimeUnit.SECONDS);
    }

    @AfterEach
    void close() throws Exception {
        if (client != null) {
            clients.close();
            servers.close();
        }
    }

    private static RdmaActiveEndpointGroup<TestEndpoint> group() throws IOException {
        RdmaActiveEndpointGroup<TestEndpoint> group = new RdmaActiveEndpointGroup<>(LOOK_MILLIS, false, 16, 2, 64);
        group.init((id, serverSide) -> new TestEndpoint(group, id, serverSide));
        return group;
    }

    private static void assertSuccess(IbvWC wc, long id) {
        assertThat(wc.getStatus()).as("status of request " + wc.getWr_id()).isZero();
        assertThat(wc.getWr_id()).isEqualTo(id);
    }

    // ---- correct use
    // --------------------------------------------------------------------------------------------------

    @Test
    void shouldConnect() throws Exception {
        assertThat(client.isConnected()).isTrue();
        assertThat(server.isConnected()).isTrue();
        assertThat(client.getDstAddr()).isEqualTo(listener.getSrcAddr());
        assertThat(server.getSrcAddr()).isEqualTo(client.getDstAddr());
        assertThat(client.getQp().getState()).isEqualTo(IbvQP.IBV_QPS_RTS);
        assertThat(client.getIdPriv().getVerbs())
                .as("one context object a device")
                .isSameAs(server.getIdPriv().getVerbs());
        // A region's keys are valid only for queue pairs of the same domain, so all tests rely on this.
        assertThat(client.getPd()).isSameAs(server.getPd());
        assertThat(DisniExtensions.failure(client.getIdPriv())).isEmpty();
        assertThat(DisniExtensions.device(client.getIdPriv().getVerbs())
                        .attributes()
                        .atomicity())
                .isPresent();
    }

    @Test
    void shouldSendAndReceiveWithImmediateData() throws Exception {
        client.buffer.putLong(0, 4711);
        IbvSendWR send = client.request(1, IbvSendWR.IBV_WR_SEND_WITH_IMM, 0, Long.BYTES);
        send.setImm_data(815);
        client.post(send).free();
        IbvWC received = server.completion();
        assertSuccess(received, 99);
        assertThat(received.getOpcode()).isEqualTo(IbvWC.IbvWcOpcode.IBV_WC_RECV.getOpcode());
        assertThat(received.getByte_len()).isEqualTo(Long.BYTES);
        assertThat(received.getImm_data()).isEqualTo(815);
        assertThat(received.getQp_num()).isEqualTo(server.getQp().getQp_num());
        assertThat(server.buffer.getLong(TestEndpoint.INBOX)).isEqualTo(4711);
        assertSuccess(client.completion(), 1);
    }

    @Test
    void shouldReadAndWriteAlsoInlineOneCallManyTimes() throws Exception {
        SVCPostSend write = client.postSend(List.of(client.rdma(
                2, IbvSendWR.IBV_WR_RDMA_WRITE, 0, Long.BYTES, server.address(64), server.region.getRkey())));
        SVCPostSend read = client.postSend(List.of(client.rdma(
                3, IbvSendWR.IBV_WR_RDMA_READ, 128, Long.BYTES, server.address(64), server.region.getRkey())));
        for (int i = 0; i < 50; i++) {
            client.buffer.putLong(0, i);
            long id = 1000L + i;
            write.getWrMod(0).setWr_id(id);
            write.getWrMod(0).getRdmaMod().setRemote_addr(server.address(64 + i % 8 * 8));
            write.execute();
            assertSuccess(client.completion(), id);
            read.getWrMod(0).getRdmaMod().setRemote_addr(server.address(64 + i % 8 * 8));
            read.execute();
            assertSuccess(client.completion(), 3);
            assertThat(client.buffer.getLong(128)).isEqualTo(i);
        }
        write.free();
        read.free();
        assertThat(write.isValid()).isFalse();
        assertThatThrownBy(write::execute).isInstanceOf(IOException.class).hasMessageContaining("freed");
    }

    // Endpoints request no REMOTE_ATOMIC, and DiSNI's own provider drops the operands; connections must have
    // responder resources.
    @Test
    void shouldCompareAndSwapAndAddWithOperandsThatChange() throws Exception {
        server.buffer.putLong(0, 10);
        int rkey = server.region.getRkey();
        SVCPostSend cas = client.postSend(
                List.of(client.atomic(4, IbvSendWR.IBV_WR_ATOMIC_CMP_AND_SWP, 8, server.address(0), rkey, 10, 20)));
        cas.execute();
        assertSuccess(client.completion(), 4);
        assertThat(client.buffer.getLong(8)).as("what was there").isEqualTo(10);
        assertThat(server.buffer.getLong(0)).isEqualTo(20);
        cas.execute();
        assertSuccess(client.completion(), 4);
        assertThat(client.buffer.getLong(8)).as("a miss").isEqualTo(20);
        assertThat(server.buffer.getLong(0)).isEqualTo(20);
        AtomicMod operands = DisniExtensions.atomic(cas.getWrMod(0));
        operands.setCompareAdd(20);
        operands.setSwap(-1);
        cas.execute();
        assertSuccess(client.completion(), 4);
        assertThat(server.buffer.getLong(0)).isEqualTo(-1);
        SVCPostSend add = client.postSend(
                List.of(client.atomic(5, IbvSendWR.IBV_WR_ATOMIC_FETCH_AND_ADD, 16, server.address(0), rkey, 5, 0)));
        add.execute().execute();
        assertSuccess(client.completion(), 5);
        assertSuccess(client.completion(), 5);
        assertThat(client.buffer.getLong(16)).isEqualTo(4);
        assertThat(server.buffer.getLong(0)).isEqualTo(9);
        assertThat(DisniExtensions.device(client.getIdPriv().getVerbs())
                        .attributes()
                        .atomicity())
                .as("of a device that reports IBV_ATOMIC_HCA, as all known ones do")
                .contains(Atomicity.DEVICE);
    }

    @Test
    void shouldCarryOutAChainInOrderWithOneCompletion() throws Exception {
        server.buffer.putLong(0, 1).putLong(8, 77);
        int rkey = server.region.getRkey();
        IbvSendWR cas = client.atomic(6, IbvSendWR.IBV_WR_ATOMIC_CMP_AND_SWP, 8, server.address(0), rkey, 1, 2);
        cas.setSend_flags(0);
        IbvSendWR read = client.rdma(7, IbvSendWR.IBV_WR_RDMA_READ, 64, 16, server.address(0), rkey);
        client.post(cas, read).free();
        assertSuccess(client.completion(), 7);
        assertThat(client.buffer.getLong(64)).as("read after the CAS").isEqualTo(2);
        assertThat(client.buffer.getLong(72)).isEqualTo(77);
    }

    @Test
    void shouldRegisterRegionsOverTwoGigabytes() throws Exception {
        long bytes = (1L << 31) + (1 << 20);
        try (Arena arena = Arena.ofShared()) {
            MemorySegment memory = arena.allocate(bytes, 4096);
            IbvMr region = DisniExtensions.register(server.getPd(), memory, IbvMr.IBV_ACCESS_REMOTE_READ);
            assertThat(DisniExtensions.bytes(region)).isEqualTo(bytes);
            assertThat(region.getLength()).isEqualTo(Integer.MAX_VALUE);
            memory.set(ValueLayout.JAVA_LONG, bytes - 8, 31337);
            client.post(client.rdma(
                            8,
                            IbvSendWR.IBV_WR_RDMA_READ,
                            0,
                            Long.BYTES,
                            region.getAddr() + bytes - 8,
                            region.getRkey()))
                    .free();
            assertSuccess(client.completion(), 8);
            assertThat(client.buffer.getLong(0)).isEqualTo(31337);
            region.deregMr().execute().free();
        }
    }

    @Test
    void shouldSendDatagramsWithoutTheConnectionManager() throws Exception {
        IbvPd pd = client.getPd();
        RdmaCqProvider queue = new RdmaCqProvider(client.getIdPriv().getVerbs(), 16);
        IbvQP from = datagrams(pd, queue);
        IbvQP to = datagrams(pd, queue);
        Gid gid = DisniExtensions.device(client.getIdPriv().getVerbs()).gid(1, -1);
        DisniAddressHandle handle = DisniExtensions.createAh(pd, new AhAttributes(1, gid, gid));
        IbvRecvWR receive = new IbvRecvWR();
        receive.setWr_id(11);
        receive.setSg_list(client.sges(1024, GRH_BYTES + Long.BYTES));
        to.postRecv(List.of(receive), null).execute().free();
        client.buffer.putLong(0, 12345);
        IbvSendWR send = client.request(10, IbvSendWR.IBV_WR_SEND, 0, Long.BYTES);
        send.getUd().setAh(handle.number());
        send.getUd().setRemote_qpn(to.getQp_num());
        send.getUd().setRemote_qkey(QKEY);
        SVCPostSend call = from.postSend(List.of(send), null);
        DisniExtensions.datagram(call.getWrMod(0)).setDestination(handle, to.getQp_num(), QKEY);
        call.execute();
        IbvWC[] wcs = {new IbvWC(), new IbvWC()};
        SVCPollCq poll = queue.getCQ().poll(wcs, 1);
        for (int seen = 0; seen < 2; ) {
            if (poll.execute().getPolls() > 0) {
                assertThat(wcs[0].getStatus()).isZero();
                seen++;
            }
        }
        assertThat(client.buffer.getLong(1024 + GRH_BYTES)).isEqualTo(12345);
        handle.close();
        assertThatThrownBy(call::execute).isInstanceOf(IOException.class).hasMessageContaining("address handle");
        assertThatThrownBy(() -> from.postSend(List.of(send), null)).hasMessageContaining("address handle");
        DisniExtensions.destroyQp(from);
        DisniExtensions.destroyQp(to);
        queue.close();
    }

    private static IbvQP datagrams(IbvPd pd, RdmaCqProvider queue) throws IOException {
        IbvQPInitAttr attr = new IbvQPInitAttr();
        attr.setQp_type(IbvQP.IBV_QPT_UD);
        attr.setSend_cq(queue.getCQ());
        attr.setRecv_cq(queue.getCQ());
        attr.cap().setMax_send_wr(4);
        attr.cap().setMax_recv_wr(4);
        IbvQP qp = DisniExtensions.createQp(pd, attr);
        QpAttributes to = new QpAttributes();
        to.setQp_state(IbvQP.IBV_QPS_INIT);
        to.setPort_num((byte) 1);
        to.setQkey(QKEY);
        DisniExtensions.modifyQp(
                qp, to, QpAttributes.STATE | QpAttributes.PKEY_INDEX | QpAttributes.PORT | QpAttributes.QKEY);
        to.setQp_state(IbvQP.IBV_QPS_RTR);
        DisniExtensions.modifyQp(qp, to, QpAttributes.STATE);
        to.setQp_state(IbvQP.IBV_QPS_RTS);
        DisniExtensions.modifyQp(qp, to, QpAttributes.STATE | QpAttributes.SQ_PSN);
        assertThat(qp.getState()).isEqualTo(IbvQP.IBV_QPS_RTS);
        return qp;
    }

    // Ids of RDMA_PS_UDP without endpoints, in one thread: connect() does not block a thread that waits for
    // events itself.
    @Test
    void shouldResolveDatagramsByTheConnectionManager() throws Exception {
        RdmaEventChannel channel = RdmaEventChannel.createEventChannel();
        RdmaCmId listening = channel.createId(RdmaCm.RDMA_PS_UDP);
        listening.bindAddr(Device.address(0));
        listening.listen(1);
        RdmaCmId asking = channel.createId(RdmaCm.RDMA_PS_UDP);
        asking.resolveAddr(null, listening.getSource(), TIMEOUT_MILLIS);
        expect(channel, RdmaCmEvent.EventType.RDMA_CM_EVENT_ADDR_RESOLVED);
        asking.resolveRoute(TIMEOUT_MILLIS);
        expect(channel, RdmaCmEvent.EventType.RDMA_CM_EVENT_ROUTE_RESOLVED);
        RdmaCqProvider queue = new RdmaCqProvider(asking.getVerbs(), 16);
        IbvPd pd = asking.getVerbs().allocPd();
        IbvQPInitAttr attr = new IbvQPInitAttr();
        attr.setQp_type(IbvQP.IBV_QPT_UD);
        attr.setSend_cq(queue.getCQ());
        attr.setRecv_cq(queue.getCQ());
        attr.cap().setMax_send_wr(4);
        attr.cap().setMax_recv_wr(4);
        asking.createQP(pd, attr);
        asking.connect(new RdmaConnParam());
        RdmaCmEvent request = expect(channel, RdmaCmEvent.EventType.RDMA_CM_EVENT_CONNECT_REQUEST);
        RdmaCmId accepting = request.getConnIdPriv();
        IbvQP remote = accepting.createQP(pd, attr);
        accepting.accept(new RdmaConnParam());
        RdmaCmEvent established = expect(channel, RdmaCmEvent.EventType.RDMA_CM_EVENT_ESTABLISHED);
        assertThat(DisniExtensions.remoteQueuePair(established)).isEqualTo(remote.getQp_num());
        assertThat(DisniExtensions.remoteQkey(established)).isEqualTo(0x01234567); // RDMA_UDP_QKEY
        DisniExtensions.createAh(pd, established).close();
        for (RdmaCmId id : List.of(asking, accepting, listening)) {
            id.destroyQP();
            id.destroyId();
        }
        queue.close();
        assertThat(pd.deallocPd()).isZero();
        assertThat(channel.getCmEvent(-1))
                .as("for ever is over when nothing can come any more")
                .isNull();
        channel.destroyEventChannel();
        assertThatThrownBy(() -> channel.getCmEvent(0)).isInstanceOf(IOException.class);
    }

    private static RdmaCmEvent expect(RdmaEventChannel channel, RdmaCmEvent.EventType type) throws IOException {
        RdmaCmEvent event = channel.getCmEvent(30_000);
        assertThat(event).as(type.name()).isNotNull();
        assertThat(DisniExtensions.type(event)).isEqualTo(type);
        event.ackEvent();
        return event;
    }

    // ---- misuse
    // ----------------------------------------------------------------------------------------

    @Test
    void shouldCompleteAWrongRemoteKeyWithAnError() throws Exception {
        client.post(client.rdma(
                        20, IbvSendWR.IBV_WR_RDMA_READ, 0, 8, server.address(0), server.region.getRkey() ^ 0x55555555))
                .free();
        IbvWC wc = client.completion();
        assertThat(wc.getStatus()).isEqualTo(10); // remote access error
        assertThat(wc.getWr_id()).isEqualTo(20);
        client.post(client.rdma(21, IbvSendWR.IBV_WR_RDMA_READ, 0, 8, server.address(0), server.region.getRkey()))
                .free();
        assertThat(flushed()).as("the queue pair is in error").isEqualTo(5);
    }

    /** The status of the next completion of a send; receives are flushed, too. */
    private int flushed() throws InterruptedException {
        IbvWC wc = client.completion();
        while (wc.getWr_id() == 99) {
            wc = client.completion();
        }
        return wc.getStatus();
    }

    @Test
    void shouldCompleteAReadOfAFreedRegionWithAnError() throws Exception {
        int rkey = server.region.getRkey();
        long address = server.address(0);
        server.deregisterMemory(server.region);
        assertThatThrownBy(() -> server.deregisterMemory(server.region)).isInstanceOf(IOException.class);
        client.post(client.rdma(22, IbvSendWR.IBV_WR_RDMA_READ, 0, 8, address, rkey))
                .free();
        assertThat(client.completion().getStatus()).isEqualTo(10);
    }

    @Test
    void shouldCompleteASendFromAFreedRegionWithAnErrorAndRefuseItInline() throws Exception {
        client.deregisterMemory(client.region);
        IbvSendWR inline = client.request(23, IbvSendWR.IBV_WR_SEND, 0, 8);
        inline.setSend_flags(IbvSendWR.IBV_SEND_SIGNALED | IbvSendWR.IBV_SEND_INLINE);
        assertThatThrownBy(() -> client.post(inline))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("inline");
        IbvSge nowhere = new IbvSge();
        nowhere.setAddr(8); // copying it would crash
        nowhere.setLength(8);
        LinkedList<IbvSge> sges = new LinkedList<>();
        sges.add(nowhere);
        inline.setSg_list(sges);
        assertThatThrownBy(() -> client.post(inline)).hasMessageContaining("inline");
        client.post(client.request(24, IbvSendWR.IBV_WR_SEND, 0, 8)).free();
        // A local protection error; to some devices, one of the queue pair's operation.
        assertThat(client.completion().getStatus()).isIn(4, 2);
    }

    // Some devices would never complete such a request.
    @Test
    void shouldRefuseAtomicsThatAreNotAligned() throws Exception {
        int rkey = server.region.getRkey();
        int cas = IbvSendWR.IBV_WR_ATOMIC_CMP_AND_SWP;
        assertThatThrownBy(() -> client.post(client.atomic(25, cas, 8, server.address(4), rkey, 0, 0)))
                .hasMessageContaining("multiple of 8");
        SVCPostSend call = client.postSend(List.of(client.atomic(26, cas, 8, server.address(0), rkey, 0, 0)));
        assertThatThrownBy(() -> call.getWrMod(0).getRdmaMod().setRemote_addr(server.address(1)))
                .isInstanceOf(IllegalArgumentException.class);
        call.execute();
        assertSuccess(client.completion(), 26);
    }

    @Test
    void shouldRejectInvalidRequestsAndRegistrations() throws Exception {
        assertThatThrownBy(() -> client.postSend(List.of())).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> client.post(client.request(1, 77, 0, 8))).hasMessageContaining("opcode 77");
        IbvSendWR many = client.request(1, IbvSendWR.IBV_WR_SEND, 0, 8);
        LinkedList<IbvSge> sges = new LinkedList<>();
        for (int i = 0; i < 100; i++) {
            sges.addAll(client.sges(0, 8));
        }
        many.setSg_list(sges);
        assertThatThrownBy(() -> client.post(many)).isInstanceOf(IOException.class);
        ByteBuffer heap = ByteBuffer.allocate(8);
        assertThatThrownBy(() -> client.getPd().regMr(heap, 1)).hasMessageContaining("direct");
        assertThatThrownBy(() -> client.getPd().regMr(0L, -1, 1)).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> client.getPd().regMr(4096L, 4096, 1).execute())
                .as("memory that is not there")
                .isInstanceOf(IOException.class);
        assertThatThrownBy(() -> DisniExtensions.atomic(
                        client.postSend(List.of(client.request(1, 2, 0, 8))).getWrMod(0)))
                .isInstanceOf(IOException.class);
        assertThatThrownBy(() ->
                        client.postSend(List.of(client.request(1, 2, 0, 8))).getWrMod(1))
                .isInstanceOf(IOException.class);
    }

    @Test
    void shouldRejectUseAfterClose() throws Exception {
        SVCPostSend call = client.postSend(
                List.of(client.rdma(30, IbvSendWR.IBV_WR_RDMA_READ, 0, 8, server.address(0), server.region.getRkey())));
        RdmaCqProvider queue = new RdmaCqProvider(client.getIdPriv().getVerbs(), 16);
        IbvWC[] wcs = {new IbvWC()};
        SVCPollCq poll = queue.getCQ().poll(wcs, 1);
        assertThat(poll.execute().getPolls()).isZero();
        assertThat(queue.getCQ().getChannel().getCqEvent(queue.getCQ(), 1)).isFalse();
        queue.close(); // the channel first, which the device would refuse
        assertThatThrownBy(poll::execute).isInstanceOf(IOException.class).hasMessageContaining("closed");
        assertThatThrownBy(() -> queue.getCQ().destroyCQ()).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> queue.getCQ().getChannel().getCqEvent(queue.getCQ(), 1))
                .isInstanceOf(IOException.class);
        assertThatThrownBy(() -> client.getCqProvider().getCQ().destroyCQ())
                .as("a queue pair uses it")
                .isInstanceOf(IOException.class);
        client.close();
        assertThatThrownBy(call::execute).isInstanceOf(IOException.class).hasMessageContaining("closed");
        assertThatThrownBy(() -> client.getIdPriv().disconnect()).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> client.getIdPriv().destroyId()).isInstanceOf(IOException.class);
    }

    // Goal: no crash when a queue pair is closed while other threads use it.
    // Method: post until it is refused.
    @Test
    void shouldSurviveClosingWhileAnotherThreadPosts() throws Exception {
        SVCPostSend call = client.postSend(
                List.of(client.rdma(31, IbvSendWR.IBV_WR_RDMA_READ, 0, 8, server.address(0), server.region.getRkey())));
        CompletableFuture<Integer> posted = new CompletableFuture<>();
        CompletableFuture<Void> started = new CompletableFuture<>();
        Thread.ofPlatform().daemon().start(() -> {
            int count = 0;
            while (true) {
                try {
                    call.execute();
                    count++;
                    started.complete(null);
                } catch (IOException e) {
                    if (e.getMessage().contains("closed")) {
                        posted.complete(count);
                        return;
                    }
                }
            }
        });
        started.get(60, TimeUnit.SECONDS);
        client.close();
        assertThat(posted.get(60, TimeUnit.SECONDS)).isPositive();
    }

    // ---- connections that fail
    // --------------------------------------------------------------------------

    @Test
    void shouldFailToConnectToAPortWithoutAListener() throws Exception {
        TestEndpoint endpoint = clients.createEndpoint();
        assertThatThrownBy(() -> endpoint.connect(Device.address(UNUSED_PORT), TIMEOUT_MILLIS))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no process listens");
        assertThat(endpoint.isConnected()).isFalse();
        assertThat(DisniExtensions.failure(endpoint.getIdPriv())).contains("rejected");
        endpoint.close();
    }

    @Test
    void shouldFailToConnectToAnUnassignedOrUnresolvedAddress() throws Exception {
        TestEndpoint endpoint = clients.createEndpoint();
        byte[] ip = Device.address(0).getAddress().getAddress();
        ip[3] = (byte) 200;
        InetSocketAddress nobody = new InetSocketAddress(InetAddress.getByAddress(ip), 4000);
        assertThatThrownBy(() -> endpoint.connect(nobody, TIMEOUT_MILLIS)).isInstanceOf(IOException.class);
        assertThat(endpoint.isConnected()).isFalse();
        TestEndpoint other = clients.createEndpoint();
        assertThatThrownBy(() -> other.connect(InetSocketAddress.createUnresolved("nowhere.invalid", 1), 100))
                .hasMessageContaining("nowhere.invalid");
        // DiSNI closes the endpoint and then requests its completion queue, which it never had.
        assertThatThrownBy(endpoint::close).isInstanceOf(IOException.class).hasMessageContaining("no RDMA device");
        assertThatThrownBy(other::close).isInstanceOf(IOException.class);
    }

    @Test
    void shouldRejectBindingToTheWildcardAddress() throws Exception {
        RdmaServerEndpoint<TestEndpoint> wildcard = servers.createServerEndpoint();
        assertThatThrownBy(() -> wildcard.bind(new InetSocketAddress("0.0.0.0", 0), 1))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("address of the interface");
    }

    @Test
    void shouldNotifyThePeerThatAConnectionIsClosed() throws Exception {
        client.close();
        while (!server.isClosed()) {
            Thread.onSpinWait();
        }
        assertThat(server.isConnected()).isFalse();
    }
}
