package dev.rcc.transport.verbs.ud;

import dev.rcc.core.memory.Memory;

/**
 * A worker's UD queue pair, as the protocol above it uses it: packets that may get lost. Used on its worker only.
 *
 * <p>To send, take a {@link #newPacket}, fill it, {@link #send} it; nothing leaves before {@link #flush}. To receive,
 * {@link #receive}, look at each packet, then {@link #release} them all.
 */
interface PacketPort extends AutoCloseable {
    /** No packet. */
    long NONE = -1;

    /** The destination of packets; each kind of port has its own kind of destination. */
    interface Destination {}

    /** Most bytes of a packet. */
    int packetBytes();

    /** The memory that packets are sent from. */
    Memory sendMemory();

    /** The offset in {@link #sendMemory()} to write the next packet to, or {@link #NONE} when all packets are under way. */
    long newPacket();

    /** Queues the packet that {@link #newPacket} returned last. */
    void send(Destination to, int bytes);

    /** Rings the doorbell for the queued packets, if there are any. */
    void flush();

    /** Takes the packets that have arrived, up to a bound. Returns their number. */
    int receive();

    /** The memory that packets arrive in. */
    Memory receiveMemory();

    /** The offset of a packet in {@link #receiveMemory()}. */
    long packet(int i);

    /** A packet's length in bytes. */
    int packetBytes(int i);

    /** The number of the queue pair that a packet comes from. */
    int sourceQueuePair(int i);

    /** Frees the room of the received packets. */
    void release();

    /** Asks for an event when the next packet arrives. */
    void arm();

    /** Whether the queue pair has failed: no packet will arrive or leave any more. */
    boolean isBroken();

    @Override
    void close();
}
