package dev.rcc.transport.verbs.disni;

import com.ibm.disni.verbs.SVCDeregMr;
import java.io.IOException;

/** Deregisters memory. */
final class DeregMr extends SVCDeregMr {
    private final Mr region;
    private boolean valid = true;

    DeregMr(Mr region) {
        this.region = region;
    }

    @Override
    public SVCDeregMr execute() throws IOException {
        if (!valid) {
            throw new IOException("the call is freed");
        }
        region.deregister();
        return this;
    }

    @Override
    public boolean isValid() {
        return valid;
    }

    @Override
    public SVCDeregMr free() {
        valid = false;
        return this;
    }
}
