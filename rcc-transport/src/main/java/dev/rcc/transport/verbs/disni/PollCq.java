package dev.rcc.transport.verbs.disni;

import com.ibm.disni.verbs.IbvWC;
import com.ibm.disni.verbs.SVCPollCq;
import dev.rcc.transport.verbs.ibv.Raw;
import dev.rcc.transport.verbs.ibv.VerbsException;
import dev.rcc.transport.verbs.ibv.WcLayout;
import dev.rcc.transport.verbs.ibv.WcStatus;
import dev.rcc.transport.verbs.ibv.WorkCompletions;
import java.io.IOException;

/** Takes completions. For one thread; allocates nothing when executed. */
final class PollCq extends SVCPollCq {
    private final Cq cq;
    private final IbvWC[] into;
    private final WorkCompletions completions;
    private int polls;
    private boolean valid = true;

    PollCq(Cq cq, IbvWC[] into, int count) throws IOException {
        if (count < 1 || count > into.length) {
            throw new IOException("completions are polled into an array of " + into.length + ", so 1 to " + into.length
                    + " at a time, got " + count);
        }
        this.cq = cq;
        this.into = into;
        this.completions = new WorkCompletions(count);
    }

    @Override
    public SVCPollCq execute() throws IOException {
        if (!valid) {
            throw new IOException("the call is freed");
        }
        polls = 0;
        cq.guard().enter();
        try {
            polls = cq.queue().poll(completions);
        } catch (VerbsException e) {
            throw new IOException("cannot poll the completion queue: " + e.getMessage(), e);
        } finally {
            cq.guard().exit();
        }
        for (int i = 0; i < polls; i++) {
            copy(i, into[i]);
        }
        return this;
    }

    private void copy(int i, IbvWC to) {
        to.setWr_id(completions.wrId(i));
        to.setStatus(status(i));
        to.setOpcode(completions.opcode(i));
        to.setVendor_err(completions.vendorError(i));
        to.setByte_len(completions.bytes(i));
        // In the order in which it was sent: DiSNI leaves the byte order to its users.
        to.setImm_data(Integer.reverseBytes(completions.imm(i)));
        to.setQp_num(completions.queuePair(i));
        to.setSrc_qp(completions.sourceQueuePair(i));
        to.setWc_flags(completions.flags(i));
        to.setErr(IbvWC.CQ_OK);
        to.setSend((completions.opcode(i) & WorkCompletions.OPCODE_RECV) == 0);
    }

    /** The status of a completion. Where the queue has a listener of failures, the listener gets this one, and it appears as flushed. */
    private int status(int i) {
        int status = Raw.getInt(completions.address(), i * WcLayout.BYTES + WcLayout.STATUS);
        FailureListener listener = cq.failureListener();
        if (listener == null || status == WcStatus.SUCCESS.code() || status == WcStatus.FLUSHED.code()) {
            return status;
        }
        listener.failed(completions.queuePair(i), WcStatus.of(status));
        return WcStatus.FLUSHED.code();
    }

    @Override
    public int getPolls() {
        return polls;
    }

    @Override
    public boolean isValid() {
        return valid;
    }

    @Override
    public SVCPollCq free() {
        valid = false;
        return this;
    }
}
