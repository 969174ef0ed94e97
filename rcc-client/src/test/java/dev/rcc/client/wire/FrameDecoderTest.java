package dev.rcc.client.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** {@link FrameDecoder} in a pipeline. */
class FrameDecoderTest {
    private static final long SEED = Long.getLong("rcc.seed", 23);

    private final FrameDecoder decoder = new FrameDecoder();
    private final EmbeddedChannel channel = new EmbeddedChannel(decoder);

    @AfterEach
    void close() {
        channel.finishAndReleaseAll();
    }

    @Test
    void shouldFindTheFramesHoweverTheirBytesArrive() {
        Random random = new Random(SEED);
        Messages messages = new Messages(random);
        decoder.limit(Wire.LENGTH_MAX);
        List<Frame> sent = new ArrayList<>();
        ByteBuf bytes = Unpooled.buffer();
        for (int i = 0; i < 2_000; i++) {
            Frame frame = messages.drawFrame();
            sent.add(frame);
            MessageCodec.encode(frame, bytes);
        }
        List<Frame> received = new ArrayList<>();
        while (bytes.isReadable()) {
            int piece = random.nextInt(4) == 0 ? 1 + random.nextInt(8) : 1 + random.nextInt(3_000);
            channel.writeInbound(bytes.readRetainedSlice(Math.min(piece, bytes.readableBytes())));
            for (Frame frame; (frame = channel.readInbound()) != null; ) {
                received.add(frame);
            }
        }
        bytes.release();
        assertThat(received).as("seed %s", SEED).isEqualTo(sent);
    }

    @Test
    void shouldWriteAFrameAsThePageDrawsIt() {
        ByteBuf bytes = Unpooled.buffer();
        MessageCodec.encode(new Frame(7, new Message.Get(3, 1, true, Key.of(-2))), bytes);
        byte[] expected = {
            0,
            0,
            0,
            21, // length
            0x04, // get
            0,
            0,
            0,
            7, // request
            0,
            0,
            0,
            3, // transaction
            0,
            1, // table
            1, // for update
            1,
            -1,
            -1,
            -1,
            -1,
            -1,
            -1,
            -1,
            -2 // a number, -2
        };
        assertThat(bytes).isEqualTo(Unpooled.wrappedBuffer(expected));
        bytes.release();
    }

    @Test
    void shouldRefuseALongFrameBeforeItIsThere() {
        ByteBuf justRight = Unpooled.buffer().writeInt(Wire.HELLO_LENGTH_MAX);
        assertThat(channel.writeInbound(justRight)).isFalse();
        EmbeddedChannel other = new EmbeddedChannel(new FrameDecoder());
        assertThatExceptionOfType(MalformedFrame.class)
                .isThrownBy(() -> other.writeInbound(Unpooled.buffer().writeInt(Wire.HELLO_LENGTH_MAX + 1)))
                .withMessage("a frame's length is 5 to 4096, got 4097");
    }

    @Test
    void shouldReadNothingAfterAMalformedFrame() {
        ByteBuf bytes =
                Unpooled.buffer().writeInt(Wire.MIN_LENGTH).writeByte(0x33).writeInt(1);
        MessageCodec.encode(new Frame(2, new Message.Done()), bytes);
        assertThatExceptionOfType(MalformedFrame.class)
                .isThrownBy(() -> channel.writeInbound(bytes))
                .withMessage("there is no message of type 51");
        ByteBuf more = Unpooled.buffer();
        MessageCodec.encode(new Frame(3, new Message.Done()), more);
        channel.writeInbound(more);
        Frame after = channel.readInbound();
        assertThat(after).isNull();
    }

    @Test
    void shouldRefuseALengthThatIsNone() {
        for (int length : new int[] {0, 4, -1, Integer.MIN_VALUE}) {
            EmbeddedChannel other = new EmbeddedChannel(new FrameDecoder());
            assertThatExceptionOfType(MalformedFrame.class)
                    .isThrownBy(() -> other.writeInbound(Unpooled.buffer().writeInt(length)));
        }
    }

    @Test
    void shouldRejectALengthLimitOutOfBounds() {
        assertThatIllegalArgumentException().isThrownBy(() -> decoder.limit(Wire.LENGTH_MAX + 1));
        assertThatIllegalArgumentException().isThrownBy(() -> decoder.limit(Wire.HELLO_LENGTH_MAX - 1));
    }
}
