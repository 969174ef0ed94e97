package dev.rcc.transport.verbs.ud;

import dev.rcc.core.memory.Memory;

/**
 * A worker's UD queue pair, as the protocol above it sees it: packets that may get lost. Used on its worker only.
 *
 * <p>To send, take a {@link #newPacket}, fill it, {@link #send} it; nothing leaves before {@link #flush}. To receive,
 * {@link #receive}, look at each packet, then {@link #release} them all.
 */
interface PacketPort extends AutoCloseable {
    /** No packet. */
    long NONE = -1;

    /** Where packets go; each kind of port has its own. */
    interface Destination {}

    /** Most bytes of a packet. */
    int packetBytes();

    /** The memory that packets are sent from. */
    Memory sendMemory();

    /** Where in {@link #sendMemory()} the next packet is to be written, or {@link #NONE} when all are under way. */
    long newPacket();

    /** Queues the packet that was taken last. */
    void send(Destination to, int bytes);

    /** Rings the doorbell for what is queued, if anything is. */
    void flush();

    /** Takes what has arrived, up to a bound. Returns how many packets that is. */
    int receive();

    /** The memory that packets arrive in. */
    Memory receiveMemory();

    /** Where in {@link #receiveMemory()} a packet begins. */
    long packet(int i);

    /** A packet's length in bytes. */
    int packetBytes(int i);

    /** The number of the queue pair that a packet comes from. */
    int sourceQueuePair(int i);

    /** Gives back the room of what was received. */
    void release();

    /** Asks for an event when the next packet arrives. */
    void arm();

    /** Whether the device has given up on the queue pair: nothing will arrive or leave any more. */
    boolean isBroken();

    @Override
    void close();
}
