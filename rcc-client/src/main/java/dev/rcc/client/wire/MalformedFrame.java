package dev.rcc.client.wire;

import io.netty.handler.codec.DecoderException;

/** Bytes that are no frame of this protocol. Whoever sent them cannot be understood any further: the connection is to be closed. */
public final class MalformedFrame extends DecoderException {
    private static final long serialVersionUID = 1L;

    /** Says what is wrong. */
    public MalformedFrame(String message) {
        super(message);
    }
}
