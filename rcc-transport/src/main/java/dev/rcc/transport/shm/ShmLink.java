package dev.rcc.transport.shm;

/**
 * A worker's end of a link to a peer's worker: a ring to write to, a ring to read from, and the messages that wait for room. Belongs
 * to the worker; other threads only mark its connection as {@linkplain ShmConnection#isDown down} when the peer has gone.
 */
final class ShmLink {
    /** The most requests whose replies are not in the ring yet; only a faulty peer sends more, or sends more without reading the replies. */
    private static final int MAX_SERVING = 1 << 16;

    private final ShmConnection connection;
    private final int peerWorker;
    private final ShmRingWriter writer;
    private final ShmRingReader reader;
    private ShmMessage waitingHead;
    private ShmMessage waitingTail;
    private int serving;
    private boolean dirty;
    private boolean closed;

    ShmLink(ShmConnection connection, int peerWorker, ShmRingWriter writer, ShmRingReader reader) {
        this.connection = connection;
        this.peerWorker = peerWorker;
        this.writer = writer;
        this.reader = reader;
    }

    ShmConnection connection() {
        return connection;
    }

    int peer() {
        return connection.peer();
    }

    ShmRingWriter writer() {
        return writer;
    }

    ShmRingReader reader() {
        return reader;
    }

    /** Whether the link must no longer be read or written. */
    boolean isClosed() {
        return closed || connection.isDown();
    }

    /** Sends a message, or has it wait for room; returns whether the link had nothing to publish before. */
    boolean send(ShmMessage message) {
        if (waitingHead != null) {
            waitingTail.next = message;
            waitingTail = message;
        } else if (!message.write(writer)) {
            waitingHead = message;
            waitingTail = message;
        }
        boolean wasClean = !dirty;
        dirty = true;
        return wasClean;
    }

    /** Writes the waiting messages that have room, and publishes; returns whether there was anything to publish. */
    boolean flush() {
        while (waitingHead != null) {
            ShmMessage message = waitingHead;
            ShmMessage after = message.next; // read first: a written message may be reused
            if (!message.write(writer)) {
                break;
            }
            message.next = null;
            waitingHead = after;
        }
        dirty = waitingHead != null;
        return writer.publish();
    }

    /** Whether messages wait for room. */
    boolean isWaiting() {
        return dirty;
    }

    /** Wakes the worker at the other end if it sleeps. The caller has published its messages, then made a full fence. */
    void ring() {
        connection.doorbell().ringIfAsleep(peerWorker);
    }

    /** A request has come. */
    void serving() {
        if (++serving > MAX_SERVING) {
            throw new CorruptRing("more than " + MAX_SERVING + " requests without a reply");
        }
    }

    /** The reply to a request is in the ring, or was dropped. */
    void served() {
        serving--;
    }

    /** The peer has gone: drops the waiting messages. */
    void close() {
        closed = true;
        ShmMessage message = waitingHead;
        waitingHead = null;
        while (message != null) {
            ShmMessage after = message.next;
            message.next = null;
            message.drop();
            message = after;
        }
    }
}
