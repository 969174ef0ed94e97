package dev.rcc.client.wire;

import io.netty.handler.codec.DecoderException;

/** The bytes are not a frame of this protocol. The receiver cannot read any further frame, and closes the connection. */
public final class MalformedFrame extends DecoderException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates a refusal of bytes.
     *
     * @param message the fault in the bytes, for their sender and for the log
     */
    public MalformedFrame(String message) {
        super(message);
    }
}
