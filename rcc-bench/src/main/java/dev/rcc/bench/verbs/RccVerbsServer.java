package dev.rcc.bench.verbs;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;

/**
 * The second JVM of {@link RccVerbs}: follows the control connection until the connection ends.
 *
 * <pre>
 *  client                                    server
 *    device, GID index ------------------------&gt;
 *    test, bytes, inline bytes, address -------&gt;        once a measurement
 *    &lt;-------------------------------- address
 *    runs, iterations -------------------------&gt;        once a warm-up and once for the measurement,
 *    &lt;---------------------------------- begun          if the server has anything to do in the test
 *    &lt;----------------------------------- done
 *    0 ----------------------------------------&gt;
 *    &lt;-------------------------------------- 0
 * </pre>
 */
final class RccVerbsServer {
    private RccVerbsServer() {}

    /** Connects to the client on the port that is the only argument. */
    public static void main(String[] args) throws IOException {
        try (Socket control = new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(args[0]))) {
            control.setTcpNoDelay(true);
            serve(new DataInputStream(control.getInputStream()), new DataOutputStream(control.getOutputStream()));
        }
    }

    private static void serve(DataInputStream in, DataOutputStream out) throws IOException {
        String device = in.readUTF();
        try (VerbsSide side = new VerbsSide(device, in.readInt())) {
            while (true) {
                VerbsTest test;
                try {
                    test = VerbsTest.valueOf(in.readUTF());
                } catch (EOFException e) {
                    return; // the client is done
                }
                serve(side, test, in, out);
            }
        }
    }

    private static void serve(VerbsSide side, VerbsTest test, DataInputStream in, DataOutputStream out)
            throws IOException {
        int bytes = in.readInt();
        try (VerbsLink link = new VerbsLink(side, test, bytes, in.readInt())) {
            LinkAddress client = LinkAddress.read(in);
            link.connect(client);
            link.address().write(out);
            for (int runs = in.readInt(); runs > 0; runs = in.readInt()) {
                int iterations = in.readInt();
                long[] times = new long[iterations];
                out.writeInt(1);
                for (int i = 0; i < runs; i++) {
                    link.runServer(iterations, times);
                }
                out.writeInt(1);
            }
            out.writeInt(0);
        }
    }
}
