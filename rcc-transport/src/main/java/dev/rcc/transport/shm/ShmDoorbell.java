package dev.rcc.transport.shm;

import dev.rcc.core.memory.Memory;

/**
 * Wakes the workers of one incarnation of a node, either a peer or this process's own node.
 *
 * <p>No wake-up is lost: the worker stores ASLEEP, then a full fence, then looks into its rings a last time; a sender stores the
 * ring's new end, then a full fence, then looks at the state. Of two such pairs at least one sees the other's store. So either the
 * worker finds the message, or the sender finds the worker asleep and rings.
 *
 * <p>A sender that dies between marking the worker and ringing leaves a worker that no doorbell wakes; such a worker looks again
 * when its longest sleep is over.
 */
final class ShmDoorbell {
    private final Memory nodeFile;
    private final long futexAddress;

    ShmDoorbell(Memory nodeFile) {
        this.nodeFile = nodeFile;
        this.futexAddress = nodeFile.segment().address() + ShmNodeFileLayout.doorbell();
    }

    /** The worker is about to park, and will look once more. */
    void announceSleep(int worker) {
        nodeFile.putVolatile(ShmNodeFileLayout.state(worker), ShmNodeFileLayout.ASLEEP);
    }

    /** The worker is awake and needs no ringing. */
    void announceAwake(int worker) {
        nodeFile.putRelease(ShmNodeFileLayout.state(worker), ShmNodeFileLayout.AWAKE);
    }

    /** Rings if the worker sleeps. The caller has stored the worker's message, then made a full fence. */
    void ringIfAsleep(int worker) {
        long state = ShmNodeFileLayout.state(worker);
        if (nodeFile.getAcquire(state) == ShmNodeFileLayout.ASLEEP
                && nodeFile.compareAndExchange(state, ShmNodeFileLayout.ASLEEP, ShmNodeFileLayout.RUNG)
                        == ShmNodeFileLayout.ASLEEP) {
            ring();
        }
    }

    /** Rings for no worker in particular. */
    void ring() {
        nodeFile.getAndAdd(ShmNodeFileLayout.doorbell(), 1);
        Posix.futexWake(futexAddress);
    }

    /** Whether a peer has rung for the worker since it went to sleep. */
    boolean isRung(int worker) {
        return nodeFile.getAcquire(ShmNodeFileLayout.state(worker)) == ShmNodeFileLayout.RUNG;
    }

    /** The number of rings so far, in the 32 bits of the futex. */
    int rings() {
        return (int) nodeFile.getAcquire(ShmNodeFileLayout.doorbell());
    }

    /** The address of the futex. */
    long futexAddress() {
        return futexAddress;
    }
}
