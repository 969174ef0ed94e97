package dev.rcc.client.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.util.List;

/**
 * Cuts a connection's bytes into frames. The length limit is {@link Wire#HELLO_LENGTH_MAX} until {@link #limit} sets another limit,
 * so that an unauthenticated peer cannot make this side buffer much. A longer frame is refused as soon as its length has arrived. After a
 * malformed frame, the decoder reads no more frames.
 */
public final class FrameDecoder extends ByteToMessageDecoder {
    private int lengthMax = Wire.HELLO_LENGTH_MAX;
    private boolean broken;
    private boolean held;

    /** Creates a decoder that accepts short frames only, until {@link #limit} is called. */
    public FrameDecoder() {}

    /**
     * Sets the largest length of the frames to come. Called on the channel's event loop.
     *
     * @param newLengthMax {@link Wire#HELLO_LENGTH_MAX} to {@link Wire#LENGTH_MAX}
     * @throws IllegalArgumentException when the length is out of this range
     */
    public void limit(int newLengthMax) {
        if (newLengthMax < Wire.HELLO_LENGTH_MAX || newLengthMax > Wire.LENGTH_MAX) {
            throw new IllegalArgumentException("a frame's length is limited to " + Wire.HELLO_LENGTH_MAX + " to "
                    + Wire.LENGTH_MAX + ", got " + newLengthMax);
        }
        lengthMax = newLengthMax;
    }

    /** Cuts no frame until {@link #goOn}, not even from bytes that have arrived. Called on the channel's event loop. */
    public void hold() {
        held = true;
    }

    /**
     * Goes on after {@link #hold}, with the bytes that have arrived. Called on the channel's event loop, which may have changed since {@link #hold}.
     *
     * @param context the decoder's context
     */
    public void goOn(ChannelHandlerContext context) {
        held = false;
        try {
            channelRead(context, Unpooled.EMPTY_BUFFER);
        } catch (Exception e) {
            context.fireExceptionCaught(e);
        }
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
        if (held) {
            return;
        }
        if (broken) {
            in.skipBytes(in.readableBytes());
        } else if (in.readableBytes() >= Wire.LENGTH_BYTES) {
            broken = true; // unless the frame is decoded well
            decode(in, out);
            broken = false;
        }
    }

    private void decode(ByteBuf in, List<Object> out) {
        int length = in.getInt(in.readerIndex());
        if (length < Wire.MIN_LENGTH || length > lengthMax) {
            throw new MalformedFrame("a frame's length is " + Wire.MIN_LENGTH + " to " + lengthMax + ", got "
                    + Integer.toUnsignedString(length));
        }
        if (in.readableBytes() >= Wire.LENGTH_BYTES + length) {
            in.skipBytes(Wire.LENGTH_BYTES);
            out.add(MessageCodec.decode(in.readSlice(length)));
        }
    }
}
