package dev.rcc.transport.verbs.disni;

import com.ibm.disni.verbs.IbvCQ;
import com.ibm.disni.verbs.IbvCompChannel;
import com.ibm.disni.verbs.IbvContext;
import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvPd;
import com.ibm.disni.verbs.IbvQP;
import com.ibm.disni.verbs.IbvRecvWR;
import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.IbvWC;
import com.ibm.disni.verbs.RdmaVerbs;
import com.ibm.disni.verbs.SVCDeregMr;
import com.ibm.disni.verbs.SVCPollCq;
import com.ibm.disni.verbs.SVCPostRecv;
import com.ibm.disni.verbs.SVCPostSend;
import com.ibm.disni.verbs.SVCRegMr;
import com.ibm.disni.verbs.SVCReqNotify;
import dev.rcc.transport.verbs.ibv.CompletionQueue;
import dev.rcc.transport.verbs.ibv.Raw;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.List;

/** DiSNI's verbs, on libibverbs. */
final class Verbs extends RdmaVerbs {
    // Protection domains and memory.

    @Override
    public IbvPd allocPd(IbvContext ibvContext) throws IOException {
        Context context = Native.ours(Context.class, ibvContext);
        return Native.call(
                "allocate a protection domain",
                () -> new Pd(context, context.device().allocPd()));
    }

    @Override
    public int deallocPd(IbvPd ibvPd) throws IOException {
        Pd pd = Native.ours(Pd.class, ibvPd);
        Native.run("deallocate the protection domain", pd.domain()::close);
        pd.close();
        return 0;
    }

    /** Registers all of a buffer, whatever its position and limit. */
    @Override
    public SVCRegMr regMr(IbvPd pd, ByteBuffer buffer, int access) throws IOException {
        if (!buffer.isDirect()) {
            throw new IOException("only a direct buffer (ByteBuffer.allocateDirect) can be registered, got " + buffer);
        }
        // A segment of a buffer keeps it reachable.
        return new RegMr(
                Native.ours(Pd.class, pd),
                MemorySegment.ofBuffer(buffer.duplicate().clear()),
                access);
    }

    @Override
    public SVCRegMr regMr(IbvPd pd, long address, int length, int access) throws IOException {
        if (length <= 0) {
            throw new IOException("1 byte or more can be registered, got " + length);
        }
        return new RegMr(Native.ours(Pd.class, pd), Raw.segment(address, length), access);
    }

    @Override
    public SVCDeregMr deregMr(IbvMr mr) throws IOException {
        return new DeregMr(Native.ours(Mr.class, mr));
    }

    /** Returns 0, for no support: memory is locked when it is registered. */
    @Override
    public int queryOdpSupport(IbvContext context) {
        return 0;
    }

    @Override
    public int expPrefetchMr(IbvMr mr, long address, int length) throws IOException {
        throw new IOException("nothing to prefetch: memory is locked when it is registered");
    }

    // Completions.

    @Override
    public IbvCompChannel createCompChannel(IbvContext ibvContext) throws IOException {
        Context context = Native.ours(Context.class, ibvContext);
        return Native.call(
                "create a completion channel",
                () -> new CompChannel(context, context.device().createChannel()));
    }

    @Override
    public int destroyCompChannel(IbvCompChannel compChannel) throws IOException {
        Native.ours(CompChannel.class, compChannel).destroy();
        return 0;
    }

    /** Creates a completion queue; without events if {@code compChannel} is null. */
    @Override
    public IbvCQ createCQ(IbvContext ibvContext, IbvCompChannel compChannel, int entries, int vector)
            throws IOException {
        Context context = Native.ours(Context.class, ibvContext);
        CompChannel channel = compChannel == null ? null : Native.ours(CompChannel.class, compChannel);
        if (vector < 0 || vector >= context.getNumCompVectors()) {
            throw new IOException(
                    "the device has completion vectors 0 to " + (context.getNumCompVectors() - 1) + ", got " + vector);
        }
        if (channel == null) {
            return Native.call(
                    "create a completion queue of " + entries,
                    () -> new Cq(context, null, context.device().createCq(entries, null, 0, vector)));
        }
        channel.guard().enter();
        try {
            return Native.call("create a completion queue of " + entries, () -> {
                CompletionQueue queue = context.device().createCq(entries, channel.channel(), 0, vector);
                return new Cq(context, channel, queue);
            });
        } finally {
            channel.guard().exit();
        }
    }

    @Override
    public int destroyCQ(IbvCQ cq) throws IOException {
        Native.ours(Cq.class, cq).destroy();
        return 0;
    }

    @Override
    public SVCPollCq pollCQ(IbvCQ cq, IbvWC[] wcList, int entries) throws IOException {
        return new PollCq(Native.ours(Cq.class, cq), wcList, entries);
    }

    @Override
    public SVCReqNotify reqNotifyCQ(IbvCQ cq, boolean solicitedOnly) throws IOException {
        return new ReqNotify(Native.ours(Cq.class, cq), solicitedOnly);
    }

    /**
     * {@inheritDoc}
     *
     * @return false when the time is over; also when it is infinite, but no queue pair is left that could complete requests in the queue
     */
    @Override
    public boolean getCqEvent(IbvCompChannel compChannel, IbvCQ cq, int timeoutMillis) throws IOException {
        return Native.ours(CompChannel.class, compChannel).await(Native.ours(Cq.class, cq), timeoutMillis);
    }

    /** Does nothing: an event is acknowledged when it is taken. */
    @Override
    public int ackCqEvents(IbvCQ cq, int events) {
        return 0;
    }

    // Work requests.

    /** Builds a call. The call throws when the device refuses a request, and leaves {@code badWrList} as it is. */
    @Override
    public SVCPostSend postSend(IbvQP qp, List<IbvSendWR> wrList, List<IbvSendWR> badWrList) throws IOException {
        return new PostSend(Native.ours(Qp.class, qp), wrList);
    }

    /** Builds a call; {@code badWrList} is as in {@link #postSend}. */
    @Override
    public SVCPostRecv postRecv(IbvQP qp, List<IbvRecvWR> wrList, List<IbvRecvWR> badWrList) throws IOException {
        return new PostRecv(Native.ours(Qp.class, qp), wrList);
    }
}
