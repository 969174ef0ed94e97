package dev.rcc.transport.handshake;

/** A handshake that did not end well; the message is for this node's own log and is not sent. */
public final class HandshakeFailed extends Exception {
    private static final long serialVersionUID = 1L;

    /** What kind of failure it is. */
    public enum Kind {
        /** The other end did not keep to the form. */
        MALFORMED,
        /** Either end could not prove, or would not believe, who it is. */
        REFUSED,
        /** It took too long. */
        LATE
    }

    private final Kind kind;

    HandshakeFailed(Kind kind, String message) {
        super(message, null, false, false);
        this.kind = kind;
    }

    /** What kind of failure it is. */
    public Kind kind() {
        return kind;
    }
}
