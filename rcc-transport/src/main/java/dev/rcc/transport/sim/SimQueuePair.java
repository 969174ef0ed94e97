package dev.rcc.transport.sim;

import java.util.ArrayDeque;

/**
 * A worker's reliable connection to a peer. It has so many READs and atomics under way at a time: a batch that would bring more waits, as a whole, and what was posted
 * after it waits behind it. It carries out one atomic at a time.
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

    /** What a batch had under way is over. */
    void returned(SimBatch batch) {
        underWay -= batch.reads();
        sendWhatHasRoom();
    }

    /** A batch of more than there is room for goes when nothing else is under way. */
    private void sendWhatHasRoom() {
        while (!waiting.isEmpty() && (underWay == 0 || underWay + waiting.peek().reads() <= readsMax)) {
            SimBatch next = waiting.poll();
            underWay += next.reads();
            next.send();
        }
    }

    /** When the last atomic ends that it has had carried out. */
    long atomicsEnd() {
        return atomicsEnd;
    }

    void atomicEnds(long nanos) {
        atomicsEnd = nanos;
    }
}
