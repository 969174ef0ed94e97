package dev.rcc.transport.handshake;

/** The kinds of ports that peers connect to; a proof for one kind is not valid for another. */
public enum PeerPort {
    /** The control channel, over which {@code shm} and {@code verbs} also exchange the data that opens their memory. */
    CONTROL(1),
    /** Data connections of the network {@code tcp}. */
    TCP_DATA(2);

    private final byte code;

    PeerPort(int code) {
        this.code = (byte) code;
    }

    byte code() {
        return code;
    }
}
