package dev.rcc.transport.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.memory.Memory;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.embedded.EmbeddedChannel;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TcpStreamTest implements TcpStream.Receiver {
    private final List<String> reasons = new ArrayList<>();
    private final TcpStream stream = new TcpStream(this, new TcpTraffic());
    private final EmbeddedChannel channel = new EmbeddedChannel(stream);

    @Override
    public void arrived(TcpStream from) {}

    @Override
    public void frame(Memory in, int offset, int length) {}

    @Override
    public void ended(TcpStream from, String reason, boolean misbehaved) {
        assertThat(misbehaved).isFalse();
        reasons.add(reason);
    }

    @AfterEach
    void close() {
        channel.finishAndReleaseAll();
    }

    private void append(int word) {
        stream.out().putInt(stream.append(Memory.WORD_BYTES), word);
    }

    @Test
    void shouldSendWhatWasAppendedSinceTheLastFlush() {
        for (int word = 1; word < 4; word++) {
            append(word);
            assertThat(stream.flush()).isFalse();
            append(10 * word);
            assertThat(stream.flush()).isFalse();
            assertThat(sentWord()).isEqualTo(word);
            assertThat(stream.flush()).isFalse();
            assertThat(sentWord()).isEqualTo(10 * word);
            assertThat(stream.flush()).isTrue();
        }
    }

    private int sentWord() {
        ByteBuf sent = channel.readOutbound();
        try {
            assertThat(sent.readableBytes()).isEqualTo(Memory.WORD_BYTES);
            return sent.getIntLE(0);
        } finally {
            sent.release();
        }
    }

    @Test
    void shouldEndAConnectionWhoseFramesCannotBeSent() {
        stream.handlerAdded(failing());
        append(1);
        assertThat(stream.flush()).isTrue();
        assertThat(stream.hasEnded()).isTrue();
        assertThat(reasons).singleElement().asString().contains("could not be sent", "no memory");
        append(2);
        assertThat(stream.flush()).isTrue();
    }

    private ChannelHandlerContext failing() {
        return (ChannelHandlerContext) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {ChannelHandlerContext.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "channel" -> channel;
                    case "voidPromise" -> channel.voidPromise();
                    default -> throw new IllegalStateException("no memory");
                });
    }
}
