package dev.rcc.transport.verbs.ud;

/** What a worker's RPC over UD has counted. Belongs to the worker. */
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

    /** Packets that were sent, acknowledgements included. */
    long packetsSent() {
        return packetsSent;
    }

    /** Packets that were received and made sense. */
    long packetsReceived() {
        return packetsReceived;
    }

    /** Packets that others have sent to this worker and that have not arrived. */
    long packetsMissing() {
        return packetsMissing;
    }

    /** Packets that arrived twice, or long after later ones, and were dropped. */
    long packetsRepeated() {
        return packetsRepeated;
    }

    /** Packets that made no sense and were dropped. */
    long packetsMalformed() {
        return packetsMalformed;
    }

    /** Packets of nodes that are not connected, which were dropped. */
    long packetsOfUnknownPeers() {
        return packetsOfUnknownPeers;
    }

    /** Replies to calls that had failed before, which were dropped. */
    long repliesLate() {
        return repliesLate;
    }

    /** Calls that failed because no reply came in time. */
    long callsTimedOut() {
        return callsTimedOut;
    }

    /** How often a peer that did not acknowledge was asked to. */
    long probes() {
        return probes;
    }

    /** Whether anything went wrong. */
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
