package dev.rcc.transport.verbs.disni;

import com.ibm.disni.verbs.SVCReqNotify;
import java.io.IOException;

/** Asks for an event with the next completion. */
final class ReqNotify extends SVCReqNotify {
    private final Cq cq;
    private final boolean solicitedOnly;
    private boolean valid = true;

    ReqNotify(Cq cq, boolean solicitedOnly) {
        this.cq = cq;
        this.solicitedOnly = solicitedOnly;
    }

    @Override
    public SVCReqNotify execute() throws IOException {
        if (!valid) {
            throw new IOException("the call is freed");
        }
        Native.run("ask for a completion event", cq.guard(), () -> cq.queue().requestNotify(solicitedOnly));
        return this;
    }

    @Override
    public boolean isValid() {
        return valid;
    }

    @Override
    public SVCReqNotify free() {
        valid = false;
        return this;
    }
}
