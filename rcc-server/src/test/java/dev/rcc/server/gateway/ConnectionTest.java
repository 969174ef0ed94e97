package dev.rcc.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.rcc.client.wire.Frame;
import dev.rcc.client.wire.FrameDecoder;
import dev.rcc.client.wire.Message;
import dev.rcc.client.wire.MessageCodec;
import dev.rcc.transport.ExpectedLog;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.ReferenceCountUtil;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ConnectionTest {
    private static final long SLOW_READER_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** A peer that reads nothing: no write to it ends. */
    private static final class Unread extends ChannelOutboundHandlerAdapter {
        @Override
        public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
            ReferenceCountUtil.release(message);
        }
    }

    // Goal: a connection that the gateway ends is closed, even if its client does not read the reason.
    @Test
    void shouldCloseAConnectionWhoseClientDoesNotReadWhyItEnds() {
        try (ClientFixture fixture = new ClientFixture("nowait")) {
            EmbeddedChannel channel = new EmbeddedChannel(new Unread());
            FrameDecoder decoder = new FrameDecoder();
            Connection connection = new Connection(fixture.gateways.gateway(0), 1, decoder, channel);
            channel.pipeline().addLast(decoder, connection);
            ByteBuf noHello = Unpooled.buffer();
            MessageCodec.encode(new Frame(1, new Message.DescribeTables()), noHello);
            channel.writeInbound(noHello);

            long now = System.nanoTime();
            connection.reap(now, SLOW_READER_NANOS);
            channel.runPendingTasks();
            assertThat(channel.isOpen()).as("it has time to read").isTrue();

            connection.reap(now + SLOW_READER_NANOS + 1, SLOW_READER_NANOS);
            channel.runPendingTasks();
            assertThat(channel.isOpen()).isFalse();
        }
    }

    // Goal: a process that connects again and again does not fill the disk with the reasons why its connections end.
    @Test
    void shouldLogFewOfManyConnectionsThatSendAMalformedFrame() {
        int connections = 200;
        try (ClientFixture fixture = new ClientFixture("nowait");
                ExpectedLog log = new ExpectedLog(Connection.class.getName())) {
            log.expect(Level.INFO);
            for (int i = 0; i < connections; i++) {
                FrameDecoder decoder = new FrameDecoder();
                EmbeddedChannel channel = new EmbeddedChannel();
                channel.pipeline().addLast(decoder, new Connection(fixture.gateways.gateway(0), i, decoder, channel));
                ByteBuf noHello = Unpooled.buffer();
                MessageCodec.encode(new Frame(1, new Message.DescribeTables()), noHello);
                channel.writeInbound(noHello);
                channel.finishAndReleaseAll();
            }
            assertThat(log.messages().stream().filter(message -> message.contains("client=embedded")))
                    .isNotEmpty()
                    .hasSizeLessThan(connections);
        }
    }
}
