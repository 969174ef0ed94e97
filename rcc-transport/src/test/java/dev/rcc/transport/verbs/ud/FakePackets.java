package dev.rcc.transport.verbs.ud;

import dev.rcc.core.memory.Memory;
import java.lang.foreign.Arena;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Predicate;

/**
 * A network of packets that the test controls. Flushed packets are in {@link #underWay} until {@link #deliverAll}; in between the test may lose,
 * repeat, keep, reorder and spoil them. Like a device, a port drops packets for which it has no room.
 */
final class FakePackets {
    /** A packet on its way. */
    static final class Packet {
        private final Port from;
        private final Port to;
        private final byte[] bytes;

        Packet(Port from, Port to, byte[] bytes) {
            this.from = from;
            this.to = to;
            this.bytes = bytes;
        }

        Port from() {
            return from;
        }

        Port to() {
            return to;
        }

        byte[] bytes() {
            return bytes;
        }
    }

    /** The packets that are under way, in the order of sending. */
    final List<Packet> underWay = new ArrayList<>();

    private int ports;

    /** Packets that found no room where they arrived. */
    int overruns;
    /** Packets that were delivered. */
    int delivered;

    /** Delivers everything that is under way. */
    void deliverAll() {
        List<Packet> packets = List.copyOf(underWay);
        underWay.clear();
        packets.forEach(this::deliver);
    }

    /** Delivers one packet. */
    void deliver(Packet packet) {
        if (packet.to.arrived.size() == packet.to.receivePackets) {
            overruns++;
        } else {
            packet.to.arrived.add(packet);
            delivered++;
        }
    }

    /** Takes the packets that match off the network. */
    List<Packet> take(Predicate<Packet> which) {
        List<Packet> taken = underWay.stream().filter(which).toList();
        underWay.removeAll(taken);
        return taken;
    }

    Port newPort(int packetBytes, int sendPackets, int receivePackets) {
        return new Port(++ports, packetBytes, sendPackets, receivePackets);
    }

    /** One queue pair; it is its own address. */
    final class Port implements PacketPort, PacketPort.Destination {
        private static final int RECEIVES = 4;

        final int number;
        boolean broken;
        boolean closed;
        int armed;

        private final int packetBytes;
        private final int sendPackets;
        private final int receivePackets;
        private final Memory send;
        private final Memory receive;
        private final Deque<Packet> arrived = new ArrayDeque<>();
        private final List<Packet> queued = new ArrayList<>();
        private final int[] lengths = new int[RECEIVES];
        private final int[] sources = new int[RECEIVES];

        Port(int number, int packetBytes, int sendPackets, int receivePackets) {
            this.number = number;
            this.packetBytes = packetBytes;
            this.sendPackets = sendPackets;
            this.receivePackets = receivePackets;
            this.send = Memory.allocate(Arena.ofAuto(), packetBytes);
            this.receive = Memory.allocate(Arena.ofAuto(), (long) RECEIVES * packetBytes);
        }

        @Override
        public int packetBytes() {
            return packetBytes;
        }

        @Override
        public Memory sendMemory() {
            return send;
        }

        @Override
        public long newPacket() {
            return broken || queued.size() == sendPackets ? NONE : 0;
        }

        @Override
        public void send(Destination to, int bytes) {
            byte[] copy = new byte[bytes];
            send.getBytes(0, copy, 0, bytes);
            queued.add(new Packet(this, (Port) to, copy));
        }

        @Override
        public void flush() {
            underWay.addAll(queued);
            queued.clear();
        }

        @Override
        public int receive() {
            int count = Math.min(RECEIVES, arrived.size());
            for (int i = 0; i < count; i++) {
                Packet packet = arrived.remove();
                receive.putBytes((long) i * packetBytes, packet.bytes, 0, packet.bytes.length);
                lengths[i] = packet.bytes.length;
                sources[i] = packet.from.number;
            }
            return count;
        }

        @Override
        public Memory receiveMemory() {
            return receive;
        }

        @Override
        public long packet(int i) {
            return (long) i * packetBytes;
        }

        @Override
        public int packetBytes(int i) {
            return lengths[i];
        }

        @Override
        public int sourceQueuePair(int i) {
            return sources[i];
        }

        @Override
        public void release() {}

        @Override
        public void arm() {
            armed++;
        }

        @Override
        public boolean isBroken() {
            return broken;
        }

        @Override
        public void close() {
            closed = true;
        }
    }
}
