package dev.rcc.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.client.wire.Frame;
import dev.rcc.client.wire.Message;
import dev.rcc.client.wire.MessageCodec;
import io.netty.buffer.ByteBuf;
import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.Test;

class LinkTest {
    // Goal: a connection that has sent all numbers does not send 0, to which answers concern the whole connection.
    @Test
    void shouldNotSendARequestWithNumberZero() {
        EmbeddedChannel channel = new EmbeddedChannel();
        Link link = new Link(channel, -2);
        link.tell(new Message.Abort(1), true);
        link.tell(new Message.Abort(2), true);
        channel.runPendingTasks();
        ByteBuf sent = channel.readOutbound();
        assertThat(next(sent)).isEqualTo(new Frame(-1, new Message.Abort(1)));
        ByteBuf rest = sent.isReadable() ? sent : channel.readOutbound();
        assertThat(next(rest)).isEqualTo(new Frame(1, new Message.Abort(2)));
    }

    private static Frame next(ByteBuf bytes) {
        return MessageCodec.decode(bytes.readSlice(bytes.readInt()));
    }
}
