package dev.rcc.transport.sim;

import java.util.ArrayDeque;

/**
 * A worker's reliable connection to a peer. It limits the READs and atomics under way: a batch that would exceed the limit waits as a whole, and
 * later batches wait behind it. It carries out one atomic at a time.
 */
final class SimQueuePair {
    private final int readsMax;
    private final ArrayDeque<SimBatch> waiting = new ArrayDeque<>();
    private int underWay;
    private long atomicsEnd;

    SimQueuePair(int readsMax) {
        this.readsMax = readsMax;
    }

    /** Sends a batch, now or when there is room for it. */
    void post(SimBatch batch) {
        waiting.add(batch);
        sendWhatHasRoom();
    }

    /** A sent batch is no longer under way. */
    void returned(SimBatch batch) {
        underWay -= batch.reads();
        sendWhatHasRoom();
    }

    /** Sends the waiting batches that have room. A batch that exceeds the limit by itself is sent when no other READ or atomic is under way. */
    private void sendWhatHasRoom() {
        while (!waiting.isEmpty() && (underWay == 0 || underWay + waiting.peek().reads() <= readsMax)) {
            SimBatch next = waiting.poll();
            underWay += next.reads();
            next.send();
        }
    }

    /** The time when the connection's last atomic ends. */
    long atomicsEnd() {
        return atomicsEnd;
    }

    void atomicEnds(long nanos) {
        atomicsEnd = nanos;
    }
}
