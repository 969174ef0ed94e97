package dev.rcc.transport;

import dev.rcc.core.worker.Completion;

/** A completion queue: a growing ring of the results that the worker's next poll delivers. Used by one worker. */
public final class PolledCompletions {
    private Completion[] completions = new Completion[64];
    private int[] failedPeers = new int[64];
    private int head;
    private int size;

    /** An empty queue. */
    public PolledCompletions() {}

    /** Adds the completion of a request that succeeded ({@code failedPeer} is {@link Completion#NO_PEER}) or failed. */
    public void add(Completion completion, int failedPeer) {
        if (size == completions.length) {
            grow();
        }
        int at = (head + size++) & (completions.length - 1);
        completions[at] = completion;
        failedPeers[at] = failedPeer;
    }

    /**
     * Delivers all results that are queued now, in order. This runs no coroutine, so no completion is added meanwhile.
     *
     * @return the number of results delivered
     */
    public int drain() {
        int count = size;
        int mask = completions.length - 1;
        for (int i = 0; i < count; i++) {
            Completion completion = completions[head];
            int failedPeer = failedPeers[head];
            completions[head] = null;
            head = (head + 1) & mask;
            if (failedPeer == Completion.NO_PEER) {
                completion.succeed();
            } else {
                completion.fail(failedPeer);
            }
        }
        size -= count;
        return count;
    }

    private void grow() {
        Completion[] longer = new Completion[size * 2];
        int[] longerPeers = new int[size * 2];
        int straight = size - head;
        System.arraycopy(completions, head, longer, 0, straight);
        System.arraycopy(completions, 0, longer, straight, head);
        System.arraycopy(failedPeers, head, longerPeers, 0, straight);
        System.arraycopy(failedPeers, 0, longerPeers, straight, head);
        completions = longer;
        failedPeers = longerPeers;
        head = 0;
    }
}
