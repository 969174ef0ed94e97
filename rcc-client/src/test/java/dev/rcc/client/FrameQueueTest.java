package dev.rcc.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.rcc.client.wire.Frame;
import dev.rcc.client.wire.FrameDecoder;
import dev.rcc.client.wire.Message;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
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
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** {@link FrameQueue}: no frame is lost, no frame overtakes another, and the frames that are there leave with one flush. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class FrameQueueTest {
    private static final int THREADS = 8;
    private static final int FRAMES = 5_000;
    /** One of so many frames of a thread is flushed. */
    private static final int FLUSHED = 3;

    /** Counts the flushes that reach a connection. */
    private static final class Flushes extends ChannelOutboundHandlerAdapter {
        private final AtomicInteger count = new AtomicInteger();

        @Override
        public void flush(ChannelHandlerContext context) {
            count.incrementAndGet();
            context.flush();
        }
    }

    private final Flushes flushes = new Flushes();

    private static Frame frame(int request) {
        return new Frame(request, new Message.Abort(request));
    }

    private static List<Integer> written(EmbeddedChannel channel) {
        EmbeddedChannel reader = new EmbeddedChannel(new FrameDecoder());
        ByteBuf all = Unpooled.buffer();
        for (ByteBuf run = channel.readOutbound(); run != null; run = channel.readOutbound()) {
            all.writeBytes(run);
            run.release();
        }
        reader.writeInbound(all);
        List<Integer> requests = new ArrayList<>();
        for (Frame frame = reader.readInbound(); frame != null; frame = reader.readInbound()) {
            requests.add(frame.request());
        }
        return requests;
    }

    @Test
    void shouldWriteAllThatIsThereWithOneFlush() {
        EmbeddedChannel channel = new EmbeddedChannel(flushes);
        FrameQueue queue = new FrameQueue(channel);
        queue.add(frame(1), false);
        channel.runPendingTasks();
        assertThat(written(channel)).as("without a flush").isEmpty();
        queue.add(frame(2), true);
        queue.add(frame(3), true);
        queue.add(frame(4), false);
        channel.runPendingTasks();
        assertThat(channel.outboundMessages()).as("runs of bytes").hasSize(1);
        assertThat(written(channel)).containsExactly(1, 2, 3, 4);
        assertThat(flushes.count).hasValue(1);
        queue.add(frame(5), true);
        channel.runPendingTasks();
        assertThat(written(channel)).containsExactly(5);
        assertThat(flushes.count).hasValue(2);
    }

    // Goal: a frame that is added while the event loop writes is written, however the two meet. Method:
    // threads that add as fast as they can, each of them ending with a flush.
    @Test
    void shouldLoseNothingThatManyThreadsAdd() throws InterruptedException {
        List<List<Integer>> arrived = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            arrived.add(Collections.synchronizedList(new ArrayList<>()));
        }
        CountDownLatch left = new CountDownLatch(THREADS * FRAMES);
        EventLoopGroup group = new MultiThreadIoEventLoopGroup(2, LocalIoHandler.newFactory());
        try {
            Channel server = listen(group, arrived, left);
            Channel client = new Bootstrap()
                    .group(group)
                    .channel(LocalChannel.class)
                    .handler(flushes)
                    .connect(server.localAddress())
                    .sync()
                    .channel();
            FrameQueue queue = new FrameQueue(client);
            for (int thread = 0; thread < THREADS; thread++) {
                int from = thread * FRAMES;
                Thread.ofVirtual().start(() -> {
                    for (int i = 0; i < FRAMES; i++) {
                        queue.add(frame(from + i), i % FLUSHED == 0 || i == FRAMES - 1);
                    }
                });
            }
            assertThat(left.await(30, TimeUnit.SECONDS))
                    .as("all of them arrive")
                    .isTrue();
        } finally {
            group.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
        }
        for (int thread = 0; thread < THREADS; thread++) {
            assertThat(arrived.get(thread))
                    .as("frames of one thread")
                    .hasSize(FRAMES)
                    .isSorted();
        }
        assertThat(flushes.count.get()).as("flushes").isLessThan(THREADS * FRAMES / FLUSHED);
    }

    private static Channel listen(EventLoopGroup group, List<List<Integer>> arrived, CountDownLatch left)
            throws InterruptedException {
        return new ServerBootstrap()
                .group(group)
                .channel(LocalServerChannel.class)
                .childHandler(new ChannelInitializer<LocalChannel>() {
                    @Override
                    protected void initChannel(LocalChannel channel) {
                        channel.pipeline().addLast(new FrameDecoder(), new SimpleChannelInboundHandler<Frame>() {
                            @Override
                            protected void channelRead0(ChannelHandlerContext context, Frame frame) {
                                arrived.get(frame.request() / FRAMES).add(frame.request());
                                left.countDown();
                            }
                        });
                    }
                })
                .bind(LocalAddress.ANY)
                .sync()
                .channel();
    }

    /** Has no memory. */
    private static final class Exhausted extends AbstractByteBufAllocator {
        @Override
        protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
            throw new OutOfMemoryError("none is left");
        }

        @Override
        protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
            throw new OutOfMemoryError("none is left");
        }

        @Override
        public boolean isDirectBufferPooled() {
            return false;
        }
    }

    @Test
    void shouldReportAFailedWriteToTheConnection() {
        List<Throwable> told = new ArrayList<>();
        EmbeddedChannel channel = new EmbeddedChannel(new ChannelInboundHandlerAdapter() {
            @Override
            public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
                told.add(cause);
            }
        });
        FrameQueue queue = new FrameQueue(channel);
        channel.config().setAllocator(new Exhausted());
        queue.add(frame(1), true);
        channel.runPendingTasks();
        assertThat(told).hasSize(1).first().isInstanceOf(OutOfMemoryError.class);
        assertThat(channel.outboundMessages()).isEmpty();
    }

    @Test
    void shouldIgnoreAFrameAddedAfterTheEventLoopHasEnded() throws InterruptedException {
        EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, LocalIoHandler.newFactory());
        Channel channel = new LocalChannel();
        group.register(channel).sync();
        channel.close().sync();
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
        FrameQueue queue = new FrameQueue(channel);
        assertThatCode(() -> queue.add(frame(1), true)).doesNotThrowAnyException();
    }
}
