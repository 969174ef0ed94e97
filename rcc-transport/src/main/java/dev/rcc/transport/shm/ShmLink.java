package dev.rcc.transport.shm;

/**
 * A worker's end of a link to a peer's worker: a ring to write to, one to read from, and the messages that wait for room. Belongs
 * to the worker; but for a peer that has gone, which others tell by {@link ShmConnection#isDown}.
 */
final class ShmLink {
    /** More requests than this, kept by handlers, only a peer can have sent that is out of its mind. */
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

    /** Whether nothing is to be read or written any more. */
    boolean isClosed() {
        return closed || connection.isDown();
    }

    /** Sends a message, or has it wait for room; and says whether the link was clean. */
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

    /** Writes what waits, as far as there is room, and publishes; says whether there was anything to publish. */
    boolean flush() {
        while (waitingHead != null) {
            ShmMessage message = waitingHead;
            ShmMessage after = message.next; // written, it may be reused
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

    /** Wakes the worker at the other end if it sleeps. What it is to find was published, and fenced fully, before. */
    void ring() {
        connection.doorbell().ringIfAsleep(peerWorker);
    }

    /** A request has come. */
    void serving() {
        if (++serving > MAX_SERVING) {
            throw new CorruptRing("more than " + MAX_SERVING + " requests without a reply");
        }
    }

    /** A request was replied to. */
    void served() {
        serving--;
    }

    /** The peer has gone: drops what waits. */
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
