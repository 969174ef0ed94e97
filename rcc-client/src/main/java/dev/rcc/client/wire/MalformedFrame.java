package dev.rcc.client.wire;

import io.netty.handler.codec.DecoderException;

/** Bytes that are no frame of this protocol. Their sender cannot be understood any further: the connection is to be closed. */
public final class MalformedFrame extends DecoderException {
    private static final long serialVersionUID = 1L;

    /**
     * Refuses the bytes.
     *
     * @param message what is wrong with them, for their sender and for the log
     */
    public MalformedFrame(String message) {
        super(message);
    }
}
