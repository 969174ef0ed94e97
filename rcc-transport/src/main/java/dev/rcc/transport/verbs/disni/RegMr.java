package dev.rcc.transport.verbs.disni;

import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.SVCRegMr;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/** Registers memory. The memory stays registered when the call is freed. */
final class RegMr extends SVCRegMr {
    private final Pd pd;
    private final MemorySegment memory;
    private final int access;
    private Mr region;
    private boolean valid = true;

    RegMr(Pd pd, MemorySegment memory, int access) {
        this.pd = pd;
        this.memory = memory;
        this.access = access;
    }

    @Override
    public SVCRegMr execute() throws IOException {
        if (!valid) {
            throw new IOException("the call is freed");
        }
        region = register(pd, memory, access);
        return this;
    }

    static Mr register(Pd pd, MemorySegment memory, int access) throws IOException {
        if (!pd.isOpen()) {
            throw new IOException("the protection domain is closed");
        }
        return Native.call("register " + memory.byteSize() + " bytes of memory", () -> {
            Mr registered = new Mr(pd, pd.domain().register(memory, access), access);
            pd.add(registered);
            return registered;
        });
    }

    @Override
    public IbvMr getMr() {
        return region;
    }

    @Override
    public boolean isValid() {
        return valid;
    }

    @Override
    public SVCRegMr free() {
        valid = false;
        return this;
    }
}
