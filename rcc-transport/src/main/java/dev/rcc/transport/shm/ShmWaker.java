package dev.rcc.transport.shm;

import dev.rcc.core.worker.Worker;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread that sleeps at this node's doorbell and wakes the workers that peers have rung for. An idle node's waker
 * costs nothing.
 */
final class ShmWaker implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ShmWaker.class);

    private final ShmDoorbell doorbell;
    private final Worker[] workers;
    private final Thread thread;
    private volatile boolean closed;

    ShmWaker(int node, ShmDoorbell doorbell, Worker... workers) {
        this.doorbell = doorbell;
        this.workers = workers;
        this.thread =
                Thread.ofPlatform().daemon().name("rcc-node" + node + "-waker").start(this::run);
    }

    private void run() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment callState = Posix.newCallState(arena);
            while (!closed) {
                int seen = doorbell.rings(); // read before the look: a later ring makes the wait return at once
                for (Worker worker : workers) {
                    if (doorbell.isRung(worker.index())) {
                        worker.wakeUp();
                    }
                }
                if (!closed) {
                    int error = Posix.futexWait(callState, doorbell.futexAddress(), seen);
                    if (error != 0 && error != Posix.EAGAIN && error != Posix.EINTR) {
                        LOG.error("event=wake_up_failed: {}; idle workers poll every few ms", Posix.text(error));
                        return;
                    }
                }
            }
        }
    }

    /** Ends the thread; call it before the doorbell's memory is unmapped. */
    @Override
    public void close() {
        closed = true;
        doorbell.ring();
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
