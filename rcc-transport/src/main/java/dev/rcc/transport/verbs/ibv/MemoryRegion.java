package dev.rcc.transport.verbs.ibv;

import java.lang.foreign.MemorySegment;
import java.util.Objects;

/** Memory that the device may access, with the device's keys for it. Must be closed before the memory is freed. */
public final class MemoryRegion extends VerbsResource {
    private final VerbsLibrary library;
    private final MemorySegment memory;

    MemoryRegion(VerbsLibrary library, ProtectionDomain pd, long address, MemorySegment memory) {
        super("a memory region of " + memory.byteSize() + " bytes", address, pd);
        this.library = library;
        this.memory = memory;
    }

    /** The memory. */
    public MemorySegment memory() {
        return memory;
    }

    /** Length in bytes. */
    public long bytes() {
        return memory.byteSize();
    }

    /** Address of the first byte, here and for the peers. */
    public long base() {
        return memory.address();
    }

    /**
     * The address of {@code bytes} bytes from {@code offset}.
     *
     * @throws IndexOutOfBoundsException when they do not lie in the region
     */
    public long address(long offset, int bytes) {
        Objects.checkFromIndexSize(offset, bytes, memory.byteSize());
        return memory.address() + offset;
    }

    /** The key by which local work requests name it. */
    public int lkey() {
        return Raw.getInt(address(), MrLayout.LKEY);
    }

    /** The key by which peers' work requests name it. */
    public int rkey() {
        return Raw.getInt(address(), MrLayout.RKEY);
    }

    @Override
    void destroy(long structAddress) {
        library.deregMr.check(structAddress);
    }
}
