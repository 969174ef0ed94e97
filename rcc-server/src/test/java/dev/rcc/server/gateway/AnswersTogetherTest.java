package dev.rcc.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.client.wire.Frame;
import dev.rcc.client.wire.Message;
import dev.rcc.client.wire.MessageCodec;
import dev.rcc.client.wire.Wire;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.local.LocalAddress;
import io.netty.channel.local.LocalChannel;
import io.netty.channel.local.LocalIoHandler;
import io.netty.channel.local.LocalServerChannel;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Answers that are there at the same time leave a gateway together. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class AnswersTogetherTest {
    /** Counts the flushes that reach a connection. */
    @ChannelHandler.Sharable
    private static final class Flushes extends ChannelOutboundHandlerAdapter {
        private final AtomicInteger count = new AtomicInteger();

        @Override
        public void flush(ChannelHandlerContext context) {
            count.incrementAndGet();
            context.flush();
        }
    }

    /** Bytes of an answer to a commit. */
    private static final int COMMITTED_BYTES = Wire.HEADER_BYTES + Long.BYTES;

    private final ClientFixture fixture = new ClientFixture("nowait");
    private final Flushes flushes = new Flushes();
    private final EmbeddedChannel channel = new EmbeddedChannel(flushes);

    @AfterEach
    void close() {
        channel.finishAndReleaseAll();
        fixture.closeAndInspect();
    }

    private void connect() {
        fixture.gateways.gateway(0).accept(channel);
        say(new Message.Hello(1, Wire.VERSION, "", "test"));
        assertThat(answers()).as("welcome and placement").isEqualTo(2);
        flushes.count.set(0);
    }

    private void say(Message... messages) {
        ByteBuf bytes = Unpooled.buffer();
        for (Message message : messages) {
            MessageCodec.encode(new Frame(1, message), bytes);
        }
        channel.writeInbound(bytes);
    }

    private int answers() {
        int count = 0;
        for (ByteBuf answer = channel.readOutbound(); answer != null; answer = channel.readOutbound()) {
            answer.release();
            count++;
        }
        return count;
    }

    @Test
    void shouldAnswerWhatWasReadTogetherWithOneFlush() {
        connect();
        say(new Message.DescribeTables(), new Message.DescribeTables(), new Message.DescribeTables());
        assertThat(answers()).isEqualTo(3);
        assertThat(flushes.count).hasValue(1);
    }

    // Method: the event loop is held up while answers come from another thread, as from a worker.
    @Test
    void shouldSendWhatWorkersHaveAnsweredMeanwhileWithOneFlush() throws InterruptedException {
        EventLoopGroup group = new MultiThreadIoEventLoopGroup(2, LocalIoHandler.newFactory());
        CountDownLatch bytes = new CountDownLatch(3 * COMMITTED_BYTES);
        CountDownLatch held = new CountDownLatch(1);
        CompletableFuture<Connection> accepted = new CompletableFuture<>();
        try {
            Channel server = new ServerBootstrap()
                    .group(group)
                    .channel(LocalServerChannel.class)
                    .childHandler(new ChannelInitializer<LocalChannel>() {
                        @Override
                        protected void initChannel(LocalChannel connection) {
                            connection.pipeline().addLast(flushes);
                            fixture.gateways.gateway(0).accept(connection);
                            connection.pipeline().addLast(new ChannelInboundHandlerAdapter() {
                                @Override
                                public void channelActive(ChannelHandlerContext context) {
                                    accepted.complete(context.pipeline().get(Connection.class));
                                    await(held);
                                }
                            });
                        }
                    })
                    .bind(LocalAddress.ANY)
                    .sync()
                    .channel();
            new Bootstrap()
                    .group(group)
                    .channel(LocalChannel.class)
                    .handler(new SimpleChannelInboundHandler<ByteBuf>() {
                        @Override
                        protected void channelRead0(ChannelHandlerContext context, ByteBuf answer) {
                            for (int i = answer.readableBytes(); i > 0; i--) {
                                bytes.countDown();
                            }
                        }
                    })
                    .connect(server.localAddress())
                    .syncUninterruptibly();
            Connection connection = accepted.orTimeout(20, TimeUnit.SECONDS).join();
            for (int request = 1; request <= 3; request++) {
                connection.answer(request, new Message.Committed(request), true);
            }
            held.countDown();
            assertThat(bytes.await(20, TimeUnit.SECONDS)).isTrue();
        } finally {
            group.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
        }
        assertThat(flushes.count).hasValue(1);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
