package dev.rcc.transport.handshake;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A dialler's end of the handshake on a plain socket, written only from the description of its bytes: for tests that are a peer, or only claim to be.
 * Any part of its messages can be wrong.
 */
@SuppressWarnings("ArrayRecordComponent") // clients are never compared
public record HandshakeClient(
        String secret,
        String cluster,
        int port,
        int dialler,
        int acceptor,
        long incarnation,
        int connection,
        byte[] context) {
    /** The kind of the control port. */
    public static final int CONTROL = 1;

    /** The kind of the port for data connections of {@code tcp}. */
    public static final int TCP_DATA = 2;

    /** The secret that nodes without a secret prove. */
    public static final String NO_SECRET = "nobody keeps this text a secret, as all of its readers know";

    /** Types of frames. */
    public static final byte CHALLENGE = 2;

    /** The type of a frame that accepts the dialler. */
    public static final byte ACCEPTED = 4;

    /** The type of a frame that refuses the dialler. */
    public static final byte REFUSED = 5;

    private static final byte[] LABEL = "rcc peers' handshake 1".getBytes(StandardCharsets.US_ASCII);
    private static final long MAGIC = 0x5243_4320_5045_4552L;
    private static final int BYTES = 32;

    /** The acceptor's answer: the type of its frame, its incarnation, and the reason of a refusal. */
    public record Answer(byte type, long incarnation, String reason) {}

    /** Node {@code dialler} that dials the control port of node {@code acceptor}. */
    public static HandshakeClient control(String secret, String cluster, int dialler, int acceptor, long incarnation) {
        return new HandshakeClient(secret, cluster, CONTROL, dialler, acceptor, incarnation, 0, new byte[0]);
    }

    /** Does the whole handshake. */
    public Answer shakeHands(Socket socket) throws IOException {
        byte[] nonce = new byte[BYTES];
        new SecureRandom().nextBytes(nonce);
        socket.getOutputStream().write(hello(nonce));
        DataInputStream in = new DataInputStream(socket.getInputStream());
        Answer refusal = readAnswer(in);
        if (refusal.type() != CHALLENGE) {
            return refusal;
        }
        byte[] challenge = in.readNBytes(BYTES);
        socket.getOutputStream().write(proof(prove(1, 0, nonce, challenge)));
        Answer answer = readAnswer(in);
        if (answer.type() == ACCEPTED) {
            byte[] proof = in.readNBytes(BYTES);
            if (!Arrays.equals(proof, prove(2, answer.incarnation(), nonce, challenge))) {
                throw new IOException("the acceptor does not prove itself");
            }
        }
        return answer;
    }

    /** Reads a frame up to its nonce or proof, which can be any bytes. */
    public static Answer readAnswer(DataInputStream in) throws IOException {
        byte type = in.readByte();
        return switch (type) {
            case ACCEPTED -> new Answer(type, in.readLong(), "");
            case REFUSED ->
                new Answer(type, 0, new String(in.readNBytes(in.readUnsignedShort()), StandardCharsets.UTF_8));
            default -> new Answer(type, 0, "");
        };
    }

    /** The first frame. */
    public byte[] hello(byte[] nonce) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeByte(1);
        out.writeLong(MAGIC);
        out.writeByte(1);
        out.writeByte(port);
        out.writeInt(dialler);
        out.writeInt(acceptor);
        out.writeLong(incarnation);
        out.writeInt(connection);
        out.write(nonce);
        return bytes.toByteArray();
    }

    /** The second frame. */
    public static byte[] proof(byte[] proof) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.write(3);
        bytes.write(proof);
        return bytes.toByteArray();
    }

    /** The proof of end {@code who}: 1 for the dialler and 2 for the acceptor. */
    public byte[] prove(int who, long acceptorIncarnation, byte[] nonce, byte[] challenge) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        byte[] name = cluster.getBytes(StandardCharsets.UTF_8);
        out.write(LABEL);
        out.writeByte(who);
        out.writeByte(port);
        out.writeInt(dialler);
        out.writeInt(acceptor);
        out.writeLong(incarnation);
        out.writeLong(acceptorIncarnation);
        out.writeInt(connection);
        out.write(nonce);
        out.write(challenge);
        out.writeInt(name.length);
        out.write(name);
        out.writeInt(context.length);
        out.write(context);
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
            return mac.doFinal(bytes.toByteArray());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
