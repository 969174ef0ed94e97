package dev.rcc.transport.handshake;

/** A handshake that failed; the message is for this node's own log and is not sent. */
public final class HandshakeFailed extends Exception {
    private static final long serialVersionUID = 1L;

    /** The kind of the failure. */
    public enum Kind {
        /** The other end did not keep to the format. */
        MALFORMED,
        /** Either end could not prove its identity, or did not accept the other end's. */
        REFUSED,
        /** The handshake took too long. */
        LATE
    }

    private final Kind kind;

    HandshakeFailed(Kind kind, String message) {
        super(message, null, false, false);
        this.kind = kind;
    }

    /** The kind of the failure. */
    public Kind kind() {
        return kind;
    }
}
