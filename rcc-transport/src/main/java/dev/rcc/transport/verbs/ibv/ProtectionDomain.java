package dev.rcc.transport.verbs.ibv;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;

/** A protection domain: a queue pair can access a memory region only if both are in the same one. May be used on any thread. */
public final class ProtectionDomain extends VerbsResource {
    private static final int QP_TYPE_RC = 2;
    private static final int QP_TYPE_UD = 4;

    private final VerbsDevice device;
    private final VerbsLibrary library;

    ProtectionDomain(VerbsDevice device, long address) {
        super("a protection domain", address, device);
        this.device = device;
        this.library = device.library();
        if (Raw.getLong(address, PdLayout.CONTEXT) != device.address()) {
            throw new VerbsUnavailable(
                    "a protection domain of device " + device.name() + " does not point back to it: this version of"
                            + " libibverbs is not known here; use another"
                            + " version of rdma-core, or another network");
        }
    }

    /**
     * Lets the device access memory, which is locked in RAM until the region is closed.
     *
     * @param memory off-heap memory of any length
     * @param access bits of {@link Access}
     * @throws VerbsException when it is refused; the message advises the operator if the process may not lock that much
     */
    public MemoryRegion register(MemorySegment memory, int access) {
        if (!memory.isNative() || memory.byteSize() == 0) {
            throw new IllegalArgumentException(
                    "only off-heap memory of 1 byte or more can be registered, got " + memory);
        }
        if ((access & ~Access.ALL) != 0) {
            throw new IllegalArgumentException("access must be bits of Access, got 0x" + Integer.toHexString(access));
        }
        long mr;
        try {
            mr = library.regMr.pointer(address(), memory.address(), memory.byteSize(), access);
        } catch (VerbsException e) {
            throw new VerbsException(
                    "device " + device.name() + " cannot register " + memory.byteSize() + " bytes",
                    e.errno(),
                    e.errno() == Errno.ENOMEM || e.errno() == Errno.EAGAIN || e.errno() == Errno.EACCES
                            ? memlockHint()
                            : "");
        }
        if (Raw.getLong(mr, MrLayout.PD) != address() || Raw.getLong(mr, MrLayout.LENGTH) != memory.byteSize()) {
            library.deregMr.call(mr);
            throw new VerbsUnavailable(
                    "the struct of a memory region is not laid out as expected: this version of libibverbs is not"
                            + " known here; use another version of rdma-core, or another network");
        }
        return new MemoryRegion(library, this, mr, memory);
    }

    /**
     * Makes a queue pair for a reliable connection, in {@link QpState#RESET}.
     *
     * @param send the completion queue of its sends
     * @param receive the completion queue of its receives, perhaps the same
     * @param size the least size of its queues
     * @param allSignalled whether every send completes visibly, or only sends that ask for it
     */
    public QueuePair createRc(CompletionQueue send, CompletionQueue receive, QpSize size, boolean allSignalled) {
        return create(QP_TYPE_RC, send, receive, size, allSignalled);
    }

    /** Makes a queue pair for unreliable datagrams; otherwise as {@link #createRc}. */
    public QueuePair createUd(CompletionQueue send, CompletionQueue receive, QpSize size, boolean allSignalled) {
        return create(QP_TYPE_UD, send, receive, size, allSignalled);
    }

    /**
     * Wraps a queue pair that the caller, such as the connection manager, has made in this domain and will destroy. Closing
     * the returned object only ends its use here.
     *
     * @param qp address of its {@code ibv_qp}
     * @param size the size of its queues
     * @param datagrams whether it is for unreliable datagrams, not for a reliable connection
     */
    public QueuePair adopt(long qp, CompletionQueue send, CompletionQueue receive, QpSize size, boolean datagrams) {
        if (Raw.getLong(qp, QpLayout.PD) != address()) {
            throw new IllegalArgumentException("the queue pair is of another protection domain");
        }
        return new QueuePair(device, this, send, receive, qp, size, datagrams, false);
    }

    /** Makes an address handle, for datagrams to a port. */
    public AddressHandle createAddressHandle(PortPath path) {
        try (Arena arena = Arena.ofConfined()) {
            long attr = arena.allocate(AhAttrLayout.BYTES, Long.BYTES).address();
            path.write(attr);
            return new AddressHandle(library, this, library.createAh.pointer(address(), attr));
        }
    }

    @Override
    void destroy(long structAddress) {
        library.deallocPd.check(structAddress);
    }

    private QueuePair create(
            int type, CompletionQueue send, CompletionQueue receive, QpSize size, boolean allSignalled) {
        try (Arena arena = Arena.ofConfined()) {
            long attr = arena.allocate(QpInitAttrLayout.BYTES, Long.BYTES).address();
            Raw.putLong(attr, QpInitAttrLayout.SEND_CQ, send.address());
            Raw.putLong(attr, QpInitAttrLayout.RECV_CQ, receive.address());
            Raw.putInt(attr, QpInitAttrLayout.QP_TYPE, type);
            Raw.putInt(attr, QpInitAttrLayout.SQ_SIG_ALL, allSignalled ? 1 : 0);
            size.write(attr);
            long qp = library.createQp.pointer(address(), attr);
            if (Raw.getLong(qp, QpLayout.PD) != address() || Raw.getLong(qp, QpLayout.SEND_CQ) != send.address()) {
                library.destroyQp.call(qp);
                throw new VerbsUnavailable(
                        "the struct of a queue pair is not laid out as expected: this version of libibverbs is not"
                                + " known here; use another version of rdma-core, or another network");
            }
            return new QueuePair(device, this, send, receive, qp, QpSize.read(attr), type == QP_TYPE_UD, true);
        }
    }

    /** The advice for an operator when memory could not be locked. */
    private static String memlockHint() {
        try {
            for (String line : Files.readAllLines(Path.of("/proc/self/limits"))) {
                // "Max locked memory", the soft limit, which applies, the hard limit, "bytes"
                String[] columns = line.split("\\s{2,}", -1);
                if (columns[0].equals("Max locked memory") && !columns[1].equals("unlimited")) {
                    return "; this process may lock " + columns[1]
                            + " bytes: raise that (ulimit -l unlimited, memlock in /etc/security/limits.conf, or"
                            + " LimitMEMLOCK=infinity in the systemd unit)";
                }
            }
        } catch (IOException e) {
            return "; see that the process may lock that much memory (ulimit -l)";
        }
        return "; is there that much free memory?";
    }
}
