package dev.rcc.core.worker;

import java.util.BitSet;

/**
 * The object that a coroutine waits on: a count of outstanding requests. The coroutine posts any number of batches and
 * calls, each of which adds one, and collects them all with one {@link #await}; a coroutine keeps one completion and
 * reuses it.
 *
 * <p>Everything happens on the coroutine's worker, so there are no atomics here. Nothing allocates.
 */
public final class Completion {
    /** {@link #failedPeer()} when nothing failed. */
    public static final int NO_PEER = -1;

    private final Coroutine coroutine;
    private int outstanding;
    private boolean waiting;
    private boolean doneAtOnce;
    private int failedPeer = NO_PEER;
    private int lastFailedPeer = NO_PEER;
    private BitSet failedPeers = new BitSet();
    private BitSet lastFailedPeers = new BitSet();
    private long roundTrips;
    /** Null if messages between zones are not counted. */
    private Crossings crossings;

    /** Creates the completion of {@code coroutine}; only that coroutine may await it. */
    public Completion(Coroutine coroutine) {
        this.coroutine = coroutine;
    }

    /** From now on, {@code counter} counts the messages from other zones that this completion waits for. */
    public void count(Crossings counter) {
        crossings = counter;
    }

    /** The counter of the messages between zones that this completion waits for; null if there is none. */
    public Crossings crossings() {
        return crossings;
    }

    /** Announces one more outstanding request. Called by a fabric when it takes a request. */
    public void add() {
        outstanding++;
    }

    /** One request succeeded. Called by the fabric on the coroutine's worker. */
    public void succeed() {
        finishOne();
    }

    /**
     * One request failed: {@code peer} cannot be reached, or its handler failed, which its log shows. Called by the
     * fabric on the coroutine's worker.
     */
    public void fail(int peer) {
        failedPeer = peer;
        failedPeers.set(peer);
        finishOne();
    }

    /**
     * A request is carried out within its post, and completes there, though it would take a round trip on other networks. The next {@link #await} counts
     * one. Called by the fabric on the coroutine's worker.
     */
    public void addDoneAtOnce() {
        outstanding++;
        doneAtOnce = true;
    }

    /** Requests that have not completed. */
    public int outstanding() {
        return outstanding;
    }

    /**
     * Waits until nothing is outstanding. Every request completes in the end, so this does too.
     *
     * @return true if all requests since the last await succeeded; otherwise {@link #failedPeer()} names one that failed
     */
    public boolean await() {
        if (outstanding > 0 || doneAtOnce) {
            roundTrips++;
            doneAtOnce = false;
            waiting = true;
            while (outstanding > 0) {
                coroutine.suspend();
            }
            waiting = false;
        }
        if (crossings != null) {
            crossings.awaited();
        }
        boolean succeeded = failedPeer == NO_PEER;
        if (!succeeded || lastFailedPeer != NO_PEER) {
            takeInFailures();
        }
        return succeeded;
    }

    private void takeInFailures() {
        lastFailedPeer = failedPeer;
        failedPeer = NO_PEER;
        BitSet collected = failedPeers;
        failedPeers = lastFailedPeers;
        failedPeers.clear();
        lastFailedPeers = collected;
    }

    /** The peer that could not be reached in the last {@link #await}, or {@link #NO_PEER}. */
    public int failedPeer() {
        return lastFailedPeer;
    }

    /** Whether some request to {@code peer} failed that was collected by the last {@link #await}. */
    public boolean hasFailed(int peer) {
        return lastFailedPeers.get(peer);
    }

    /** How often this completion has waited for the network, or would have on others: the sequential round trips. Never reset. */
    public long roundTrips() {
        return roundTrips;
    }

    private void finishOne() {
        assert outstanding > 0 : "a request completed twice";
        if (--outstanding == 0 && waiting) {
            coroutine.resume();
        }
    }
}
