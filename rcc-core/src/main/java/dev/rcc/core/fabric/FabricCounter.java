package dev.rcc.core.fabric;

/** Something that a network may count at a node. */
public enum FabricCounter {
    /** Batches that the node's workers have begun. */
    BATCHES,
    /** READs in these batches. */
    READS,
    /** WRITEs from buffers in these batches. */
    WRITES,
    /** WRITEs of a single word in these batches. */
    WORD_WRITES,
    /** CASs in these batches. */
    SWAPS,
    /** FETCH_ADDs in these batches. */
    ADDITIONS,
    /** Calls that the node's workers have made. */
    CALLS,
    /** Calls that the node's workers were asked to serve. */
    SERVED_CALLS,
    /** Bytes that went out to peers, as far as the network can count them. */
    BYTES_SENT,
    /** Bytes that came in from peers, as far as the network can count them. */
    BYTES_RECEIVED,
    /** Connections that were ended because of an error of the other end, such as a malformed frame. */
    REJECTED_CONNECTIONS,
    /** Peers that were connected and then were not any more. */
    LOST_CONNECTIONS
}
