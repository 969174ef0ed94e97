package dev.rcc.transport.sim;

import dev.rcc.core.memory.Memory;
import java.util.function.LongSupplier;

/**
 * A node's NIC: queueing servers for its node's requests, for its peers' requests, for atomics, and for sending onto the link; and the words
 * that its atomics are changing.
 */
final class SimNic {
    private final CostModel costs;
    private final Server sending;
    private final Server serving;
    private final Server atomics;
    private final Server link;
    private final WordTimes words;
    private long queuePairNanos;

    /**
     * An idle NIC.
     *
     * @param now the virtual time
     */
    SimNic(CostModel costs, LongSupplier now) {
        this.costs = costs;
        this.sending = new Server(now);
        this.serving = costs.nic().isShared() ? sending : new Server(now);
        this.atomics = new Server(now);
        this.link = new Server(now);
        this.words = new WordTimes(now);
    }

    void useQueuePairs(int count) {
        queuePairNanos = costs.nic().qpNanos(count);
    }

    /** Queues a batch of {@code requests} requests with {@code bytes} bytes of payload; returns the time when the first is on the link. */
    long send(long at, int requests, long bytes) {
        return send(at, requests, bytes, queuePairNanos);
    }

    /** Queues a datagram; returns the time when it is on the link. Its one queue pair for all peers is always cached. */
    long sendDatagram(long at, long bytes) {
        return send(at, 1, bytes, 0);
    }

    private long send(long at, int requests, long bytes, long stateNanos) {
        long sendNanos = costs.nic().sendNanos();
        long first = sending.serve(at, requests * sendNanos + stateNanos) - (requests - 1) * sendNanos;
        return link.serve(first, costs.link().transferNanos(bytes));
    }

    /** Queues bytes that answer a READ; returns the time when they are on the link. */
    long answer(long at, long bytes) {
        return link.serve(at, costs.link().transferNanos(bytes));
    }

    /**
     * Queues a peer's request; returns the time when it takes effect.
     *
     * @param first whether it is the first request of its batch
     */
    long serve(long at, boolean first) {
        return serve(at, first ? queuePairNanos : 0);
    }

    /** Queues a peer's datagram; returns the time when it has been received. */
    long serveDatagram(long at) {
        return serve(at, 0);
    }

    private long serve(long at, long stateNanos) {
        return serving.serve(at, costs.nic().serveNanos() + stateNanos);
    }

    /**
     * Queues a peer's atomic; returns the time when it begins, {@code nicWordNanos} before it ends.
     *
     * @param first whether it is the first request of its batch
     * @param notBefore the time when the previous atomic on its queue pair ends
     */
    long beginAtomic(long at, boolean first, long notBefore, Memory memory, long offset) {
        long atomicNanos = costs.nic().atomicNanos();
        long received = serve(at, first);
        long free = atomics.serve(received, atomicNanos + 1) - atomicNanos - 1; // events of one time come in any order
        return words.take(Math.max(free, notBefore), costs.nic().wordNanos() + 1, memory, offset);
    }

    /** Keeps other operations of this NIC from a word that an atomic is changing. */
    void lock(Memory memory, long offset, long untilNanos) {
        words.lock(memory, offset, untilNanos);
    }

    void unlock(Memory memory, long offset) {
        words.unlock(memory, offset);
    }

    /** The time until which a WRITE of these bytes must wait; 0 if it need not wait. */
    long lockedUntil(Memory memory, long offset, int bytes) {
        long until = words.lockedUntil(memory, offset, bytes);
        return until == 0 ? 0 : until + 1;
    }

    /**
     * Serves requests one after the other. A worker that was charged for its work posts at a future time, and other workers may post before
     * that time. So a request takes its share of the server's next free time from now on, but ends no earlier than its own time allows.
     */
    private static final class Server {
        private final LongSupplier now;
        private long freeNanos;

        Server(LongSupplier now) {
            this.now = now;
        }

        /** Returns the time when a request that comes at {@code at} and takes {@code nanos} has been served. */
        long serve(long at, long nanos) {
            freeNanos = Math.max(now.getAsLong(), freeNanos) + nanos;
            return Math.max(at + nanos, freeNanos);
        }
    }
}
