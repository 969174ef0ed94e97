package dev.rcc.transport.local;

/**
 * Calls that one endpoint has for another, requests and replies mixed, linked so that a turn's worth crosses as one
 * element of the other's inbox. Used by the sending worker; what it holds is bounded by the calls that are outstanding.
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

    /** Appends a call and says whether the chain was empty. */
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
     * Hands the calls over, if there is room. To a stopped target they are dropped: its replies are of no use, and
     * requests to it are failed by the task that {@link LocalNetwork#stop} has sent to this worker, or is about to.
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
