package dev.rcc.transport.shm;

/** A message that is written to a ring, and can wait for room there. Belongs to its worker. */
abstract class ShmMessage {
    /** Links the messages that wait for room. */
    ShmMessage next;

    /** Writes the message and returns true, after which it may be reused; returns false if there is no room. */
    abstract boolean write(ShmRingWriter ring);

    /** Drops the message without sending it, since its peer has gone. */
    abstract void drop();
}
