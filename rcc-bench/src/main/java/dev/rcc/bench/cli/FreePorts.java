package dev.rcc.bench.cli;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Ports for nodes that are to be started. */
public final class FreePorts {
    private static final int FIRST = 15_000;
    private static final int END = 32_000;
    private static final int ATTEMPTS = 1_000;

    private FreePorts() {}

    /**
     * Different ports of the loopback interface that are free now. If another process takes one meanwhile, the node's start fails with a message.
     * No port is of the range that the system gives to connections: a node may listen much later, such as again after a benchmark.
     *
     * @throws IOException if hardly any port is free
     */
    public static List<Integer> draw(int count) throws IOException {
        List<ServerSocket> sockets = new ArrayList<>();
        try {
            Random random = new Random();
            List<Integer> ports = new ArrayList<>();
            for (int attempt = 0; ports.size() < count; attempt++) {
                int port = random.nextInt(FIRST, END);
                try {
                    sockets.add(new ServerSocket(port, 1, InetAddress.getLoopbackAddress()));
                    ports.add(port);
                } catch (BindException e) {
                    if (attempt == ATTEMPTS) {
                        throw e;
                    }
                }
            }
            return ports;
        } finally {
            for (ServerSocket socket : sockets) {
                socket.close();
            }
        }
    }
}
