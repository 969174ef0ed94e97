package dev.rcc.it;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Ports for servers that tests start. */
final class Ports {
    /** Below those that the system gives to connections: other tests make thousands of them before a server has started. */
    private static final int FIRST = 10_000;

    private static final int END = 32_000;
    private static final int ATTEMPTS = 1_000;

    private Ports() {}

    /** Different ports of the loopback interface that are free now. */
    static List<Integer> free(int count) throws IOException {
        Random random = new Random();
        List<ServerSocket> sockets = new ArrayList<>();
        try {
            for (int attempt = 0; sockets.size() < count; attempt++) {
                try {
                    sockets.add(new ServerSocket(random.nextInt(FIRST, END), 1, InetAddress.getLoopbackAddress()));
                } catch (BindException e) {
                    if (attempt == ATTEMPTS) {
                        throw e;
                    }
                }
            }
            return sockets.stream().map(ServerSocket::getLocalPort).toList();
        } finally {
            for (ServerSocket socket : sockets) {
                socket.close();
            }
        }
    }
}
