package dev.rcc.transport.verbs.disni;

import com.ibm.disni.RdmaActiveEndpoint;
import com.ibm.disni.RdmaActiveEndpointGroup;
import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvRecvWR;
import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.IbvSge;
import com.ibm.disni.verbs.IbvWC;
import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.SVCPostSend;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.LinkedList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** An endpoint with a registered buffer and one posted receive. It keeps its completions until the test takes them. */
@SuppressWarnings({"JdkObsolete", "NonApiType"}) // DiSNI wants linked lists
final class TestEndpoint extends RdmaActiveEndpoint {
    static final int BYTES = 4096;
    /** The offset at which a message is received. */
    static final int INBOX = 2048;

    private static final int ALL = IbvMr.IBV_ACCESS_LOCAL_WRITE
            | IbvMr.IBV_ACCESS_REMOTE_WRITE
            | IbvMr.IBV_ACCESS_REMOTE_READ
            | IbvMr.IBV_ACCESS_REMOTE_ATOMIC;

    final ByteBuffer buffer = ByteBuffer.allocateDirect(BYTES).order(ByteOrder.nativeOrder());
    IbvMr region;

    private final BlockingQueue<IbvWC> completions = new LinkedBlockingQueue<>();

    TestEndpoint(RdmaActiveEndpointGroup<TestEndpoint> group, RdmaCmId id, boolean serverSide) throws IOException {
        super(group, id, serverSide);
    }

    @Override
    protected synchronized void init() throws IOException {
        region = getPd().regMr(buffer, ALL).execute().free().getMr();
        IbvRecvWR receive = new IbvRecvWR();
        receive.setWr_id(99);
        receive.setSg_list(sges(INBOX, BYTES - INBOX));
        postRecv(List.of(receive)).execute().free();
    }

    @Override
    public void dispatchCqEvent(IbvWC wc) {
        completions.add(wc.clone());
    }

    /** Returns the next completion, which has to come. */
    IbvWC completion() throws InterruptedException {
        IbvWC wc = completions.poll(60, TimeUnit.SECONDS);
        if (wc == null) {
            throw new AssertionError("no completion came");
        }
        return wc;
    }

    long address(int offset) {
        return region.getAddr() + offset;
    }

    LinkedList<IbvSge> sges(int offset, int bytes) {
        IbvSge sge = new IbvSge();
        sge.setAddr(address(offset));
        sge.setLength(bytes);
        sge.setLkey(region.getLkey());
        LinkedList<IbvSge> sges = new LinkedList<>();
        sges.add(sge);
        return sges;
    }

    /** A signalled work request with {@code opcode} for these bytes of the buffer. */
    IbvSendWR request(long id, int opcode, int offset, int bytes) {
        IbvSendWR wr = new IbvSendWR();
        wr.setWr_id(id);
        wr.setOpcode(opcode);
        wr.setSend_flags(IbvSendWR.IBV_SEND_SIGNALED);
        wr.setSg_list(sges(offset, bytes));
        return wr;
    }

    /** A READ or a WRITE. */
    IbvSendWR rdma(long id, int opcode, int offset, int bytes, long remoteAddress, int rkey) {
        IbvSendWR wr = request(id, opcode, offset, bytes);
        wr.getRdma().setRemote_addr(remoteAddress);
        wr.getRdma().setRkey(rkey);
        return wr;
    }

    /** A CAS or, with {@code swap} unused, a FETCH_ADD. */
    IbvSendWR atomic(long id, int opcode, int offset, long remoteAddress, int rkey, long compareAdd, long swap) {
        IbvSendWR wr = request(id, opcode, offset, Long.BYTES);
        wr.getAtomic().setRemote_addr(remoteAddress);
        wr.getAtomic().setRkey(rkey);
        wr.getAtomic().setCompare_add(compareAdd);
        wr.getAtomic().setSwap(swap);
        return wr;
    }

    /** Posts, and returns the call without freeing it. */
    SVCPostSend post(IbvSendWR... wrs) throws IOException {
        return postSend(List.of(wrs)).execute();
    }
}
