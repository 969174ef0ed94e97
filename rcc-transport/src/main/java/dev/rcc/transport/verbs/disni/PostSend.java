package dev.rcc.transport.verbs.disni;

import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.IbvSge;
import com.ibm.disni.verbs.SVCPostSend;
import dev.rcc.transport.verbs.ibv.Errno;
import dev.rcc.transport.verbs.ibv.Raw;
import dev.rcc.transport.verbs.ibv.SendFlags;
import dev.rcc.transport.verbs.ibv.SendWrLayout;
import dev.rcc.transport.verbs.ibv.SgeLayout;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.List;

/**
 * Posts a chain of send work requests, built once in native memory: first the requests, then their SGEs. Changing a field is
 * a store, executing is one call; neither allocates. For one thread at a time.
 */
final class PostSend extends SVCPostSend {
    private static final int OPCODE_MAX = IbvSendWR.IBV_WR_ATOMIC_FETCH_AND_ADD;

    private final Qp qp;
    private final long address;
    private final Wr[] wrs;
    private MemorySegment memory;

    PostSend(Qp qp, List<IbvSendWR> list) throws IOException {
        if (list.isEmpty()) {
            throw new IOException("there must be 1 work request or more to post");
        }
        int sges = 0;
        for (IbvSendWR wr : list) {
            check(qp, wr);
            sges += wr.getSg_list().size();
        }
        this.qp = qp;
        this.memory = Slab.shared().take(list.size() * SendWrLayout.BYTES + sges * SgeLayout.BYTES);
        this.address = memory.address();
        this.wrs = new Wr[list.size()];
        long sge = address + (long) list.size() * SendWrLayout.BYTES;
        int i = 0;
        for (IbvSendWR wr : list) {
            long at = address + (long) i * SendWrLayout.BYTES;
            wrs[i] = new Wr(qp, wr, at, sge);
            boolean isLast = i + 1 == wrs.length;
            Raw.putLong(at, SendWrLayout.NEXT, isLast ? 0 : at + SendWrLayout.BYTES);
            sge += (long) wr.getSg_list().size() * SgeLayout.BYTES;
            i++;
        }
    }

    private static void check(Qp qp, IbvSendWR wr) throws IOException {
        int opcode = wr.getOpcode();
        boolean isSend = opcode == IbvSendWR.IBV_WR_SEND || opcode == IbvSendWR.IBV_WR_SEND_WITH_IMM;
        if (opcode < 0 || opcode > OPCODE_MAX || (qp.isForDatagrams() && !isSend)) {
            throw new IOException("opcode " + opcode + " cannot be posted: "
                    + (qp.isForDatagrams()
                            ? "datagrams are sent (2), perhaps with immediate data (3)"
                            : "there are 0 to 6"));
        }
        if (isAtomic(opcode)) {
            checkAligned(wr.getAtomic().getRemote_addr());
            if (wr.getSg_list().size() != 1 || wr.getSge(0).getLength() != Long.BYTES) {
                throw new IOException("an atomic's result takes one SGE of 8 bytes");
            }
        }
        for (IbvSge sge : wr.getSg_list()) {
            if (sge.getLength() < 0) {
                throw new IOException("an SGE's length must be 0 or more, got " + sge.getLength());
            }
        }
    }

    private static boolean isAtomic(int opcode) {
        return opcode >= IbvSendWR.IBV_WR_ATOMIC_CMP_AND_SWP;
    }

    /** Some devices never complete an atomic on an address that is not aligned. */
    private static void checkAligned(long address) {
        if (address % Long.BYTES != 0) {
            throw new IllegalArgumentException(
                    "an atomic's address must be a multiple of 8, got 0x" + Long.toHexString(address));
        }
    }

    @Override
    public SVCPostSend execute() throws IOException {
        if (memory == null) {
            throw new IOException("the call is freed");
        }
        Guard guard = qp.guard();
        guard.enter();
        try {
            for (Wr wr : wrs) {
                wr.checkPostable();
            }
            int error = qp.pair().postSend(address);
            if (error != 0) {
                throw refused(error);
            }
        } finally {
            guard.exit();
            Reference.reachabilityFence(this);
        }
        return this;
    }

    private IOException refused(int error) {
        return new IOException("the device does not take the work requests: " + Errno.text(error)
                + (error == Errno.ENOMEM
                        ? "; the send queue of " + qp.pair().size().sendWrs() + " is full"
                        : "")
                + (error == Errno.EINVAL
                        ? "; more SGEs or inline bytes than the queue pair has, or it is not connected"
                        : ""));
    }

    @Override
    public boolean isValid() {
        return memory != null;
    }

    @Override
    public SVCPostSend free() {
        if (memory != null) {
            Slab.shared().give(memory);
            memory = null;
        }
        return this;
    }

    @Override
    public Wr getWrMod(int index) throws IOException {
        if (index < 0 || index >= wrs.length) {
            throw new IOException("there are work requests 0 to " + (wrs.length - 1) + ", got " + index);
        }
        if (memory == null) {
            throw new IOException("the call is freed");
        }
        return wrs[index];
    }

    /** One work request, and all the ways to change it. */
    static final class Wr implements SendWRMod, RdmaMod, AtomicMod, DatagramMod {
        private final Qp qp;
        private final long address;
        private final boolean isAtomic;
        private final Sge[] sges;
        private DisniAddressHandle destination;
        private int reserved;

        private Wr(Qp qp, IbvSendWR wr, long address, long sgeAddress) throws IOException {
            this.qp = qp;
            this.address = address;
            int opcode = wr.getOpcode();
            this.isAtomic = PostSend.isAtomic(opcode);
            this.sges = new Sge[wr.getSg_list().size()];
            int i = 0;
            for (IbvSge sge : wr.getSg_list()) {
                sges[i] = new Sge(qp.domain(), sgeAddress + (long) i * SgeLayout.BYTES);
                sges[i].set(sge);
                i++;
            }
            Raw.putLong(address, SendWrLayout.WR_ID, wr.getWr_id());
            Raw.putLong(address, SendWrLayout.SG_LIST, sges.length == 0 ? 0 : sgeAddress);
            Raw.putInt(address, SendWrLayout.NUM_SGE, sges.length);
            Raw.putInt(address, SendWrLayout.OPCODE, opcode);
            Raw.putInt(address, SendWrLayout.SEND_FLAGS, wr.getSend_flags());
            Raw.putInt(address, SendWrLayout.IMM_DATA, wr.getImm_data());
            if (qp.isForDatagrams()) {
                IbvSendWR.Ud ud = wr.getUd();
                setDestination(DisniAddressHandle.byNumber(ud.getAh()), ud.getRemote_qpn(), ud.getRemote_qkey());
            } else if (isAtomic) {
                IbvSendWR.Atomic atomic = wr.getAtomic();
                setRemoteAddress(atomic.getRemote_addr());
                setCompareAdd(atomic.getCompare_add());
                setSwap(atomic.getSwap());
                setRemoteKey(atomic.getRkey());
            } else {
                Raw.putLong(address, SendWrLayout.REMOTE_ADDR, wr.getRdma().getRemote_addr());
                Raw.putInt(address, SendWrLayout.RDMA_RKEY, wr.getRdma().getRkey());
            }
        }

        /** Refuses a request that would make the device's library read unmapped memory. */
        private void checkPostable() throws IOException {
            if ((getSend_flags() & SendFlags.INLINE) != 0) {
                for (Sge sge : sges) {
                    sge.checkReadable();
                }
            }
            if (destination != null && !destination.isOpen()) {
                throw new IOException("the address handle is closed");
            }
        }

        @Override
        public void setWr_id(long id) {
            Raw.putLong(address, SendWrLayout.WR_ID, id);
        }

        @Override
        public long getWr_id() {
            return Raw.getLong(address, SendWrLayout.WR_ID);
        }

        @Override
        public void setSend_flags(int flags) {
            Raw.putInt(address, SendWrLayout.SEND_FLAGS, flags);
        }

        @Override
        public int getSend_flags() {
            return Raw.getInt(address, SendWrLayout.SEND_FLAGS);
        }

        @Override
        public int getNum_sge() {
            return sges.length;
        }

        @Override
        public int getOpcode() {
            return Raw.getInt(address, SendWrLayout.OPCODE);
        }

        @Override
        public SgeMod getSgeMod(int index) {
            return sges[index];
        }

        @Override
        public RdmaMod getRdmaMod() {
            if (qp.isForDatagrams()) {
                throw new IllegalStateException("a datagram has no remote address; see DisniExtensions.datagram");
            }
            return this;
        }

        /** Whether this is an atomic. */
        boolean isAtomic() {
            return isAtomic;
        }

        /** Whether this is a datagram. */
        boolean isDatagram() {
            return qp.isForDatagrams();
        }

        // READs, WRITEs and, for their common fields, atomics.

        @Override
        public void setRemote_addr(long remoteAddress) {
            if (isAtomic) {
                checkAligned(remoteAddress);
            }
            Raw.putLong(address, SendWrLayout.REMOTE_ADDR, remoteAddress);
        }

        @Override
        public long getRemote_addr() {
            return Raw.getLong(address, SendWrLayout.REMOTE_ADDR);
        }

        @Override
        public void setRkey(int rkey) {
            Raw.putInt(address, isAtomic ? SendWrLayout.ATOMIC_RKEY : SendWrLayout.RDMA_RKEY, rkey);
        }

        @Override
        public int getRkey() {
            return Raw.getInt(address, isAtomic ? SendWrLayout.ATOMIC_RKEY : SendWrLayout.RDMA_RKEY);
        }

        @Override
        public void setReserved(int value) {
            reserved = value;
        }

        @Override
        public int getReserved() {
            return reserved;
        }

        // Atomics.

        @Override
        public void setRemoteAddress(long remoteAddress) {
            setRemote_addr(remoteAddress);
        }

        @Override
        public void setCompareAdd(long value) {
            Raw.putLong(address, SendWrLayout.COMPARE_ADD, value);
        }

        @Override
        public void setSwap(long value) {
            Raw.putLong(address, SendWrLayout.SWAP, value);
        }

        @Override
        public void setRemoteKey(int rkey) {
            setRkey(rkey);
        }

        // Datagrams.

        @Override
        public void setDestination(DisniAddressHandle handle, int remoteQueuePair, int remoteQkey) {
            destination = handle;
            Raw.putLong(address, SendWrLayout.UD_AH, handle.address());
            Raw.putInt(address, SendWrLayout.UD_REMOTE_QPN, remoteQueuePair);
            Raw.putInt(address, SendWrLayout.UD_REMOTE_QKEY, remoteQkey);
        }

        @Override
        public void setImmediate(int data) {
            Raw.putInt(address, SendWrLayout.IMM_DATA, data);
        }
    }

    /** A piece of local memory. */
    private static final class Sge implements SgeMod {
        private final Pd pd;
        private final long address;
        /** The region that contained it at the last check. Keeps that memory reachable. */
        private Mr region;

        Sge(Pd pd, long address) {
            this.pd = pd;
            this.address = address;
        }

        void set(IbvSge sge) {
            setAddr(sge.getAddr());
            setLength(sge.getLength());
            setLkey(sge.getLkey());
            region = pd.region(sge.getLkey());
        }

        /**
         * Checks that inline bytes can be read. The CPU copies them, which does not check keys but crashes where there is no
         * memory; so they must also lie in a registered region, named by its key.
         */
        void checkReadable() throws IOException {
            if (region == null || region.getLkey() != getLkey()) {
                region = pd.region(getLkey());
            }
            if (region == null || !region.contains(getAddr(), getLength())) {
                throw new IOException("what is sent inline must lie in the registered region that its lkey names, got "
                        + getLength() + " bytes at 0x" + Long.toHexString(getAddr()) + " with lkey " + getLkey());
            }
        }

        @Override
        public void setAddr(long value) {
            Raw.putLong(address, SgeLayout.ADDR, value);
        }

        @Override
        public long getAddr() {
            return Raw.getLong(address, SgeLayout.ADDR);
        }

        @Override
        public void setLength(int value) {
            Raw.putInt(address, SgeLayout.LENGTH, value);
        }

        @Override
        public int getLength() {
            return Raw.getInt(address, SgeLayout.LENGTH);
        }

        @Override
        public void setLkey(int value) {
            Raw.putInt(address, SgeLayout.LKEY, value);
        }

        @Override
        public int getLkey() {
            return Raw.getInt(address, SgeLayout.LKEY);
        }
    }
}
