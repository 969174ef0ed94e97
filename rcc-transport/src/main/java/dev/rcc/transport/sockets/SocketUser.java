package dev.rcc.transport.sockets;

/** The user of a connection on a worker's {@link SocketLoop}. Called on the worker, in its turns. */
public interface SocketUser {
    /** Takes the input that has arrived. May cause more input to arrive at once, which waits for the next turn. */
    void process();

    /** Writes the pending output. */
    void flush();
}
