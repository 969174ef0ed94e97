package dev.rcc.bench.verbs;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * In the role of one of perftest's programs: the server waits for the client, the client prints a text. Its first argument
 * names the file with the text.
 */
final class FakePerftest {
    private FakePerftest() {}

    @SuppressWarnings("AddressSelection") // the loopback address itself
    public static void main(String[] args) throws IOException {
        List<String> arguments = List.of(args);
        int port = Integer.parseInt(arguments.get(arguments.indexOf("-p") + 1));
        String host = arguments.getLast();
        if (host.equals("127.0.0.1")) {
            new Socket(host, port).close();
            System.out.print(Files.readString(Path.of(args[0])));
        } else {
            try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                socket.accept().close();
            }
        }
    }
}
