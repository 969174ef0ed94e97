package dev.rcc.transport.local;

/**
 * Calls from one endpoint to another, requests and replies mixed, linked so that the calls of a turn travel as one
 * element of the target's inbox. Used by the sending worker; bounded by the number of outstanding calls.
 */
final class LocalChain {
    private final LocalEndpoint target;
    private LocalCall head;
    private LocalCall tail;

    LocalChain(LocalEndpoint target) {
        this.target = target;
    }

    LocalEndpoint target() {
        return target;
    }

    /** Appends a call and returns whether the chain was empty. */
    boolean append(LocalCall call) {
        assert call.next == null;
        boolean wasEmpty = head == null;
        if (wasEmpty) {
            head = call;
        } else {
            tail.next = call;
        }
        tail = call;
        return wasEmpty;
    }

    /**
     * Hands the calls over, if there is room. Calls to a stopped target are dropped: it needs no replies, and a task that
     * {@link LocalNetwork#stop} has sent to this worker, or is about to send, fails the requests to it.
     *
     * @return false when the target's inbox is full and the calls are kept
     */
    boolean handOver() {
        LocalEndpoint to = target;
        if (!to.fabric().isStopped() && !to.receive(head)) {
            return false;
        }
        head = null;
        tail = null;
        return true;
    }
}
