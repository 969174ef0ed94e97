package dev.rcc.transport.verbs.disni;

import com.ibm.disni.verbs.IbvCompChannel;
import dev.rcc.transport.verbs.ibv.CompletionChannel;
import dev.rcc.transport.verbs.ibv.Errno;
import dev.rcc.transport.verbs.ibv.VerbsException;
import dev.rcc.transport.verbs.rdmacm.FileDescriptors;
import java.io.IOException;

/**
 * A completion channel. DiSNI destroys it before its completion queues, which the device refuses; so it stays until the
 * last of them is destroyed.
 */
final class CompChannel extends IbvCompChannel {
    private final CompletionChannel channel;
    private final Guard guard = new Guard("completion channel");
    private int queues;
    private boolean isDestroyed;

    CompChannel(Context context, CompletionChannel channel) throws IOException {
        super(channel.fd(), context);
        this.channel = channel;
        FileDescriptors.setNonBlocking(channel.fd());
    }

    CompletionChannel channel() {
        return channel;
    }

    Guard guard() {
        return guard;
    }

    /** A completion queue uses this channel, and keeps it alive. */
    synchronized void retain() {
        queues++;
    }

    /** A completion queue that used this channel is destroyed. */
    synchronized void release() throws IOException {
        queues--;
        destroyIfUnused();
    }

    void destroy() throws IOException {
        guard.close();
        close();
        synchronized (this) {
            isDestroyed = true;
            destroyIfUnused();
        }
    }

    private void destroyIfUnused() throws IOException {
        if (isDestroyed && queues == 0) {
            Native.run("destroy a completion channel", channel::close);
        }
    }

    /** Waits for an event, as long as one may come, and takes it. Returns whether there was one. */
    boolean await(Cq queue, int timeoutMillis) throws IOException {
        Patience patience = new Patience(timeoutMillis);
        while (true) {
            guard.enter();
            try {
                if (FileDescriptors.await(channel.fd(), patience.sliceMillis()) && take()) {
                    return true;
                }
            } finally {
                guard.exit();
            }
            if (patience.isOver(queue.hasQueuePairs())) {
                return false;
            }
        }
    }

    /** Takes an event; returns false if another thread has taken it first. */
    private boolean take() throws IOException {
        try {
            channel.next(); // also acknowledges it: a queue with unacknowledged events cannot be destroyed
            return true;
        } catch (VerbsException e) {
            if (e.errno() == Errno.EAGAIN || e.errno() == Errno.EINTR) {
                return false;
            }
            throw new IOException("cannot get a completion event: " + e.getMessage(), e);
        }
    }
}
