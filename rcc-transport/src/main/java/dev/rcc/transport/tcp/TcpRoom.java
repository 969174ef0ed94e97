package dev.rcc.transport.tcp;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.DefaultMaxMessagesRecvByteBufAllocator;

/** Where Netty reads to: a few bytes of its own until there is a stream, then straight into the stream's buffer. Used on its thread. */
final class TcpRoom extends DefaultMaxMessagesRecvByteBufAllocator {
    private static final int HANDSHAKE_BYTES = 256;

    private TcpStream stream;

    TcpRoom() {
        super(1);
    }

    /** From now on it is the stream's. */
    void of(TcpStream its) {
        stream = its;
    }

    // Netty asks for a handle once and keeps it for as long as there is a connection.
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
