package dev.rcc.transport.verbs.disni;

import com.ibm.disni.verbs.IbvCQ;
import dev.rcc.transport.verbs.ibv.CompletionQueue;
import dev.rcc.transport.verbs.ibv.CqLayout;
import dev.rcc.transport.verbs.ibv.Raw;
import java.io.IOException;

/** A completion queue, with or without a channel. */
final class Cq extends IbvCQ {
    private final CompletionQueue queue;
    private final CompChannel compChannel;
    private final Guard guard = new Guard("completion queue");
    private int queuePairs;
    private volatile FailureListener failureListener;

    Cq(Context context, CompChannel channel, CompletionQueue queue) throws IOException {
        super(context, channel, Raw.getInt(queue.address(), CqLayout.HANDLE));
        this.queue = queue;
        this.compChannel = channel;
        this.cqe = queue.entries();
        if (channel != null) {
            channel.retain();
        }
    }

    CompletionQueue queue() {
        return queue;
    }

    Guard guard() {
        return guard;
    }

    /** The listener of failures; null if failed completions are reported as such. */
    FailureListener failureListener() {
        return failureListener;
    }

    void onFailure(FailureListener listener) {
        failureListener = listener;
    }

    /** A queue pair uses this queue, and must be destroyed first. */
    synchronized void retain() throws IOException {
        if (!guard.isOpen()) {
            throw new IOException("the completion queue is closed");
        }
        queuePairs++;
    }

    /** A queue pair that used this queue is destroyed. */
    synchronized void release() {
        queuePairs--;
    }

    synchronized boolean hasQueuePairs() {
        return queuePairs > 0;
    }

    void destroy() throws IOException {
        synchronized (this) {
            if (queuePairs > 0) {
                throw new IOException("the completion queue is used by " + queuePairs
                        + " send or receive queues, whose queue pairs must be destroyed first");
            }
            guard.close();
        }
        close();
        Native.run("destroy a completion queue", queue::close);
        if (compChannel != null) {
            compChannel.release();
        }
    }
}
