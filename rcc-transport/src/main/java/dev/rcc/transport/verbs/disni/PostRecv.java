package dev.rcc.transport.verbs.disni;

import com.ibm.disni.verbs.IbvRecvWR;
import com.ibm.disni.verbs.IbvSge;
import com.ibm.disni.verbs.SVCPostRecv;
import dev.rcc.transport.verbs.ibv.Errno;
import dev.rcc.transport.verbs.ibv.Raw;
import dev.rcc.transport.verbs.ibv.RecvWrLayout;
import dev.rcc.transport.verbs.ibv.SgeLayout;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.List;

/** Posts a chain of receive work requests, built once like {@link PostSend}'s. For one thread at a time. */
final class PostRecv extends SVCPostRecv {
    private final Qp qp;
    private final long address;
    private final RecvWRMod[] wrs;
    private MemorySegment memory;

    PostRecv(Qp qp, List<IbvRecvWR> list) throws IOException {
        if (list.isEmpty()) {
            throw new IOException("there must be 1 work request or more to post");
        }
        int sges = 0;
        for (IbvRecvWR wr : list) {
            sges += wr.getSg_list().size();
        }
        this.qp = qp;
        this.memory = Slab.shared().take(list.size() * RecvWrLayout.BYTES + sges * SgeLayout.BYTES);
        this.address = memory.address();
        this.wrs = new RecvWRMod[list.size()];
        long sge = address + (long) list.size() * RecvWrLayout.BYTES;
        int i = 0;
        for (IbvRecvWR wr : list) {
            long at = address + (long) i * RecvWrLayout.BYTES;
            boolean isLast = i + 1 == wrs.length;
            Raw.putLong(at, RecvWrLayout.WR_ID, wr.getWr_id());
            Raw.putLong(at, RecvWrLayout.NEXT, isLast ? 0 : at + RecvWrLayout.BYTES);
            Raw.putLong(at, RecvWrLayout.SG_LIST, wr.getSg_list().isEmpty() ? 0 : sge);
            Raw.putInt(at, RecvWrLayout.NUM_SGE, wr.getSg_list().size());
            for (IbvSge piece : wr.getSg_list()) {
                Raw.putLong(sge, SgeLayout.ADDR, piece.getAddr());
                Raw.putInt(sge, SgeLayout.LENGTH, piece.getLength());
                Raw.putInt(sge, SgeLayout.LKEY, piece.getLkey());
                sge += SgeLayout.BYTES;
            }
            long id = wr.getWr_id();
            wrs[i] = () -> id;
            i++;
        }
    }

    @Override
    public SVCPostRecv execute() throws IOException {
        if (memory == null) {
            throw new IOException("the call is freed");
        }
        Guard guard = qp.guard();
        guard.enter();
        try {
            int error = qp.pair().postRecv(address);
            if (error != 0) {
                throw new IOException("the device does not take the receives: " + Errno.text(error)
                        + (error == Errno.ENOMEM
                                ? "; the receive queue of " + qp.pair().size().recvWrs() + " is full"
                                : ""));
            }
        } finally {
            guard.exit();
            Reference.reachabilityFence(this);
        }
        return this;
    }

    @Override
    public RecvWRMod getWrMod(int index) throws IOException {
        if (index < 0 || index >= wrs.length) {
            throw new IOException("there are work requests 0 to " + (wrs.length - 1) + ", got " + index);
        }
        return wrs[index];
    }

    @Override
    public boolean isValid() {
        return memory != null;
    }

    @Override
    public SVCPostRecv free() {
        if (memory != null) {
            Slab.shared().give(memory);
            memory = null;
        }
        return this;
    }
}
