package dev.rcc.transport.sockets;

/** Who has a connection on a worker's {@link SocketLoop}. Called on the worker, in its turns. */
public interface SocketUser {
    /** Takes what has arrived. May have more arrive at once, which waits for the next turn. */
    void process();

    /** Writes what is to leave. */
    void flush();
}
