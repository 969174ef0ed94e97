package dev.rcc.protocols.locks.queue;

import dev.rcc.core.fabric.RpcRequest;
import dev.rcc.core.memory.Memory;
import dev.rcc.protocols.locks.LockMode;

/**
 * A request on its way: taken in by the worker that it has reached, handed to the one that keeps the lock's queue, perhaps waiting there, and
 * answered by the first. Of one worker at a time; the first uses it again once it is answered.
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
    /** By the clock of the keeper. */
    long deadlineNanos;
    /** How many have passed it. */
    int overtaken;

    QueueRequest(QueueServer receiver) {
        this.receiver = receiver;
    }

    /** Takes in what a call asks for. */
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

    /** Hands it to the worker that keeps the lock's queue. */
    void handTo(QueueServer newKeeper) {
        keeper = newKeeper;
        if (keeper == receiver) {
            run();
        } else {
            keeper.execute(this);
        }
    }

    /** Answers. Called on the keeper's worker. */
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

    /** What is to be done on the worker that it was handed to. */
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
