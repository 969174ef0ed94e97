package dev.rcc.core.fabric;

/** Something that a network may count at a node. */
public enum FabricCounter {
    /** Batches that the node's workers have begun. */
    BATCHES,
    /** READs in them. */
    READS,
    /** WRITEs from buffers in them. */
    WRITES,
    /** WRITEs of a single word in them. */
    WORD_WRITES,
    /** CASs in them. */
    SWAPS,
    /** FETCH_ADDs in them. */
    ADDITIONS,
    /** Calls that the node's workers have made. */
    CALLS,
    /** Calls that they were asked to serve. */
    SERVED_CALLS,
    /** Bytes that went out to peers, as far as the network can tell. */
    BYTES_SENT,
    /** Bytes that came in from peers, likewise. */
    BYTES_RECEIVED,
    /** Connections that were ended since the other end did what it must not, such as sending a malformed frame. */
    REJECTED_CONNECTIONS,
    /** Peers that were connected and then were not any more. */
    LOST_CONNECTIONS
}
