package dev.rcc.transport.control;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

/**
 * A link that tests can disturb. It forwards the connections that are made to its port, until it is frozen or its connections are cut. A frozen link
 * keeps and accepts connections, but nothing arrives, as with a stopped process or a network that drops everything.
 */
public final class TcpProxy implements AutoCloseable {
    private final ServerSocket server;
    private final int target;
    private final List<Socket> sockets = new ArrayList<>();
    private boolean frozen;
    private boolean closed;

    /** Forwards to a port of this machine. */
    public TcpProxy(int target) throws IOException {
        this.server = new ServerSocket(0, 64, InetAddress.getLoopbackAddress());
        this.target = target;
        Thread.startVirtualThread(this::accept);
    }

    /** The address to connect to. */
    public InetSocketAddress address() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), server.getLocalPort());
    }

    /** From now on, nothing arrives. */
    public synchronized void freeze() {
        frozen = true;
    }

    /** From now on, everything arrives, including bytes that were sent meanwhile. */
    public synchronized void thaw() {
        frozen = false;
        notifyAll();
    }

    /** Ends all present connections. */
    public synchronized void cut() {
        for (Socket socket : sockets) {
            closeQuietly(socket);
        }
        sockets.clear();
    }

    @Override
    public synchronized void close() {
        closed = true;
        thaw();
        cut();
        try {
            server.close();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private void accept() {
        try {
            while (true) {
                Socket from = server.accept();
                Socket to = new Socket();
                synchronized (this) {
                    sockets.add(from);
                    sockets.add(to);
                    if (closed) {
                        cut();
                    }
                }
                Thread.startVirtualThread(() -> {
                    try {
                        awaitThaw();
                        to.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), target));
                        to.setTcpNoDelay(true);
                        from.setTcpNoDelay(true);
                        Thread.startVirtualThread(() -> pump(to, from));
                        pump(from, to);
                    } catch (IOException | InterruptedException e) {
                        closeQuietly(from);
                        closeQuietly(to);
                    }
                });
            }
        } catch (IOException e) {
            cut(); // the proxy was closed
        }
    }

    private void pump(Socket from, Socket to) {
        byte[] buffer = new byte[1 << 16];
        try {
            for (int bytes = from.getInputStream().read(buffer); bytes >= 0; ) {
                awaitThaw();
                to.getOutputStream().write(buffer, 0, bytes);
                bytes = from.getInputStream().read(buffer);
            }
            awaitThaw();
        } catch (IOException | InterruptedException e) {
            // One end is closed: now the other end is, too.
        }
        closeQuietly(from);
        closeQuietly(to);
    }

    private synchronized void awaitThaw() throws InterruptedException {
        while (frozen) {
            wait();
        }
    }

    private static void closeQuietly(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // the socket is closed
        }
    }
}
