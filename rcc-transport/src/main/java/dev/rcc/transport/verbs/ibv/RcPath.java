package dev.rcc.transport.verbs.ibv;

/**
 * What a reliable connection's queue pair has to know of the other end and of the way there.
 *
 * @param port the way from port to port
 * @param mtuBytes payload of a packet: 256, 512, 1024, 2048 or 4096, at most what both ports have active
 * @param remoteQueuePair number of the other's queue pair
 * @param remotePsn the packet sequence number that it starts with
 * @param readAtomicMax READs and atomics that may be in progress, either way
 */
public record RcPath(PortPath port, int mtuBytes, int remoteQueuePair, int remotePsn, int readAtomicMax) {}
