package dev.rcc.transport.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rcc.core.fabric.Endpoint;
import dev.rcc.core.fabric.RpcRequest;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.Region;
import dev.rcc.core.memory.RemoteAddress;
import dev.rcc.core.testing.FakeCoroutine;
import dev.rcc.core.testing.FakeWorker;
import dev.rcc.core.testing.Seeds;
import dev.rcc.core.worker.Completion;
import dev.rcc.core.worker.EventLoop;
import dev.rcc.transport.ExpectedLog;
import dev.rcc.transport.control.JvmControl;
import dev.rcc.transport.sockets.SocketTransport;
import dev.rcc.transport.tcp.TcpFrames.BadFrame;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.lang.foreign.Arena;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Hostile frames. A receiver may take a frame, or reject it, which ends the connection. Nothing else is allowed: no other exception, no access
 * outside of regions, no growth.
 */
@Isolated("the heap that other tests use would count as growth")
class TcpFuzzTest {
    private static final int FRAMES = 1_000_000;
    private static final int MAX_BYTES = 512;
    private static final int REGION = 1;
    private static final int BUFFERS = 2;

    private final ExpectedLog log = new ExpectedLog("dev.rcc.transport");
    private final Arena arena = Arena.ofConfined();
    private final Memory in = Memory.allocate(arena, MAX_BYTES);
    private final JvmControl control = new JvmControl.Cluster(2).join(0);
    private TcpFabric fabric;
    private TcpEndpoint endpoint;
    private TcpLink link;
    private EmbeddedChannel channel;
    private TcpStream stream;

    @BeforeEach
    void attach() throws Exception {
        log.expect();
        fabric = new TcpFabric(control, TcpOptions.DEFAULT.withTransport(SocketTransport.NIO));
        fabric.register(REGION, 4096);
        Region buffers = fabric.register(BUFFERS, 4096);
        endpoint = (TcpEndpoint) fabric.open(new EventLoop(0, 0, 1), buffers);
        for (int rpc = 0; rpc <= Endpoint.MAX_RPC; rpc++) { // a missing handler would be logged, and the log kept
            endpoint.handle(rpc, TcpFuzzTest::echo);
        }
        link = new TcpLink(fabric, 1, false, new byte[TcpFrames.TOKEN_BYTES], 1);
    }

    @AfterEach
    void close() {
        fabric.close();
        control.close();
        arena.close();
        log.close();
    }

    private static void echo(RpcRequest request) {
        request.reply(Math.min(request.payloadBytes(), request.responseCapacity()));
    }

    private void connect(TcpStream.Receiver first) {
        stream = new TcpStream(first, new TcpTraffic());
        channel = new EmbeddedChannel(stream);
    }

    private TcpStream.Receiver receiver(int kind) {
        return switch (kind) {
            case 0 -> new TcpMemoryServer(fabric, link, stream);
            case 1 -> new TcpRpcConnection(endpoint, link, stream);
            case 2 -> new TcpMemoryClient(endpoint, link, stream);
            default -> new TcpHandshake(fabric, null);
        };
    }

    // Method: give frames to each receiver of frames; some are well-formed except for a few random changes,
    // some are random.
    @Test
    void shouldSurviveAMillionMutatedFrames() {
        Seeds.forEach(1, random -> {
            connect(new TcpHandshake(fabric, null));
            TcpStream.Receiver[] receivers = {receiver(0), receiver(1), receiver(2)};
            int taken = 0;
            long heapBefore = 0;
            for (int i = 0; i < FRAMES; i++) {
                int length = random.nextInt(20) == 0 ? randomFrame(random) : mutatedFrame(random);
                try {
                    receivers[random.nextInt(receivers.length)].frame(in, 0, length);
                    taken++;
                } catch (BadFrame e) {
                    assertThat(e.getMessage()).isNotBlank();
                }
                stream.out().size = 0;
                stream.goOn();
                if (i == FRAMES / 10) {
                    heapBefore = usedHeap();
                }
            }
            assertThat(taken).as("frames that were well-formed").isBetween(FRAMES / 100, FRAMES * 99 / 100);
            assertThat(usedHeap() - heapBefore).as("growth of the heap").isLessThan(8 << 20);
            assertThat(stream.out().capacity()).isLessThanOrEqualTo(4 << 20);
        });
    }

    // Goal: the same for frames in a stream that arrives in pieces of any size, up to the end of the
    // connection.
    @Test
    void shouldSurviveStreamsOfMutatedFramesInPieces() {
        Seeds.forEach(1, random -> {
            byte[] bytes = new byte[MAX_BYTES];
            for (int connection = 0; connection < 500; connection++) {
                connect(null);
                stream.receiver(receiver(random.nextInt(4)));
                for (int frame = 0; frame < 50 && !stream.hasEnded(); frame++) {
                    int length = random.nextInt(50) == 0 ? randomFrame(random) : mutatedFrame(random);
                    in.getBytes(0, bytes, 0, length);
                    for (int at = 0; at < length && !stream.hasEnded(); ) {
                        int piece = Math.min(1 + random.nextInt(200), length - at);
                        channel.writeInbound(Unpooled.copiedBuffer(bytes, at, piece));
                        stream.process();
                        at += piece;
                    }
                    channel.releaseOutbound();
                    stream.out().size = 0;
                }
                channel.finishAndReleaseAll();
                assertThat(stream.hasEnded()).isTrue();
            }
        });
    }

    @Test
    void shouldRefuseLengthsBeforeMakingRoom() {
        for (int length :
                new int[] {0, 1, 7, 9, -8, Integer.MIN_VALUE, Integer.MAX_VALUE & ~7, TcpFrames.MAX_FRAME_BYTES + 8}) {
            connect(null);
            stream.receiver(receiver(0));
            channel.writeInbound(Unpooled.buffer().writeIntLE(length).writeIntLE(TcpFrames.BATCH));
            assertThat(stream.hasEnded()).as("length %d", length).isTrue();
        }
    }

    // Goal: a reply to no call, or with more bytes than there is room, ends the connection and completes
    // nothing.
    @Test
    void shouldRejectRepliesThatMatchNoCall() throws Exception {
        connect(null);
        TcpRpcConnection rpc = (TcpRpcConnection) receiver(1);
        stream.receiver(rpc);
        Completion completion = new Completion(new FakeCoroutine(0, new FakeWorker(0)));
        rpc.call(1, endpoint.buffers(), 0, 8, 8, 8, completion);
        assertBad(rpc, reply(1, 8, 24));
        assertBad(rpc, reply(-1, 8, 24));
        assertBad(rpc, reply(0, 16, 32));
        assertBad(rpc, reply(0, 8, 16));
        assertBad(rpc, reply(0, -8, 16));
        assertThat(completion.outstanding()).isEqualTo(1);
        rpc.frame(in, 0, reply(0, 8, 24));
        assertThat(completion.outstanding()).isZero();
        assertBad(rpc, reply(0, 8, 24));
    }

    private void assertBad(TcpRpcConnection rpc, int length) {
        assertThatThrownBy(() -> rpc.frame(in, 0, length)).isInstanceOf(BadFrame.class);
    }

    private int reply(int call, int bytes, int length) {
        header(length, TcpFrames.REPLY, 0, 0);
        in.putLong(8, (call & 0xFFFF_FFFFL) | (long) bytes << 32);
        return length;
    }

    private int randomFrame(SplittableRandom random) {
        int length = 8 + 8 * random.nextInt(MAX_BYTES / 8);
        for (int i = 0; i < length; i += 8) {
            in.putLong(i, random.nextLong());
        }
        header(length, (byte) random.nextInt(8), random.nextInt(256), random.nextInt(1 << 16));
        return length;
    }

    /** A good frame of some kind; more often than not some of its bits are flipped. */
    private int mutatedFrame(SplittableRandom random) {
        int length = random.nextBoolean() ? batch(random) : request(random);
        for (int flips = random.nextInt(4); flips > 0; flips--) {
            int word = 8 * random.nextInt(length / 8);
            in.putLong(word, in.getLong(word) ^ 1L << random.nextInt(64));
        }
        in.putLong(0, (in.getLong(0) & ~0xFFFF_FFFFL) | length); // the stream has checked the length
        return length;
    }

    private int request(SplittableRandom random) {
        int bytes = random.nextInt(100);
        int length = TcpFrames.REQUEST_HEADER_BYTES + Memory.alignToWord(bytes);
        header(length, TcpFrames.REQUEST, random.nextInt(3), 0);
        in.putLong(8, random.nextInt(16) | (long) bytes << 32);
        in.putLong(16, random.nextInt(200));
        return length;
    }

    private int batch(SplittableRandom random) {
        int count = random.nextInt(5);
        int at = TcpFrames.HEADER_BYTES;
        for (int i = 0; i < count; i++) {
            byte opcode = (byte) random.nextInt(TcpBatch.OP_FETCH_ADD + 1);
            boolean sized = opcode == TcpBatch.OP_READ || opcode == TcpBatch.OP_WRITE;
            int bytes = sized ? random.nextInt(64) : 8;
            in.putLong(at, opcode | (long) bytes << 32);
            in.putLong(at + 8, RemoteAddress.of(0, REGION, 8L * random.nextInt(500)));
            int next = at + TcpBatch.requestBytes(opcode, bytes);
            for (int word = at + 16; word < next; word += 8) {
                in.putLong(word, random.nextLong());
            }
            at = next;
        }
        header(at, TcpFrames.BATCH, 0, count);
        return at;
    }

    private void header(int length, byte type, int a, int b) {
        in.putLong(0, length | (long) type << 32 | (long) a << 40 | (long) b << 48);
    }

    private static long usedHeap() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
