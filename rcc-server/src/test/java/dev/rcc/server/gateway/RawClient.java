package dev.rcc.server.gateway;

import dev.rcc.client.wire.Frame;
import dev.rcc.client.wire.Message;
import dev.rcc.client.wire.MessageCodec;
import dev.rcc.client.wire.Wire;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.SocketException;

/** A client that sends exactly the messages of a test, over a plain socket. */
final class RawClient implements AutoCloseable {
    private final Socket socket;
    private final DataInputStream in;
    private int requests;

    RawClient(String address) throws IOException {
        int colon = address.lastIndexOf(':');
        socket = new Socket(address.substring(0, colon), Integer.parseInt(address.substring(colon + 1)));
        socket.setSoTimeout(20_000);
        socket.setTcpNoDelay(true);
        in = new DataInputStream(socket.getInputStream());
    }

    /** Connects and sends a hello. */
    static RawClient greet(String address) throws IOException {
        RawClient client = new RawClient(address);
        client.call(new Message.Hello(1, 1, "", "test"));
        return client;
    }

    int send(Message message) throws IOException {
        ByteBuf bytes = Unpooled.buffer();
        MessageCodec.encode(new Frame(++requests, message), bytes);
        sendBytes(bytes);
        return requests;
    }

    void sendBytes(ByteBuf bytes) throws IOException {
        bytes.readBytes(socket.getOutputStream(), bytes.readableBytes());
    }

    Frame receive() throws IOException {
        byte[] bytes = new byte[in.readInt()];
        in.readFully(bytes);
        return MessageCodec.decode(Unpooled.wrappedBuffer(bytes));
    }

    Message call(Message message) throws IOException {
        int request = send(message);
        while (true) {
            Frame frame = receive();
            boolean isAboutPlaces =
                    frame.message() instanceof Message.Placement || frame.message() instanceof Message.Zones;
            if (frame.request() == request || (frame.request() == 0 && !isAboutPlaces)) {
                return frame.message();
            }
        }
    }

    Message.Welcome hello() throws IOException {
        return (Message.Welcome) call(new Message.Hello(Wire.VERSION, Wire.VERSION, "", "test"));
    }

    /** Whether the other side has closed the connection; waits for that. */
    boolean isClosed() {
        try {
            while (true) {
                receive();
            }
        } catch (EOFException | SocketException e) {
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
