package dev.rcc.transport.sim;

import dev.rcc.core.memory.Memory;
import java.util.function.LongSupplier;

/**
 * A node's NIC: queueing servers for what its node posts, for what peers ask of it, for atomics, and for its way onto the link; and the words
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
     * A NIC that has nothing to do.
     *
     * @param now shows the virtual time
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

    /** Queues a batch of {@code requests} requests with {@code bytes} bytes of payload; returns when the first is on the link. */
    long send(long at, int requests, long bytes) {
        return send(at, requests, bytes, queuePairNanos);
    }

    /** Queues a datagram, whose one queue pair for all peers is always at hand; returns when it is on the link. */
    long sendDatagram(long at, long bytes) {
        return send(at, 1, bytes, 0);
    }

    private long send(long at, int requests, long bytes, long stateNanos) {
        long sendNanos = costs.nic().sendNanos();
        long first = sending.serve(at, requests * sendNanos + stateNanos) - (requests - 1) * sendNanos;
        return link.serve(first, costs.link().transferNanos(bytes));
    }

    /** Queues bytes that answer a READ; returns when they are on the link. */
    long answer(long at, long bytes) {
        return link.serve(at, costs.link().transferNanos(bytes));
    }

    /**
     * Queues a peer's request; returns when it takes effect.
     *
     * @param first whether it is the first one of its batch
     */
    long serve(long at, boolean first) {
        return serve(at, first ? queuePairNanos : 0);
    }

    /** Queues a datagram; returns when it has been received. */
    long serveDatagram(long at) {
        return serve(at, 0);
    }

    private long serve(long at, long stateNanos) {
        return serving.serve(at, costs.nic().serveNanos() + stateNanos);
    }

    /**
     * Queues a peer's atomic; returns when it begins, {@code nicWordNanos} before it ends.
     *
     * @param first whether it is the first one of its batch
     * @param notBefore when the atomic before it on its queue pair ends
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

    /** Until when a WRITE of these bytes must wait; 0 if it need not. */
    long lockedUntil(Memory memory, long offset, int bytes) {
        long until = words.lockedUntil(memory, offset, bytes);
        return until == 0 ? 0 : until + 1;
    }

    /**
     * Serves one after the other. A worker that has been charged for what it did posts at a time that is yet to come; others may post
     * before that. So what is posted takes its share of the server's time from now on, wherever that is free, and is served when its time has come.
     */
    private static final class Server {
        private final LongSupplier now;
        private long freeNanos;

        Server(LongSupplier now) {
            this.now = now;
        }

        /** Returns when what comes at {@code at}, and takes so long, has been served. */
        long serve(long at, long nanos) {
            freeNanos = Math.max(now.getAsLong(), freeNanos) + nanos;
            return Math.max(at + nanos, freeNanos);
        }
    }
}
