package dev.rcc.protocols.locks.queue;

import dev.rcc.core.fabric.RpcRequest;
import dev.rcc.core.memory.Memory;
import dev.rcc.protocols.locks.LockMode;

/**
 * A request on its way: one worker receives it and hands it to the worker that keeps the lock's queue, where it may wait; the receiver
 * replies. It belongs to one worker at a time; the receiver reuses it after the reply.
 */
final class QueueRequest implements Runnable {
    private final QueueServer receiver;
    private RpcRequest call;
    private QueueServer keeper;
    private boolean isAnswered;
    private boolean isGranted;
    private long number;

    int what;
    long address;
    LockMode mode;
    long patienceNanos;
    long epoch;
    /** The end of the wait, by the clock of the keeper. */
    long deadlineNanos;
    /** The number of requests that have passed it. */
    int overtaken;

    QueueRequest(QueueServer receiver) {
        this.receiver = receiver;
    }

    /** Reads the request of a call. */
    void takeIn(RpcRequest newCall) {
        call = newCall;
        Memory from = call.payload();
        long offset = call.payloadOffset();
        what = (int) from.getLong(offset + QueueMessage.WHAT);
        address = from.getLong(offset + QueueMessage.ADDRESS);
        mode = LockMode.ofCode((int) from.getLong(offset + QueueMessage.MODE));
        patienceNanos = from.getLong(offset + QueueMessage.PATIENCE);
        epoch = from.getLong(offset + QueueMessage.EPOCH);
        overtaken = 0;
        isAnswered = false;
    }

    /** Hands the request to the worker that keeps the lock's queue. */
    void handTo(QueueServer newKeeper) {
        keeper = newKeeper;
        if (keeper == receiver) {
            run();
        } else {
            keeper.execute(this);
        }
    }

    /** Answers the request. Called on the keeper's worker. */
    void answer(boolean granted, long newNumber) {
        isAnswered = true;
        isGranted = granted;
        number = newNumber;
        if (keeper == receiver) {
            run();
        } else {
            receiver.execute(this);
        }
    }

    /** Serves the request on the keeper's worker; once it is answered, replies on the receiver's. */
    @Override
    public void run() {
        if (isAnswered) {
            reply();
            receiver.giveBack(this);
        } else {
            keeper.serve(this);
        }
    }

    private void reply() {
        call.response().putLong(call.responseOffset() + QueueMessage.GRANTED, isGranted ? 1 : 0);
        call.response().putLong(call.responseOffset() + QueueMessage.NUMBER, number);
        call.reply(QueueMessage.REPLY_BYTES);
        call = null;
    }
}
