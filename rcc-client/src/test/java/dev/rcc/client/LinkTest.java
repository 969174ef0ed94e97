package dev.rcc.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.rcc.client.wire.Bytes;
import dev.rcc.client.wire.CommitId;
import dev.rcc.client.wire.Frame;
import dev.rcc.client.wire.Message;
import dev.rcc.client.wire.MessageCodec;
import dev.rcc.client.wire.Wire;
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

    // Goal: a request that is too long is the error of its caller, and not sent. Method: a link without a welcome,
    // which takes the least length.
    @Test
    void shouldRefuseARequestThatIsLongerThanTheGatewayTakes() {
        EmbeddedChannel channel = new EmbeddedChannel();
        Link link = new Link(channel);
        int others = MessageCodec.length(call(0));
        assertThatExceptionOfType(BadRequestException.class)
                .isThrownBy(() -> link.call(call(Wire.HELLO_LENGTH_MAX - others + 1), true))
                .withMessageContaining(
                        "the call of procedure p takes a message of 4097 bytes, allowed: 4096 (client.frame-bytes)");
        assertThat(link.isUsed()).as("a caller waits").isFalse();
        Message.Call longest = call(Wire.HELLO_LENGTH_MAX - others);
        link.tell(longest, true);
        channel.runPendingTasks();
        assertThat(next(channel.readOutbound()).message()).isEqualTo(longest);
    }

    private static Message.Call call(int argumentBytes) {
        return new Message.Call(false, 1, 0, CommitId.NONE, "p", Bytes.wrap(new byte[argumentBytes]));
    }

    private static Frame next(ByteBuf bytes) {
        return MessageCodec.decode(bytes.readSlice(bytes.readInt()));
    }
}
