package dev.rcc.transport.tcp;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.DefaultMaxMessagesRecvByteBufAllocator;

/** The allocator that Netty reads with: a few bytes of its own until there is a stream, then the stream's buffer. Used on its thread. */
final class TcpRoom extends DefaultMaxMessagesRecvByteBufAllocator {
    private static final int HANDSHAKE_BYTES = 256;

    private TcpStream stream;

    TcpRoom() {
        super(1);
    }

    /** Gives Netty the stream's buffer from now on. */
    void of(TcpStream its) {
        stream = its;
    }

    // Netty asks for a handle once and keeps it as long as the connection lives.
    @Override
    public MaxMessageHandle newHandle() {
        return new MaxMessageHandle() {
            @Override
            public ByteBuf allocate(ByteBufAllocator allocator) {
                return stream == null ? allocator.ioBuffer(HANDSHAKE_BYTES) : stream.room();
            }

            @Override
            public int guess() {
                return stream == null ? HANDSHAKE_BYTES : TcpStream.READ_BYTES;
            }
        };
    }
}
