package dev.rcc.transport.control;

import static dev.rcc.transport.control.ControlChannelTest.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LinkFaultHandlerTest {
    private static final int PEER = 1;
    private static final int BYTE = 7;

    private final LinkFaults faults = new LinkFaults(1);

    private static ByteBuf bytes() {
        return Unpooled.buffer().writeByte(BYTE);
    }

    private static void runTimersUntilDone(EmbeddedChannel channel, ChannelFuture future) {
        await(() -> {
            channel.runScheduledPendingTasks();
            return future.isDone();
        });
    }

    @Test
    void shouldReportDelayedBytesAsWrittenWhenTheyAre() {
        faults.delay(PEER, Duration.ofNanos(1), Duration.ZERO);
        EmbeddedChannel channel = new EmbeddedChannel(faults.newHandler(PEER));
        ChannelFuture written = channel.writeAndFlush(bytes());
        runTimersUntilDone(channel, written);
        assertThat(written.isSuccess()).isTrue();
        ByteBuf sent = channel.readOutbound();
        assertThat(sent.readByte()).isEqualTo((byte) BYTE);
        sent.release();
    }

    @Test
    void shouldReportDelayedBytesAsWrittenWhenALostLinkSwallowsThem() {
        faults.delay(PEER, Duration.ofHours(1), Duration.ZERO);
        EmbeddedChannel channel = new EmbeddedChannel(faults.newHandler(PEER));
        channel.freezeTime();
        ChannelFuture written = channel.writeAndFlush(bytes());
        assertThat(written.isDone()).isFalse();
        faults.cut(PEER);
        channel.advanceTimeBy(1, TimeUnit.HOURS);
        channel.runScheduledPendingTasks();
        assertThat(written.isSuccess()).isTrue();
        assertThat(channel.outboundMessages()).isEmpty();
    }

    @Test
    void shouldReportDelayedBytesAsLostWhenTheirConnectionIsClosed() {
        faults.delay(PEER, Duration.ofHours(1), Duration.ZERO);
        EmbeddedChannel channel = new EmbeddedChannel(faults.newHandler(PEER));
        ChannelFuture written = channel.writeAndFlush(bytes());
        assertThat(written.isDone()).isFalse();
        channel.finish();
        assertThat(written.cause()).isInstanceOf(ClosedChannelException.class);
    }

    @Test
    void shouldNotBeWritableWhileManyBytesAreDelayed() {
        faults.delay(PEER, Duration.ofHours(1), Duration.ZERO);
        EmbeddedChannel channel = new EmbeddedChannel(faults.newHandler(PEER));
        channel.freezeTime();
        channel.writeAndFlush(Unpooled.buffer().writeZero(LinkFaultHandler.LATE_BYTES_MAX));
        assertThat(channel.isWritable()).isTrue();
        channel.writeAndFlush(bytes());
        assertThat(channel.isWritable()).isFalse();
        assertThat(LinkFaults.isFull(channel)).isTrue();
        faults.cut(PEER); // the handler's own clock has not reached the hour
        channel.advanceTimeBy(1, TimeUnit.HOURS);
        channel.runScheduledPendingTasks();
        assertThat(channel.isWritable()).isTrue();
        assertThat(LinkFaults.isFull(channel)).isFalse();
    }
}
