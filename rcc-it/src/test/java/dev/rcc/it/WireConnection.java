package dev.rcc.it;

import dev.rcc.client.wire.Frame;
import dev.rcc.client.wire.Message;
import dev.rcc.client.wire.MessageCodec;
import dev.rcc.client.wire.Wire;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.util.concurrent.TimeUnit;

/** A client of one gateway, which stays with it whatever the gateway answers. */
final class WireConnection implements AutoCloseable {
    private final Socket socket;
    private final DataInputStream in;
    private int requests;

    /** Connects to an address, {@code host:port}. */
    WireConnection(String address) throws IOException {
        int colon = address.lastIndexOf(':');
        socket = new Socket(address.substring(0, colon), Integer.parseInt(address.substring(colon + 1)));
        socket.setSoTimeout((int) TimeUnit.SECONDS.toMillis(RccProcess.HANG_SECONDS));
        in = new DataInputStream(socket.getInputStream());
    }

    /** Sends a hello; returns the gateway's welcome. */
    Message.Welcome hello() throws IOException {
        return (Message.Welcome) ask(new Message.Hello(Wire.VERSION, Wire.VERSION, "", "test"));
    }

    /** Sends a message that has no answer, or whose answer is not waited for. */
    int send(Message message) throws IOException {
        ByteBuf frame = Unpooled.buffer();
        MessageCodec.encode(new Frame(++requests, message), frame);
        socket.getOutputStream().write(frame.array(), 0, frame.readableBytes());
        return requests;
    }

    /** Sends a request, and waits for its answer. */
    Message ask(Message message) throws IOException {
        return await(send(message));
    }

    /** Waits for the reason for which the gateway ends the connection. */
    Message closing() throws IOException {
        Message message = await(0);
        while (!(message instanceof Message.Failed)) {
            message = await(0);
        }
        return message;
    }

    private Message await(int request) throws IOException {
        while (true) {
            byte[] frame = new byte[in.readInt()];
            in.readFully(frame);
            Frame answer = MessageCodec.decode(Unpooled.wrappedBuffer(frame));
            if (answer.request() == request) {
                return answer.message();
            }
        }
    }

    /** The number of a table. */
    int table(String name) throws IOException {
        return ((Message.Tables) ask(new Message.DescribeTables()))
                .tables().stream()
                        .filter(table -> table.name().equals(name))
                        .findFirst()
                        .orElseThrow()
                        .id();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
