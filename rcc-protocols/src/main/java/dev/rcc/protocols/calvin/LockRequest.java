package dev.rcc.protocols.calvin;

/** A participation's place in the queue of one lock. */
final class LockRequest {
    final Participation participation;
    LockTable.Lock lock;
    boolean exclusive;
    boolean granted;
    LockRequest previous;
    LockRequest next;

    LockRequest(Participation participation) {
        this.participation = participation;
    }
}
