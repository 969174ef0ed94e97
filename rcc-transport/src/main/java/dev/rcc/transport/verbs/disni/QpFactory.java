package dev.rcc.transport.verbs.disni;

import com.ibm.disni.verbs.IbvPd;
import com.ibm.disni.verbs.IbvQP;
import com.ibm.disni.verbs.IbvQPCap;
import com.ibm.disni.verbs.IbvQPInitAttr;
import dev.rcc.transport.verbs.ibv.QpInitAttrLayout;
import dev.rcc.transport.verbs.ibv.QpSize;
import dev.rcc.transport.verbs.ibv.Raw;
import java.io.IOException;
import java.lang.foreign.Arena;

/** Makes queue pairs from DiSNI's attributes. */
final class QpFactory {
    /** Makes a queue pair on a domain as an {@code ibv_qp_init_attr} specifies, and returns its address. */
    @FunctionalInterface
    interface Maker {
        long make(long pd, long initAttr);
    }

    private QpFactory() {}

    static Qp create(IbvPd ibvPd, IbvQPInitAttr attr, Maker maker) throws IOException {
        Pd pd = Native.ours(Pd.class, ibvPd);
        Cq send = Native.ours(Cq.class, attr.getSend_cq());
        Cq receive = Native.ours(Cq.class, attr.getRecv_cq());
        if (!pd.isOpen()) {
            throw new IOException("the protection domain is closed");
        }
        if (attr.getSrq() != 0) {
            throw new IOException("shared receive queues are not supported: give the queue pair receives of its own");
        }
        if (attr.getQp_type() != IbvQP.IBV_QPT_RC && attr.getQp_type() != IbvQP.IBV_QPT_UD) {
            throw new IOException("queue pairs are of type IBV_QPT_RC (2) or IBV_QPT_UD (4), got " + attr.getQp_type());
        }
        send.retain();
        try {
            receive.retain();
        } catch (IOException e) {
            send.release();
            throw e;
        }
        boolean done = false;
        try (Arena arena = Arena.ofConfined()) {
            long initAttr = arena.allocate(QpInitAttrLayout.BYTES, Long.BYTES).address();
            write(attr, send, receive, initAttr);
            Qp qp = Native.call("create a queue pair of " + text(attr.cap()), () -> {
                long made = maker.make(pd.domain().address(), initAttr);
                return new Qp(
                        pd,
                        send,
                        receive,
                        pd.domain()
                                .adopt(
                                        made,
                                        send.queue(),
                                        receive.queue(),
                                        size(initAttr),
                                        attr.getQp_type() == IbvQP.IBV_QPT_UD),
                        attr.getQp_type());
            });
            done = true;
            return qp;
        } finally {
            if (!done) {
                send.release();
                receive.release();
            }
        }
    }

    private static void write(IbvQPInitAttr attr, Cq send, Cq receive, long initAttr) {
        IbvQPCap cap = attr.cap();
        Raw.putLong(initAttr, QpInitAttrLayout.SEND_CQ, send.queue().address());
        Raw.putLong(initAttr, QpInitAttrLayout.RECV_CQ, receive.queue().address());
        Raw.putInt(initAttr, QpInitAttrLayout.MAX_SEND_WR, cap.getMax_send_wr());
        Raw.putInt(initAttr, QpInitAttrLayout.MAX_RECV_WR, cap.getMax_recv_wr());
        // DiSNI's own provider ignored these two, so its users may have left them at 0.
        Raw.putInt(initAttr, QpInitAttrLayout.MAX_SEND_SGE, Math.max(1, cap.getMax_send_sge()));
        Raw.putInt(initAttr, QpInitAttrLayout.MAX_RECV_SGE, Math.max(1, cap.getMax_recv_sge()));
        Raw.putInt(initAttr, QpInitAttrLayout.MAX_INLINE_DATA, cap.getMax_inline_data());
        Raw.putInt(initAttr, QpInitAttrLayout.QP_TYPE, attr.getQp_type());
        Raw.putInt(initAttr, QpInitAttrLayout.SQ_SIG_ALL, attr.getSq_sig_all());
    }

    private static QpSize size(long initAttr) {
        return new QpSize(
                Raw.getInt(initAttr, QpInitAttrLayout.MAX_SEND_WR),
                Raw.getInt(initAttr, QpInitAttrLayout.MAX_RECV_WR),
                Raw.getInt(initAttr, QpInitAttrLayout.MAX_SEND_SGE),
                Raw.getInt(initAttr, QpInitAttrLayout.MAX_RECV_SGE),
                Raw.getInt(initAttr, QpInitAttrLayout.MAX_INLINE_DATA));
    }

    private static String text(IbvQPCap cap) {
        return cap.getMax_send_wr() + " sends and " + cap.getMax_recv_wr() + " receives, " + cap.getMax_inline_data()
                + " bytes inline";
    }
}
