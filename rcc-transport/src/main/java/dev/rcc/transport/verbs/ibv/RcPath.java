package dev.rcc.transport.verbs.ibv;

/**
 * The data that a reliable connection's queue pair needs about the remote end and the path to it.
 *
 * @param port the path from port to port
 * @param mtuBytes payload of a packet: 256, 512, 1024, 2048 or 4096, at most the active MTU of both ports
 * @param remoteQueuePair number of the remote queue pair
 * @param remotePsn the packet sequence number that the remote queue pair starts with
 * @param readAtomicMax READs and atomics that may be in progress, either way
 */
public record RcPath(PortPath port, int mtuBytes, int remoteQueuePair, int remotePsn, int readAtomicMax) {}
