package dev.rcc.transport.verbs.ud;

/** The counters of a worker's RPC over UD. Belongs to the worker. */
final class UdCounters {
    long packetsSent;
    long packetsReceived;
    long packetsMissing;
    long packetsRepeated;
    long packetsMalformed;
    long packetsOfUnknownPeers;
    long repliesLate;
    long callsTimedOut;
    long probes;

    UdCounters() {}

    /** Packets that were sent, including acknowledgements. */
    long packetsSent() {
        return packetsSent;
    }

    /** Packets that were received and were valid. */
    long packetsReceived() {
        return packetsReceived;
    }

    /** Packets that peers have sent to this worker and that have not arrived. */
    long packetsMissing() {
        return packetsMissing;
    }

    /** Packets that arrived twice, or long after later ones, and were dropped. */
    long packetsRepeated() {
        return packetsRepeated;
    }

    /** Malformed packets and fragments, which were dropped. */
    long packetsMalformed() {
        return packetsMalformed;
    }

    /** Packets of unconnected nodes, which were dropped. */
    long packetsOfUnknownPeers() {
        return packetsOfUnknownPeers;
    }

    /** Parts of replies to calls that had ended before, which were dropped. */
    long repliesLate() {
        return repliesLate;
    }

    /** Calls that failed because no reply came in time. */
    long callsTimedOut() {
        return callsTimedOut;
    }

    /** The number of times that a peer was asked for a missing acknowledgement. */
    long probes() {
        return probes;
    }

    /** Whether packets were lost or dropped, or calls timed out. */
    boolean hasTrouble() {
        return packetsMissing + packetsRepeated + packetsMalformed + packetsOfUnknownPeers + repliesLate + callsTimedOut
                > 0;
    }

    @Override
    public String toString() {
        return packetsSent + " packets sent, " + packetsReceived + " received; dropped: " + packetsMissing
                + " missing, "
                + packetsRepeated + " repeated, " + packetsMalformed + " malformed, " + packetsOfUnknownPeers
                + " of unknown peers, " + repliesLate + " replies too late; " + callsTimedOut + " calls timed out, "
                + probes
                + " probes";
    }
}
