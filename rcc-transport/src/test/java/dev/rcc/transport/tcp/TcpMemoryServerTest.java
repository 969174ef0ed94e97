package dev.rcc.transport.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.memory.RemoteAddress;
import dev.rcc.core.worker.EventLoop;
import dev.rcc.transport.ExpectedLog;
import dev.rcc.transport.control.JvmControl;
import dev.rcc.transport.sockets.SocketTransport;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.embedded.EmbeddedChannel;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The results for a peer that takes them slowly; on a connection without a socket, in virtual time. */
class TcpMemoryServerTest {
    private static final int REGION = 1;
    private static final Duration STALL = Duration.ofSeconds(1);

    private final ExpectedLog log = new ExpectedLog("dev.rcc.transport");
    private final JvmControl control = new JvmControl.Cluster(2).join(0);
    private TcpFabric fabric;
    private TcpStream stream;
    private SlowChannel channel;

    /** A connection whose other end takes bytes one by one, when the test has it do so. */
    private static final class SlowChannel extends EmbeddedChannel {
        private boolean takes;

        SlowChannel(TcpStream stream) {
            super(stream);
        }

        void takeOneByte() {
            takes = true;
            flush();
        }

        @Override
        protected void doWrite(ChannelOutboundBuffer out) {
            if (takes) {
                takes = false;
                out.removeBytes(1);
            }
        }
    }

    @BeforeEach
    void connect() throws Exception {
        log.expect();
        TcpOptions options =
                TcpOptions.DEFAULT.withTransport(SocketTransport.NIO).withStallTimeout(STALL);
        fabric = new TcpFabric(control, options);
        fabric.open(new EventLoop(0, 0, 1), fabric.register(REGION, TcpFrames.MAX_CHUNK_BYTES));
        TcpLink link = new TcpLink(fabric, 1, false, new byte[TcpFrames.TOKEN_BYTES], 1);
        stream = new TcpStream(null, new TcpTraffic());
        TcpMemoryServer server = new TcpMemoryServer(fabric, link, stream);
        stream.receiver(server);
        channel = new SlowChannel(stream);
        channel.freezeTime();
        server.begin();
    }

    @AfterEach
    void close() {
        channel.finishAndReleaseAll();
        fabric.close();
        control.close();
        log.close();
    }

    /** The whole region is read, and the results are more than are kept for one write. */
    private static ByteBuf read() {
        return Unpooled.buffer()
                .writeIntLE(TcpFrames.HEADER_BYTES + TcpFrames.OPERANDS_OFFSET)
                .writeByte(TcpFrames.BATCH)
                .writeByte(0)
                .writeShortLE(1)
                .writeIntLE(TcpBatch.OP_READ)
                .writeIntLE(TcpFrames.MAX_CHUNK_BYTES)
                .writeLongLE(RemoteAddress.of(0, REGION, 0));
    }

    private void pass(Duration time) {
        channel.advanceTimeBy(time.toNanos(), TimeUnit.NANOSECONDS);
        channel.runScheduledPendingTasks();
    }

    @Test
    void shouldGiveAPeerUpOnlyOnceItHasTakenNoByteForTheTimeout() {
        channel.writeInbound(read(), read());
        for (int takes = 0; takes < 10; takes++) {
            channel.takeOneByte();
            pass(STALL);
            assertThat(stream.hasEnded()).as("given up after %d bytes", takes).isFalse();
        }
        pass(STALL);
        pass(STALL);
        assertThat(stream.hasEnded()).isTrue();
        assertThat(log.messages()).singleElement().asString().contains("it has read no results for " + STALL);
    }
}
