package dev.rcc.it;

import dev.rcc.client.wire.Bytes;
import dev.rcc.client.wire.CommitId;
import dev.rcc.client.wire.Frame;
import dev.rcc.client.wire.Key;
import dev.rcc.client.wire.Message;
import dev.rcc.client.wire.MessageCodec;
import dev.rcc.client.wire.Patch;
import dev.rcc.client.wire.Wire;
import dev.rcc.transport.handshake.HandshakeClient;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * Frames for the four ports of a node: well-formed but for a few random changes, or wholly random. More of them follow a hello where an
 * unauthenticated peer's is accepted. Used by one thread.
 */
final class HostileFrames {
    private static final int NO_LARGER = 600;
    private static final int CHANGES_MAX = 4;
    private static final int FRAMES_OF_A_CONNECTION = 40;
    private static final int TRANSACTIONS = 4;
    private static final int TABLES = 3;
    private static final int KEYS = 200;

    private final String cluster;
    private final List<Target> targets = new ArrayList<>();
    private final Random random;
    private long sent;

    /** The ports of a node. */
    private record Target(int control, int data, int clients, int admin) {}

    HostileFrames(ServerProcesses servers, String cluster, long seed) throws IOException {
        for (int node = 0; node < servers.count(); node++) {
            String gateway = servers.gateway(node);
            targets.add(new Target(
                    servers.controlPort(node),
                    servers.dataPort(node),
                    Integer.parseInt(gateway.substring(gateway.lastIndexOf(':') + 1)),
                    URI.create(servers.state(node).get("admin").asString()).getPort()));
        }
        this.cluster = cluster;
        this.random = new Random(seed);
    }

    /** How many frames have been sent. */
    long sent() {
        return sent;
    }

    /** Connects to some port of some node, and sends frames until the node ends the connection. */
    void connectAndSend() throws IOException {
        Target target = targets.get(random.nextInt(targets.size()));
        switch (random.nextInt(4)) {
            case 0 -> send(target.control, () -> peersHello(HandshakeClient.CONTROL, new byte[0]), 2);
            case 1 -> send(target.data, () -> peersHello(HandshakeClient.TCP_DATA, new byte[16]), 2);
            case 2 -> send(target.clients, this::clientsFrame, FRAMES_OF_A_CONNECTION);
            default -> send(target.admin, this::httpRequest, 1);
        }
    }

    /** Makes a frame. */
    private interface Source {
        byte[] next() throws IOException;
    }

    private void send(int port, Source source, int frames) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoLinger(true, 0); // a million connections would else use up all ports
            boolean readsAnswers = random.nextBoolean();
            if (frames == FRAMES_OF_A_CONNECTION && random.nextInt(10) > 0) {
                socket.getOutputStream().write(hello());
            }
            for (int i = 0; i < frames; i++) {
                byte[] frame = random.nextInt(8) == 0 ? randomBytes() : changed(source.next());
                sent++;
                socket.getOutputStream().write(frame);
                if (readsAnswers) {
                    long _ =
                            socket.getInputStream().skip(socket.getInputStream().available());
                }
            }
        } catch (SocketException e) {
            return; // it has ended the connection
        }
    }

    private byte[] randomBytes() {
        byte[] bytes = new byte[1 + random.nextInt(NO_LARGER)];
        random.nextBytes(bytes);
        return bytes;
    }

    private byte[] changed(byte[] frame) {
        for (int left = random.nextInt(CHANGES_MAX); left > 0; left--) {
            int at = random.nextInt(frame.length);
            switch (random.nextInt(4)) {
                case 0 -> frame[at] = (byte) random.nextInt(256);
                case 1 -> frame[at] ^= (byte) (1 << random.nextInt(8));
                case 2 -> frame[at] = (byte) (random.nextBoolean() ? 0xFF : 0x7F);
                default -> frame = Arrays.copyOf(frame, 1 + random.nextInt(frame.length + 8));
            }
        }
        return frame;
    }

    private byte[] peersHello(int connection, byte[] more) throws IOException {
        HandshakeClient impostor =
                new HandshakeClient(HandshakeClient.NO_SECRET, cluster, connection, 1, 0, random.nextLong(), 0, more);
        return random.nextBoolean() ? impostor.hello(new byte[32]) : HandshakeClient.proof(new byte[32]);
    }

    private static byte[] bytes(int request, Message message) {
        ByteBuf frame = Unpooled.buffer();
        MessageCodec.encode(new Frame(request, message), frame);
        byte[] bytes = new byte[frame.readableBytes()];
        frame.readBytes(bytes);
        return bytes;
    }

    private static byte[] hello() {
        return bytes(1, new Message.Hello(Wire.VERSION, Wire.VERSION, "", "hostile"));
    }

    private byte[] clientsFrame() {
        int txn = random.nextInt(TRANSACTIONS);
        int table = random.nextInt(TABLES);
        Key key = Key.of((long) random.nextInt(KEYS));
        Bytes value = Bytes.copyOf(new byte[1 + random.nextInt(32)]);
        CommitId id = random.nextBoolean()
                ? CommitId.NONE
                : CommitId.of(1 + random.nextInt(100), random.nextInt(4), 1 + random.nextInt(100));
        Message message = switch (random.nextInt(14)) {
            case 0 -> new Message.DescribeTables();
            case 1, 2 -> new Message.Begin(txn, random.nextBoolean(), 1 + random.nextInt(2_000), 0);
            case 3 -> new Message.Get(txn, table, random.nextBoolean(), key);
            case 4 -> new Message.Put(txn, table, key, value);
            case 5 -> new Message.Insert(txn, table, key, value);
            case 6 -> new Message.Delete(txn, table, key);
            case 7 -> new Message.Commit(txn, id);
            case 8 -> new Message.Abort(txn);
            case 9 -> new Message.AskOutcome(id, random.nextLong(), random.nextInt(1_000));
            case 10 -> new Message.Call(random.nextBoolean(), 1 + random.nextInt(2_000), 0, id, "nothing", value);
            case 11 -> new Message.DescribeUsage(table);
            case 12 ->
                new Message.PatchRecord(
                        txn, table, key, Patch.write(random.nextInt(64), new byte[1 + random.nextInt(32)]));
            default -> new Message.DescribeSessions(random.nextInt(10));
        };
        return bytes(2 + random.nextInt(1_000), message);
    }

    private byte[] httpRequest() {
        String path =
                new String[] {"/status", "/metrics", "/health/ready", "/health/live", "/nothing"}[random.nextInt(5)];
        return ("GET " + path + " HTTP/1.1\r\nHost: a\r\nContent-Length: " + random.nextInt(3) * 100 + "\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII);
    }
}
