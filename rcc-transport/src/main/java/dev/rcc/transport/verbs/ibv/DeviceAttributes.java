package dev.rcc.transport.verbs.ibv;

import dev.rcc.core.fabric.Atomicity;
import java.util.Optional;

/**
 * The attributes of a device.
 *
 * @param atomicity the accesses against which its atomics are atomic; empty if it has no atomics
 * @param qpReadAtomicMax READs and atomics to it that a queue pair can have in progress
 * @param qpInitiatorReadAtomicMax READs and atomics from it that a queue pair can have in progress
 * @param qpWorkRequestsMax longest send or receive queue
 * @param cqEntriesMax longest completion queue
 * @param sgesMax most pieces of a work request
 * @param regionBytesMax longest memory region
 * @param queuePairsMax most queue pairs
 * @param ports number of its ports, which are numbered from 1
 * @param firmware its firmware's version
 */
public record DeviceAttributes(
        Optional<Atomicity> atomicity,
        int qpReadAtomicMax,
        int qpInitiatorReadAtomicMax,
        int qpWorkRequestsMax,
        int cqEntriesMax,
        int sgesMax,
        long regionBytesMax,
        int queuePairsMax,
        int ports,
        String firmware) {
    private static final int ATOMIC_NONE = 0;
    private static final int ATOMIC_GLOBAL = 2;
    private static final int FIRMWARE_BYTES = 64;

    static DeviceAttributes read(long attributes) {
        int atomicCap = Raw.getInt(attributes, DeviceAttrLayout.ATOMIC_CAP);
        return new DeviceAttributes(
                switch (atomicCap) {
                    case ATOMIC_NONE -> Optional.empty();
                    case ATOMIC_GLOBAL -> Optional.of(Atomicity.GLOBAL);
                    default -> Optional.of(Atomicity.DEVICE);
                },
                Raw.getInt(attributes, DeviceAttrLayout.MAX_QP_RD_ATOM),
                Raw.getInt(attributes, DeviceAttrLayout.MAX_QP_INIT_RD_ATOM),
                Raw.getInt(attributes, DeviceAttrLayout.MAX_QP_WR),
                Raw.getInt(attributes, DeviceAttrLayout.MAX_CQE),
                Raw.getInt(attributes, DeviceAttrLayout.MAX_SGE),
                Raw.getLong(attributes, DeviceAttrLayout.MAX_MR_SIZE),
                Raw.getInt(attributes, DeviceAttrLayout.MAX_QP),
                Raw.getByte(attributes, DeviceAttrLayout.PHYS_PORT_CNT),
                Raw.string(attributes + DeviceAttrLayout.FW_VER, FIRMWARE_BYTES));
    }
}
