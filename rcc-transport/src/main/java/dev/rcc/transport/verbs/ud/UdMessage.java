package dev.rcc.transport.verbs.ud;

import dev.rcc.core.memory.Memory;

/** A request or a reply on its way out: it waits in the queue of its {@link UdPeer} until its bytes are in packets. */
abstract class UdMessage {
    /** The next in the queue. */
    UdMessage next;

    /** Whether it is in a queue. */
    boolean queued;

    /** The peer that it goes to. */
    UdPeer peer;

    int kind;
    int slot;
    int generation;
    int rpcId;

    /** Length in bytes. */
    int bytes;

    /** Number of its bytes that are in packets. */
    int packed;

    /** Room for the reply in bytes; 0 in a reply. */
    int replyRoom;

    /** The memory that holds its bytes. */
    abstract Memory source();

    /** The offset of its first byte in {@link #source}. */
    abstract long sourceOffset();

    /** Whether it need not be sent any more. */
    abstract boolean isAbandoned();

    /** The message has left its queue: all its bytes are in packets, or it was abandoned or dropped. */
    abstract void left();
}
