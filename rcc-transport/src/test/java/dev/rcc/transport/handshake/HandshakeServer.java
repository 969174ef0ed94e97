package dev.rcc.transport.handshake;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.security.SecureRandom;

/** An acceptor's end of the handshake on a plain socket, for tests that play a peer which is dialled. */
public final class HandshakeServer {
    private static final int BYTES = 32;

    private HandshakeServer() {}

    /** Does the whole handshake, and accepts any proof of the dialler. */
    public static void accept(Socket socket, String secret, String cluster, long incarnation) throws IOException {
        DataInputStream in = new DataInputStream(socket.getInputStream());
        DataOutputStream out = new DataOutputStream(socket.getOutputStream());
        in.skipNBytes(1 + 8 + 1); // type, magic, version
        HandshakeClient dialler = new HandshakeClient(
                secret, cluster, in.readByte(), in.readInt(), in.readInt(), in.readLong(), in.readInt(), new byte[0]);
        byte[] nonce = in.readNBytes(BYTES);
        byte[] challenge = new byte[BYTES];
        new SecureRandom().nextBytes(challenge);
        out.writeByte(HandshakeClient.CHALLENGE);
        out.write(challenge);
        in.skipNBytes(1 + BYTES); // its proof
        out.writeByte(HandshakeClient.ACCEPTED);
        out.writeLong(incarnation);
        out.write(dialler.prove(2, incarnation, nonce, challenge));
        out.flush();
    }
}
