package dev.rcc.transport.shm;

import dev.rcc.core.memory.Memory;

/**
 * Wakes the workers of one life of a node, which is a peer's or this process's own.
 *
 * <p>No wake-up is lost: the worker stores ASLEEP, then a full fence, then looks into its rings a last time; a sender stores the
 * ring's new end, then a full fence, then looks at the state. Of two such pairs at least one sees the other's store. So either the
 * worker finds the message, or the sender finds the worker asleep and rings.
 *
 * <p>A sender that dies between marking the worker and ringing leaves a worker that nobody wakes; such a worker looks by itself
 * when its longest sleep is over.
 */
final class ShmDoorbell {
    private final Memory life;
    private final long futexAddress;

    ShmDoorbell(Memory life) {
        this.life = life;
        this.futexAddress = life.segment().address() + ShmLifeLayout.doorbell();
    }

    /** The worker is about to park, and will look once more. */
    void announceSleep(int worker) {
        life.putVolatile(ShmLifeLayout.state(worker), ShmLifeLayout.ASLEEP);
    }

    /** The worker is awake and needs no ringing. */
    void announceAwake(int worker) {
        life.putRelease(ShmLifeLayout.state(worker), ShmLifeLayout.AWAKE);
    }

    /** Rings if the worker sleeps. What it is to find was stored, and fenced fully, before. */
    void ringIfAsleep(int worker) {
        long state = ShmLifeLayout.state(worker);
        if (life.getAcquire(state) == ShmLifeLayout.ASLEEP
                && life.compareAndExchange(state, ShmLifeLayout.ASLEEP, ShmLifeLayout.RUNG) == ShmLifeLayout.ASLEEP) {
            ring();
        }
    }

    /** Rings for no worker in particular. */
    void ring() {
        life.getAndAdd(ShmLifeLayout.doorbell(), 1);
        Posix.futexWake(futexAddress);
    }

    /** Whether somebody has rung for the worker since it went to sleep. */
    boolean isRung(int worker) {
        return life.getAcquire(ShmLifeLayout.state(worker)) == ShmLifeLayout.RUNG;
    }

    /** How often it was rung, in the 32 bits that the futex has. */
    int rings() {
        return (int) life.getAcquire(ShmLifeLayout.doorbell());
    }

    /** The address of the futex. */
    long futexAddress() {
        return futexAddress;
    }
}
