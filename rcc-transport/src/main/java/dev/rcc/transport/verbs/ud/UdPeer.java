package dev.rcc.transport.verbs.ud;

import dev.rcc.core.memory.Memory;

/**
 * One worker of a peer, as a worker here sees it: where its packets go, the messages that wait to be sent, and both sides'
 * credits. Used on the worker here.
 *
 * <p>Flow control: a packet takes a credit until it is acknowledged. Every packet acknowledges all packets that have arrived
 * from the other side, by the highest number seen. So a lost packet returns its credit as soon as a later one arrives;
 * if the last packets are lost, a probe asks for an acknowledgement. Packets with only an acknowledgement or a probe take no
 * credit, for which both sides have spare room (see {@link UdOptions#SPARE_PACKETS}).
 */
final class UdPeer {
    private static final int WINDOW = Long.SIZE;

    private final int node;
    private final int worker;
    private final int incarnation;
    private final int queuePair;
    private final PacketPort.Destination destination;
    private final int packetBytes;
    private final int credits;
    private final int granted;
    private final short session;

    /** Whether the peer is in the channel's list of peers to send to. */
    boolean pending;

    /** Whether an acknowledgement must be sent, if need be in a packet of its own. */
    boolean acknowledgementDue;

    /** Whether the next packet must ask the peer for an acknowledgement. */
    boolean probeDue;

    /** The time since which messages wait for credit; valid only if {@link #waitsForCredit}. */
    long waitingSinceNanos;

    /** Whether messages wait for credit. */
    boolean waitsForCredit;

    private boolean closed;
    private UdMessage head;
    private UdMessage tail;
    private int sent;
    private int acknowledged;

    private int highest;
    private long window;
    private int unacknowledged;

    /** Requests with missing parts, oldest first. */
    private final UdRequest[] arriving;

    private int arrivingCount;

    /**
     * A worker of a peer.
     *
     * @param credits packets that this worker may have under way to the peer's
     * @param granted packets that the peer's worker may have under way to this one
     * @param session the number of this connection of the two nodes, the same on both; grows, and starts anew behind its greatest value
     */
    UdPeer(
            int node,
            int worker,
            int incarnation,
            int queuePair,
            PacketPort.Destination destination,
            int packetBytes,
            int credits,
            int granted,
            short session) {
        this.node = node;
        this.worker = worker;
        this.incarnation = incarnation;
        this.queuePair = queuePair;
        this.destination = destination;
        this.packetBytes = packetBytes;
        this.credits = credits;
        this.granted = granted;
        this.session = session;
        this.arriving = new UdRequest[2 * granted];
    }

    int node() {
        return node;
    }

    int worker() {
        return worker;
    }

    PacketPort.Destination destination() {
        return destination;
    }

    int packetBytes() {
        return packetBytes;
    }

    boolean isClosed() {
        return closed;
    }

    // The messages that wait to be sent.

    UdMessage head() {
        return head;
    }

    void enqueue(UdMessage message) {
        assert !message.queued : "a message was queued twice";
        message.queued = true;
        message.next = null;
        if (head == null) {
            head = message;
        } else {
            tail.next = message;
        }
        tail = message;
    }

    void dequeue() {
        UdMessage message = head;
        head = message.next;
        message.next = null;
        message.queued = false;
        message.left();
    }

    /** The peer is gone: drops the waiting messages and the requests that have arrived in part. */
    void close() {
        closed = true;
        while (head != null) {
            dequeue();
        }
        while (arrivingCount > 0) {
            arriving[--arrivingCount].forget();
            arriving[arrivingCount] = null;
        }
    }

    // Packets going out.

    boolean hasCredit() {
        return sent - acknowledged < credits;
    }

    /** Writes the header of the next packet, which acknowledges the packets that have arrived. */
    void writeHeader(Memory memory, long packet, long identity, int fragments, int bytes) {
        UdPacketLayout.putHeader(memory, packet, identity, ++sent, highest);
        UdPacketLayout.putContents(memory, packet, probeDue ? UdPacketLayout.PROBE : 0, fragments, bytes, session);
        unacknowledged = 0;
        acknowledgementDue = false;
        probeDue = false;
    }

    // Packets coming in.

    boolean isFrom(Memory memory, long packet, int sourceQueuePair) {
        return UdPacketLayout.incarnation(memory, packet) == incarnation && sourceQueuePair == queuePair;
    }

    /** Whether a packet of this peer is of a later connection, which the peer has made first. */
    boolean isOfLaterSession(Memory memory, long packet) {
        return (short) (UdPacketLayout.session(memory, packet) - session) > 0;
    }

    /**
     * Records a packet that has arrived.
     *
     * @return false if it is of an earlier connection, or has arrived before
     */
    boolean accept(Memory memory, long packet, UdCounters counters) {
        if (UdPacketLayout.session(memory, packet) != session
                || !isNew(UdPacketLayout.sequence(memory, packet), counters)) {
            return false;
        }
        acknowledge(UdPacketLayout.acknowledged(memory, packet));
        if (UdPacketLayout.fragments(memory, packet) > 0 && ++unacknowledged >= granted / 2) {
            acknowledgementDue = true;
        }
        if ((UdPacketLayout.flags(memory, packet) & UdPacketLayout.PROBE) != 0) {
            acknowledgementDue = true;
        }
        return true;
    }

    /** Whether a packet has not arrived before. Bit i of the window stands for packet {@code highest - i}; older packets count as seen. */
    private boolean isNew(int sequence, UdCounters counters) {
        int ahead = sequence - highest;
        if (ahead > 0) {
            window = ahead < WINDOW ? (window << ahead) | 1 : 1;
            highest = sequence;
            counters.packetsMissing += ahead - 1L;
            return true;
        }
        if (-ahead >= WINDOW || ahead == Integer.MIN_VALUE) {
            return false;
        }
        long bit = 1L << -ahead;
        if ((window & bit) != 0) {
            return false;
        }
        window |= bit;
        counters.packetsMissing--;
        return true;
    }

    private void acknowledge(int number) {
        if (number - acknowledged > 0 && number - sent <= 0) {
            acknowledged = number;
        }
    }

    // Requests that arrive in parts.

    /** The request that a fragment belongs to, if other fragments of it have arrived; else null. */
    UdRequest arriving(Memory memory, long fragment) {
        int slot = UdPacketLayout.slot(memory, fragment);
        for (int i = 0; i < arrivingCount; i++) {
            UdRequest request = arriving[i];
            if (request.slot() == slot) {
                if (request.generation() == UdPacketLayout.generation(memory, fragment)) {
                    return request;
                }
                remove(i); // the caller has given the request up: a part was lost, or will come too late
                request.forget();
                return null;
            }
        }
        return null;
    }

    void addArriving(UdRequest request) {
        if (arrivingCount == arriving.length) {
            UdRequest oldest = arriving[0];
            remove(0);
            oldest.forget();
        }
        arriving[arrivingCount++] = request;
    }

    void removeArriving(UdRequest request) {
        for (int i = 0; i < arrivingCount; i++) {
            if (arriving[i] == request) {
                remove(i);
                return;
            }
        }
        throw new AssertionError("not among those that arrive");
    }

    private void remove(int i) {
        arrivingCount--;
        System.arraycopy(arriving, i + 1, arriving, i, arrivingCount - i);
        arriving[arrivingCount] = null;
    }
}
