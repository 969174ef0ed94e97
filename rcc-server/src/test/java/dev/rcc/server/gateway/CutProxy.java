package dev.rcc.server.gateway;

import dev.rcc.client.wire.Frame;
import dev.rcc.client.wire.Message;
import dev.rcc.client.wire.MessageCodec;
import dev.rcc.client.wire.Wire;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiPredicate;

/** Stands between a client and a gateway, and cuts the connection when it sees a frame of a certain type. */
final class CutProxy implements AutoCloseable {
    static final int HELLO = 0x01;
    static final int COMMIT = 0x09;
    static final int ABORT = 0x0A;
    static final int VALUE = 0x84;
    static final int DONE = 0x85;
    static final int COMMITTED = 0x89;
    static final int CALL = 0x0D;
    static final int PATCH = 0x11;
    static final int AUTOCOMMIT = 0x17;
    static final int RETURNED = 0x8D;
    static final int AUTOCOMMITTED = 0x97;

    /** The offset of a hello's greatest version: behind type, request, magic number and least version. */
    private static final int MAX_VERSION_OFFSET = 1 + 4 + 4 + 2;

    private final ServerSocket server;
    private final String target;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    /** Whether a frame of this type, from the client or not, is the end of its connection and not passed on. */
    private volatile BiPredicate<Integer, Boolean> cut = (type, fromClient) -> false;

    /** The greatest version that a client's hello may announce. */
    private volatile int maxVersion = Wire.VERSION;

    /** The frame that a client gets in place of the one at which its connection is cut. */
    private volatile byte[] closing = {};

    CutProxy(String target) throws IOException {
        this.target = target;
        this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    String address() {
        return "127.0.0.1:" + server.getLocalPort();
    }

    /** Cuts at the next frame of this type, when {@code then} has run, and at every frame after it. */
    void dieAt(int type, Runnable then) {
        AtomicBoolean dead = new AtomicBoolean();
        cut = (seen, fromClient) -> {
            if (seen == type && dead.compareAndSet(false, true)) {
                then.run();
            }
            return dead.get();
        };
    }

    /** Cuts at the next frame of this type, and never again. */
    void cutOnceAt(int type) {
        cut = (seen, fromClient) -> {
            if (seen != type) {
                return false;
            }
            cut = (t, f) -> false;
            return true;
        };
    }

    /**
     * Passes answers on only when as many commits have come as first requests of a transaction: a client that waits for any other answer waits
     * in vain.
     *
     * @param operations counts the commits
     */
    void holdAnswersUntilCommits(AtomicInteger operations) {
        Semaphore commits = new Semaphore(0);
        cut = (type, fromClient) -> {
            if (fromClient && type == COMMIT) {
                operations.incrementAndGet();
                commits.release();
            } else if (!fromClient && type != COMMITTED) {
                commits.acquireUninterruptibly();
                commits.release();
            } else if (!fromClient) {
                commits.acquireUninterruptibly();
            }
            return false;
        };
    }

    /** Passes everything on, and counts the client's frames of this type. */
    void count(int type, AtomicInteger seen) {
        cut = (each, fromClient) -> {
            if (fromClient && each == type) {
                seen.incrementAndGet();
            }
            return false;
        };
    }

    /** Passes everything on, and notes the types of the client's frames in turn. */
    void note(Queue<Integer> types) {
        cut = (each, fromClient) -> {
            if (fromClient) {
                types.add(each);
            }
            return false;
        };
    }

    /** Passes nothing on any more, and closes nothing: as if the machines behind it had no power. */
    void freeze() {
        cut = (type, fromClient) -> waitForEver();
    }

    /** Passes on the client's frames, but no answer from the next one of this type on; closes nothing. Runs {@code then} when that answer comes. */
    void silenceAnswersFrom(int answer, Runnable then) {
        cut = (type, fromClient) -> {
            if (type != answer) {
                return false;
            }
            then.run();
            return waitForEver();
        };
    }

    private static boolean waitForEver() {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return true;
    }

    /** Makes the gateway one of an earlier version, for clients that come from now on. */
    void speakAtMost(int version) {
        maxVersion = version;
    }

    /** The last message that the client gets when it is cut. */
    void closeWith(Message message) {
        ByteBuf bytes = Unpooled.buffer();
        MessageCodec.encode(new Frame(0, message), bytes);
        closing = ByteBufUtil.getBytes(bytes);
    }

    private void accept() {
        try {
            while (true) {
                Socket client = server.accept();
                int colon = target.lastIndexOf(':');
                Socket gateway = new Socket(target.substring(0, colon), Integer.parseInt(target.substring(colon + 1)));
                sockets.add(client);
                sockets.add(gateway);
                Thread.ofVirtual().start(() -> pump(client, gateway, true));
                Thread.ofVirtual().start(() -> pump(gateway, client, false));
            }
        } catch (IOException closed) {
            // the test is over
        }
    }

    private void pump(Socket from, Socket to, boolean fromClient) {
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            while (true) {
                byte[] length = in.readNBytes(4);
                if (length.length < 4) {
                    return;
                }
                byte[] frame = in.readNBytes(ByteBuffer.wrap(length).getInt());
                if (cut.test(frame[0] & 0xFF, fromClient)) {
                    (fromClient ? from : to).getOutputStream().write(closing);
                    return;
                }
                if (fromClient && frame[0] == HELLO) {
                    ByteBuffer.wrap(frame).putShort(MAX_VERSION_OFFSET, (short) maxVersion);
                }
                out.write(length);
                out.write(frame);
                out.flush();
            }
        } catch (IOException closed) {
            // the other direction sees it, too
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
