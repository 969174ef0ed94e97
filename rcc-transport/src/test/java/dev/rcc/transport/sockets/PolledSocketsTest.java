package dev.rcc.transport.sockets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.worker.EventLoop;
import dev.rcc.core.worker.Parker;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A worker without a network of sockets serves sockets. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
@SuppressWarnings("FutureReturnValueIgnored") // the test waits for the answers to its writes
class PolledSocketsTest {
    /** Sends back the bytes that arrive, and reports its thread. */
    private static final class Echo extends SimpleChannelInboundHandler<ByteBuf> implements SocketUser {
        private final BlockingQueue<Thread> threads = new LinkedBlockingQueue<>();
        private final SocketLoop sockets;
        private Channel channel;
        private ByteBuf arrived;

        Echo(SocketLoop sockets) {
            this.sockets = sockets;
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, ByteBuf bytes) {
            channel = context.channel();
            arrived = bytes.retain();
            sockets.toProcess(this);
        }

        @Override
        public void process() {
            threads.add(Thread.currentThread());
            sockets.toFlush(this);
        }

        @Override
        public void flush() {
            channel.writeAndFlush(arrived, channel.voidPromise());
        }
    }

    private final EventLoop worker = new EventLoop(0, 0, 1);
    private final SocketTransport transport = SocketTransport.AUTO.resolve();
    private final EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, transport.handlers());
    private final BlockingQueue<Channel> accepted = new LinkedBlockingQueue<>();
    private final SocketLoop sockets = SocketParker.of(worker);
    private final Echo echo = new Echo(sockets);
    private Channel listening;

    @BeforeEach
    void listen() {
        worker.start();
        listening = new ServerBootstrap()
                .group(group)
                .channelFactory(transport::newServerSocket)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.config().setAutoRead(false);
                        channel.pipeline().addLast(echo);
                        accepted.add(channel);
                    }
                })
                .bind(InetAddress.getLoopbackAddress(), 0)
                .syncUninterruptibly()
                .channel();
    }

    @AfterEach
    void close() {
        worker.close();
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }

    private Socket connect() throws IOException {
        Socket client = new Socket();
        client.connect(listening.localAddress());
        client.setSoTimeout(20_000);
        return client;
    }

    @SuppressWarnings("deprecation")
    private Channel move() throws Exception {
        Channel channel = accepted.take();
        channel.deregister().sync();
        CompletableFuture<Future<?>> registered = new CompletableFuture<>();
        worker.execute(() -> registered.complete(sockets.register(channel)));
        registered.get().sync();
        channel.config().setAutoRead(true);
        return channel;
    }

    @Test
    void shouldServeASocketOnTheWorker() throws Exception {
        try (Socket client = connect()) {
            move();
            for (int i = 0; i < 100; i++) {
                client.getOutputStream().write(i);
                assertThat(client.getInputStream().read()).isEqualTo(i);
                assertThat(echo.threads.take().getName()).isEqualTo("rcc-node0-worker0");
                if (i % 10 == 0) {
                    Thread.sleep(5); // the worker falls asleep
                }
            }
        }
    }

    @Test
    void shouldGiveAWorkerOneLoop() {
        assertThat(SocketParker.of(worker)).isSameAs(sockets);
    }

    @Test
    void shouldCountConnectionsThatAreOpen() throws Exception {
        assertThat(isIdle()).isTrue();
        Socket client = connect();
        Channel channel = move();
        assertThat(isIdle()).isFalse();
        client.close();
        channel.closeFuture().sync();
        while (!isIdle()) {
            Thread.sleep(1); // it counts until its handlers know of its end
        }
    }

    // Goal: what belongs to a client's connection is freed at its end, even if the worker never sleeps.
    @Test
    void shouldTellTheHandlersThatTheLastConnectionHasEndedWhileTheWorkerIsBusy() throws Exception {
        try (Socket _ = connect()) {
            CompletableFuture<Void> told = new CompletableFuture<>();
            Channel channel = move();
            channel.pipeline().addLast(new ChannelInboundHandlerAdapter() {
                @Override
                public void channelInactive(ChannelHandlerContext context) {
                    told.complete(null);
                }
            });
            worker.addPoller(() -> 1);
            worker.execute(channel::close);
            assertThat(told).succeedsWithin(Duration.ofSeconds(20));
            assertThat(isIdle()).isTrue();
        }
    }

    private boolean isIdle() throws Exception {
        CompletableFuture<Boolean> idle = new CompletableFuture<>();
        worker.execute(() -> idle.complete(sockets.isIdle()));
        return idle.get();
    }

    // Goal: clients of a machine with few processors get them.
    @Test
    void shouldNotSpinWhileItHasClientsAndProcessorsAreScarce() throws Exception {
        assertThat(spinsFirst(true)).isTrue();
        try (Socket _ = connect()) {
            move();
            assertThat(spinsFirst(true)).isFalse();
            assertThat(spinsFirst(false)).isTrue();
        }
    }

    private boolean spinsFirst(boolean areProcessorsScarce) throws Exception {
        Parker parker = worker.parker(() -> {
            throw new AssertionError("the worker has a parker");
        });
        CompletableFuture<Boolean> spins = new CompletableFuture<>();
        worker.execute(() -> spins.complete(parker.spinsFirst(areProcessorsScarce)));
        return spins.get();
    }

    @Test
    void shouldCloseItsSocketsWhenTheWorkerEnds() throws Exception {
        try (Socket client = connect()) {
            move();
            worker.close();
            assertThat(client.getInputStream().read()).isEqualTo(-1);
            assertThat(sockets.hasEnded()).isTrue();
        }
    }

    @Test
    @SuppressWarnings("deprecation")
    void shouldRefuseASocketWhenTheWorkerHasEnded() throws Exception {
        try (Socket client = connect()) {
            Channel channel = accepted.take();
            channel.deregister().sync();
            worker.close();
            assertThat(sockets.register(channel).await().isSuccess()).isFalse();
            assertThat(client.getInputStream().read()).isEqualTo(-1);
        }
    }
}
