package dev.rcc.transport.shm;

/** Something that goes into a ring, and can wait for room there. Belongs to its worker. */
abstract class ShmMessage {
    /** Links the messages that wait for room. */
    ShmMessage next;

    /** Writes itself, or says that there is no room; afterwards it may be reused. */
    abstract boolean write(ShmRingWriter ring);

    /** Is not sent any more, since its peer has gone. */
    abstract void drop();
}
