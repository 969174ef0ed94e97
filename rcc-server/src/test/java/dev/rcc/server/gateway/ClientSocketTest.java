package dev.rcc.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.client.wire.Frame;
import dev.rcc.client.wire.FrameDecoder;
import dev.rcc.client.wire.Message;
import dev.rcc.client.wire.MessageCodec;
import dev.rcc.client.wire.Wire;
import dev.rcc.core.worker.EventLoop;
import dev.rcc.transport.sockets.SocketParker;
import dev.rcc.transport.sockets.SocketTransport;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A client's socket moves to a worker, which reads and writes it in its turns. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ClientSocketTest {
    private static final String WORKER = "rcc-node0-worker0";
    /** Bytes of an answer to a commit. */
    private static final int COMMITTED_BYTES = Wire.HEADER_BYTES + Long.BYTES;

    private record Taken(int request, String thread) {}

    /** Moves with the first frame. */
    private final class Moving extends SimpleChannelInboundHandler<Frame> implements ClientSocket.Owner {
        private final ClientSocket socket;

        Moving(Channel channel, FrameDecoder decoder) {
            socket = new ClientSocket(channel, decoder, this);
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, Frame frame) {
            socket.arrive(frame);
        }

        @Override
        public void take(Frame frame) {
            if (frame.request() == FAILING) {
                throw new IllegalStateException("failing");
            }
            taken.add(new Taken(frame.request(), Thread.currentThread().getName()));
            if (frame.request() == 1) {
                socket.moveTo(worker);
                socket.execute(
                        () -> taken.add(new Taken(TASK, Thread.currentThread().getName())));
            }
        }

        @Override
        public void failed(RuntimeException why) {
            taken.add(new Taken(FAILING, why.getMessage()));
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            socket.closed();
            taken.add(new Taken(CLOSED, Thread.currentThread().getName()));
        }

        @Override
        public void writable() {}

        @Override
        public void lost() {
            taken.add(new Taken(LOST, ""));
        }
    }

    private static final int TASK = 100;
    private static final int FAILING = 101;
    private static final int CLOSED = 102;
    private static final int LOST = 103;

    private final EventLoop worker = new EventLoop(0, 0, 1);
    private final SocketTransport transport = SocketParker.of(worker).transport();
    private final EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, transport.handlers());
    private final AtomicInteger flushes = new AtomicInteger();
    private final BlockingQueue<Moving> accepted = new LinkedBlockingQueue<>();
    private final BlockingQueue<Taken> taken = new LinkedBlockingQueue<>();
    private Socket client;
    private Moving served;

    @BeforeEach
    void connect() throws Exception {
        worker.start();
        Channel listening = new ServerBootstrap()
                .group(group)
                .channelFactory(transport::newServerSocket)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        accept(channel);
                    }
                })
                .bind(InetAddress.getLoopbackAddress(), 0)
                .syncUninterruptibly()
                .channel();
        client = new Socket();
        client.connect(listening.localAddress());
        client.setSoTimeout(20_000);
        served = accepted.take();
    }

    private void accept(Channel channel) {
        FrameDecoder decoder = new FrameDecoder();
        Moving moving = new Moving(channel, decoder);
        channel.pipeline()
                .addLast(
                        new ChannelOutboundHandlerAdapter() {
                            @Override
                            public void flush(ChannelHandlerContext context) {
                                flushes.incrementAndGet();
                                context.flush();
                            }
                        },
                        decoder,
                        moving);
        accepted.add(moving);
    }

    @AfterEach
    void close() throws IOException {
        client.close();
        worker.close();
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }

    /** Sends requests with these numbers, in one piece. */
    private void say(int... requests) throws IOException {
        ByteBuf bytes = Unpooled.buffer();
        for (int request : requests) {
            MessageCodec.encode(new Frame(request, new Message.DescribeTables()), bytes);
        }
        client.getOutputStream().write(bytes.array(), 0, bytes.readableBytes());
    }

    private void expect(int request, String thread) throws InterruptedException {
        assertThat(taken.poll(20, TimeUnit.SECONDS)).isEqualTo(new Taken(request, thread));
    }

    private void move() throws Exception {
        say(1);
        assertThat(taken.take().request()).isEqualTo(1);
        expect(TASK, WORKER);
    }

    @Test
    void shouldHandleFramesBehindTheMovingFrameOnTheWorker() throws Exception {
        say(1, 2, 3);
        assertThat(taken.take().thread()).isNotEqualTo(WORKER);
        for (int i = 0; i < 3; i++) {
            assertThat(taken.poll(20, TimeUnit.SECONDS).thread()).isEqualTo(WORKER);
        }
        say(4);
        expect(4, WORKER);
    }

    @Test
    void shouldRunATaskOnTheWorkerOnceItHasArrived() throws Exception {
        move();
        served.socket.execute(
                () -> taken.add(new Taken(5, Thread.currentThread().getName())));
        expect(5, WORKER);
    }

    @Test
    void shouldSendTheAnswersOfATurnInOneWrite() throws Exception {
        move();
        CompletableFuture<Integer> before = new CompletableFuture<>();
        worker.execute(() -> {
            before.complete(flushes.get());
            for (int request = 1; request <= 3; request++) {
                served.socket.send(new Frame(request, new Message.Committed(request)));
            }
        });
        assertThat(client.getInputStream().readNBytes(3 * COMMITTED_BYTES)).hasSize(3 * COMMITTED_BYTES);
        assertThat(flushes).hasValue(before.get() + 1);
    }

    @Test
    void shouldContinueAfterAFrameWhoseHandlingFailed() throws Exception {
        move();
        say(FAILING, 6);
        expect(FAILING, "failing");
        expect(6, WORKER);
    }

    @Test
    void shouldHandleFramesThatArrivedBeforeTheConnectionWasClosed() throws Exception {
        move();
        say(7);
        client.close();
        expect(7, WORKER);
        expect(CLOSED, WORKER);
    }

    @Test
    void shouldNotBeWritableWhileMuchWaitsForTheEndOfTheTurn() throws Exception {
        move();
        Message.Reply answer = new Message.Failed(1, false, false, 0, "x".repeat(1_000));
        CompletableFuture<Integer> sent = new CompletableFuture<>();
        worker.execute(() -> {
            int count = 0;
            for (; served.socket.isWritable() && count < 1_000; count++) {
                served.socket.send(new Frame(count, answer));
            }
            sent.complete(count);
        });
        assertThat(sent.get()).isBetween(2, 100);
        CompletableFuture<Boolean> writable = new CompletableFuture<>();
        assertThat(client.getInputStream().readNBytes(sent.get() * 1_000)).hasSize(sent.get() * 1_000);
        worker.execute(() -> writable.complete(served.socket.isWritable()));
        assertThat(writable.get()).isTrue();
    }
}
