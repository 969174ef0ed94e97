package dev.rcc.transport.verbs.disni;

import com.ibm.disni.verbs.IbvMr;
import dev.rcc.transport.verbs.ibv.MemoryRegion;
import dev.rcc.transport.verbs.ibv.MrLayout;
import dev.rcc.transport.verbs.ibv.Raw;
import java.io.IOException;

/** A registered memory region. Keeps its memory reachable, also after it is closed. */
final class Mr extends IbvMr {
    private final Pd pd;
    private final MemoryRegion region;
    private final long base;
    private final long bytes;

    Mr(Pd pd, MemoryRegion region, int access) throws IOException {
        super(
                pd.getContext(),
                region.base(),
                (int) Math.min(region.bytes(), Integer.MAX_VALUE),
                access,
                region.lkey(),
                region.rkey(),
                Raw.getInt(region.address(), MrLayout.HANDLE));
        this.pd = pd;
        this.region = region;
        this.base = region.base();
        this.bytes = region.bytes();
    }

    long bytes() {
        return bytes;
    }

    /** Whether it is open and contains these bytes. */
    boolean contains(long address, int length) {
        return isOpen() && address >= base && length >= 0 && address - base <= bytes - length;
    }

    /** Deregisters the memory; remote operations on it fail from now on. */
    synchronized void deregister() throws IOException {
        if (!isOpen()) {
            throw new IOException("the memory region is deregistered already");
        }
        pd.remove(this);
        Native.run("deregister memory", region::close);
        close();
    }
}
