package dev.rcc.client.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** {@link MessageCodec}: it reads the frames that it writes, and no others. {@code -Drcc.seed=S} draws other frames. */
class MessageCodecTest {
    private static final long SEED = Long.getLong("rcc.seed", 23);
    private static final int FRAMES = Integer.getInteger("rcc.frames", 200_000);

    private final Random random = new Random(SEED);
    private final Messages messages = new Messages(random);

    @Test
    void shouldReadBackItsOwnOutput() {
        Set<Class<?>> seen = new HashSet<>();
        for (int i = 0; i < 200 * messages.kinds(); i++) {
            Frame frame = new Frame(random.nextInt(), messages.draw(i % messages.kinds()));
            seen.add(frame.message().getClass());
            ByteBuf bytes = encode(frame);
            assertThat(bytes.readInt()).as("length, seed %s", SEED).isEqualTo(bytes.readableBytes());
            assertThat(MessageCodec.decode(bytes)).as("seed %s", SEED).isEqualTo(frame);
        }
        assertThat(seen).containsAll(leaves(Message.class)); // no message was forgotten here
    }

    // Goal: the length of a request is known before it is written; requests without a length are short.
    @Test
    void shouldTellTheLengthOfARequestThatCanBeLong() {
        Set<Class<?>> withLength = new HashSet<>();
        for (int i = 0; i < 200 * messages.kinds(); i++) {
            if (messages.draw(i % messages.kinds()) instanceof Message.Request request) {
                int written = encode(new Frame(1, request)).readInt();
                int length = MessageCodec.length(request);
                if (length == 0) {
                    assertThat(written).as("seed %s, %s", SEED, request).isLessThan(2 * Wire.HELLO_LENGTH_MAX);
                } else {
                    withLength.add(request.getClass());
                    assertThat(length).as("seed %s, %s", SEED, request).isEqualTo(written);
                }
            }
        }
        assertThat(withLength)
                .containsExactlyInAnyOrder(
                        Message.Put.class,
                        Message.Insert.class,
                        Message.PatchRecord.class,
                        Message.Call.class,
                        Message.Autocommit.class);
    }

    private static List<Class<?>> leaves(Class<?> type) {
        if (!type.isSealed()) {
            return List.of(type);
        }
        List<Class<?>> leaves = new ArrayList<>();
        for (Class<?> each : type.getPermittedSubclasses()) {
            leaves.addAll(leaves(each));
        }
        return leaves;
    }

    // Goal: any bytes are a message that would be written so, or a malformed frame: no other exception,
    // nothing read twice, nothing left. Method: frames that were written and then damaged, and bytes at
    // random behind a type.
    @Test
    void shouldDecodeAHostileFrameExactlyOrRejectItAsMalformed() {
        ByteBuf bytes = Unpooled.buffer();
        ByteBuf again = Unpooled.buffer();
        int understood = 0;
        int refused = 0;
        for (int i = 0; i < FRAMES; i++) {
            bytes.clear();
            if (i % 2 == 0) {
                random(bytes);
            } else {
                MessageCodec.encode(messages.drawFrame(), bytes);
                bytes.skipBytes(Wire.LENGTH_BYTES);
                mutate(bytes);
            }
            ByteBuf copy = bytes.slice();
            try {
                Frame frame = MessageCodec.decode(bytes);
                understood++;
                again.clear();
                MessageCodec.encode(frame, again);
                if (!ByteBufUtil.equals(again.skipBytes(Wire.LENGTH_BYTES), copy)) {
                    throw new AssertionError(
                            "seed " + SEED + ", frame " + i + ": read " + frame + " from " + ByteBufUtil.hexDump(copy));
                }
            } catch (MalformedFrame expected) {
                refused++;
            } catch (RuntimeException e) {
                throw new AssertionError("seed " + SEED + ", frame " + i + ": " + ByteBufUtil.hexDump(copy), e);
            }
        }
        assertThat(understood).as("frames understood").isGreaterThan(FRAMES / 20);
        assertThat(refused).as("frames refused").isGreaterThan(FRAMES / 4);
    }

    // Goal: the decoder reads no message within a message within a message, as often as a hostile client likes.
    @Test
    void shouldRejectAnAutocommitOfAnythingButAnOperation() {
        Message.Autocommit inner =
                new Message.Autocommit(true, 1, 0, CommitId.NONE, new Message.Get(0, 0, false, Key.of(1)));
        ByteBuf bytes = Unpooled.buffer();
        bytes.writeByte(MessageCodec.type(inner)).writeInt(1);
        bytes.writeBoolean(true).writeInt(1).writeLong(0).writeZero(16);
        bytes.writeByte(MessageCodec.type(inner));
        assertThatExceptionOfType(MalformedFrame.class)
                .isThrownBy(() -> MessageCodec.decode(bytes))
                .withMessage("there is no operation of type 23");
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        new Message.Autocommit(true, 1, 0, CommitId.NONE, new Message.Get(3, 0, false, Key.of(1))))
                .withMessageContaining("the operation's transaction");
    }

    private void random(ByteBuf bytes) {
        Message example = messages.draw(random.nextInt(messages.kinds()));
        bytes.writeByte(random.nextInt(50) == 0 ? random.nextInt(256) : MessageCodec.type(example));
        bytes.writeInt(random.nextInt());
        byte[] body = new byte[random.nextInt(60)];
        random.nextBytes(body);
        for (int i = 0; i < body.length; i++) {
            if (random.nextBoolean()) {
                body[i] = (byte) random.nextInt(3); // lengths, kinds and booleans that could be
            }
        }
        bytes.writeBytes(body);
    }

    private void mutate(ByteBuf bytes) {
        int start = bytes.readerIndex();
        for (int n = random.nextInt(4); n > 0 && bytes.isReadable(); n--) {
            int at = start + random.nextInt(Math.min(bytes.readableBytes(), 64));
            switch (random.nextInt(5)) {
                case 0 -> bytes.setByte(at, random.nextInt(256));
                case 1 -> bytes.setByte(at, bytes.getByte(at) ^ 1 << random.nextInt(8));
                case 2 -> bytes.setByte(at, random.nextBoolean() ? 0xFF : 0x7F);
                case 3 -> bytes.writerIndex(at);
                default -> bytes.writeByte(random.nextInt(256));
            }
        }
    }

    @Test
    void shouldNotBelieveACountThatCannotBe() {
        ByteBuf bytes = Unpooled.buffer();
        bytes.writeByte(0x88).writeInt(1).writeBoolean(false).writeInt(Integer.MAX_VALUE);
        assertThatExceptionOfType(MalformedFrame.class)
                .isThrownBy(() -> MessageCodec.decode(bytes))
                .withMessageContaining("a count of 2147483647 in 0 bytes");
    }

    @Test
    void shouldRefuseAHelloOfAnotherProtocol() {
        ByteBuf bytes = Unpooled.buffer();
        bytes.writeByte(0x01).writeInt(1).writeInt(0x47455420).writeShort(1).writeShort(1);
        bytes.writeShort(0).writeShort(0);
        assertThatExceptionOfType(MalformedFrame.class)
                .isThrownBy(() -> MessageCodec.decode(bytes))
                .withMessageContaining("begins with 52434300, got 47455420");
    }

    @Test
    void shouldShortenATextThatIsTooLongAtACharacter() {
        String text = "a" + "\u00e9".repeat(Wire.TEXT_BYTES_MAX);
        ByteBuf bytes = encode(new Frame(1, new Message.Failed(1, false, false, 0, text)));
        Message.Failed failed = (Message.Failed)
                MessageCodec.decode(bytes.skipBytes(Wire.LENGTH_BYTES)).message();
        assertThat(failed.text()).isEqualTo("a" + "\u00e9".repeat(Wire.TEXT_BYTES_MAX / 2 - 1));
    }

    @Test
    void shouldNotCreateAMessageThatCannotBeSent() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Key.of(new byte[0]))
                .withMessage("a key has 1 to 1024 bytes, got 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Message.Scan(1, 1, false, false, Bound.with(Key.of(1)), Bound.NONE, 0))
                .withMessage("limit must be 1 to 2147483647, got 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Message.Put(1, 0, Key.of(1), Bytes.EMPTY))
                .withMessage("a record's bytes must be 1 to 65536, got 0");
    }

    @Test
    void shouldWriteAScanAsTheManualShows() {
        Bound from = Bound.with(Key.of(new byte[] {'a', 'b'}));
        ByteBuf bytes = encode(new Frame(8, new Message.Scan(3, 2, false, true, from, Bound.NONE, 10)));
        assertThat(ByteBufUtil.hexDump(bytes))
                .isEqualTo("00000017" + "08" + "00000008" + "00000003" + "0002" + "02" + "010200026162" + "00"
                        + "0000000a");
        bytes.release();
    }

    @Test
    void shouldReadACommitIdAsItWasPrinted() {
        CommitId id = new CommitId(0x0123456789abcdefL, -2);
        assertThat(id).hasToString("0123456789abcdeffffffffffffffffe");
        assertThat(CommitId.parse(id.toString())).isEqualTo(id);
        assertThatIllegalArgumentException().isThrownBy(() -> CommitId.parse("12"));
    }

    private static ByteBuf encode(Frame frame) {
        ByteBuf bytes = Unpooled.buffer();
        MessageCodec.encode(frame, bytes);
        return bytes;
    }
}
