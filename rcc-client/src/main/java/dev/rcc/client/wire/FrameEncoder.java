package dev.rcc.client.wire;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.MessageToByteEncoder;

/** Writes frames to a connection. */
public final class FrameEncoder extends MessageToByteEncoder<Frame> {
    /** Creates the encoder of a connection. */
    public FrameEncoder() {
        super(Frame.class);
    }

    @Override
    protected void encode(ChannelHandlerContext context, Frame frame, ByteBuf out) {
        MessageCodec.encode(frame, out);
    }
}
