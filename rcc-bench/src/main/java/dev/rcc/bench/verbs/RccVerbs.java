package dev.rcc.bench.verbs;

import dev.rcc.bench.verbs.VerbsTest.Measure;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToIntFunction;

/**
 * RCC's verbs as a contender: this process is the client, a second JVM is the server, as perftest's are two processes. (Two
 * threads of one JVM would not be the same: an event that stops one, such as the replacement of a compiled method, stops
 * both.) Each measurement has its own connection. Unlike a C program, a JVM has to run a loop for a while before the loop is
 * compiled. So each test is run first without being measured, longer the first time.
 */
final class RccVerbs implements Contender {
    private static final int START_SECONDS = 60;
    private static final int END_SECONDS = 5;
    /** Short runs, so that the JIT compiles the loops as methods and not just on the stack. */
    private static final int WARMUP_ITERATIONS = 16;

    private static final int RUNS_OF_A_TURN = 60;
    /** About as many as the JIT's second compiler requires; a very slow machine makes fewer. */
    private static final int FIRST_WARMUP_TURNS = 25;

    private static final long FIRST_WARMUP_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long COMPILING_NANOS = TimeUnit.MILLISECONDS.toNanos(300);
    private static final double NANOS_PER_MICRO = 1_000;
    private static final double NANOS_PER_SECOND = 1e9;

    private final VerbsBenchConfig config;
    private final VerbsSide side;
    private final ToIntFunction<VerbsTest> inlineBytes;
    private final Set<VerbsTest> warm = EnumSet.noneOf(VerbsTest.class);
    private final Process server;
    private final Socket control;
    private final DataInputStream in;
    private final DataOutputStream out;

    /**
     * Starts the second JVM.
     *
     * @param inlineBytes the size up to which the messages of a test travel inline
     */
    RccVerbs(VerbsBenchConfig config, VerbsSide side, ToIntFunction<VerbsTest> inlineBytes) throws IOException {
        this.config = config;
        this.side = side;
        this.inlineBytes = inlineBytes;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            socket.setSoTimeout((int) TimeUnit.SECONDS.toMillis(START_SECONDS));
            server = new ProcessBuilder(command(socket.getLocalPort()))
                    .inheritIO()
                    .start();
            control = accept(socket);
        }
        control.setTcpNoDelay(true);
        in = new DataInputStream(control.getInputStream());
        out = new DataOutputStream(control.getOutputStream());
        out.writeUTF(config.device());
        out.writeInt(side.gid().index());
    }

    private Socket accept(ServerSocket socket) throws IOException {
        try {
            return socket.accept();
        } catch (IOException e) {
            server.destroyForcibly();
            throw e;
        }
    }

    private static List<String> command(int port) {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-Xmx128m",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                RccVerbsServer.class.getName(),
                Integer.toString(port));
    }

    @Override
    public double measure(VerbsTest test, int bytes) throws IOException {
        int inline = inlineBytes.applyAsInt(test);
        boolean isFirst = warm.add(test);
        int iterations = config.iterations(test);
        try (VerbsLink link = new VerbsLink(side, test, bytes, inline)) {
            out.writeUTF(test.name());
            out.writeInt(bytes);
            out.writeInt(inline);
            link.address().write(out);
            link.connect(LinkAddress.read(in));
            long[] times = new long[iterations];
            if (isFirst) {
                long start = System.nanoTime();
                for (int turn = 0;
                        turn < FIRST_WARMUP_TURNS && System.nanoTime() - start < FIRST_WARMUP_NANOS;
                        turn++) {
                    warmUp(link, test, times);
                }
                LockSupport.parkNanos(COMPILING_NANOS);
            }
            warmUp(link, test, times);
            begin(test, 1, iterations);
            long nanos = link.runClient(iterations, times);
            end(test);
            out.writeInt(0);
            if (in.readInt() != 0) {
                throw new IOException("the server's JVM and this one are at different steps of the protocol");
            }
            return test.measure() == Measure.LATENCY
                    ? typicalNanos(times) / NANOS_PER_MICRO / (test.needsBothSides() ? 2 : 1)
                    : iterations * NANOS_PER_SECOND / nanos;
        } catch (EOFException e) {
            throw new MeasurementFailed(test.program() + ": the server's JVM has ended; see its output above", e);
        }
    }

    private void warmUp(VerbsLink link, VerbsTest test, long[] times) throws IOException {
        int iterations = Math.min(WARMUP_ITERATIONS, times.length);
        begin(test, RUNS_OF_A_TURN, iterations);
        for (int i = 0; i < RUNS_OF_A_TURN; i++) {
            link.runClient(iterations, times);
        }
        end(test);
    }

    /** Starts the server's part of a test, if it has one, and waits until it has begun. */
    private void begin(VerbsTest test, int runs, int iterations) throws IOException {
        if (test.needsBothSides()) {
            out.writeInt(runs);
            out.writeInt(iterations);
            in.readInt();
        }
    }

    private void end(VerbsTest test) throws IOException {
        if (test.needsBothSides()) {
            in.readInt();
        }
    }

    /** The median of the times from one post to the next. */
    private static double typicalNanos(long[] times) {
        long[] nanos = new long[times.length - 1];
        for (int i = 0; i < nanos.length; i++) {
            nanos[i] = times[i + 1] - times[i];
        }
        Arrays.sort(nanos);
        return nanos[nanos.length / 2];
    }

    @Override
    public void close() throws IOException {
        control.close();
        try {
            if (!server.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                server.destroyForcibly();
            }
        } catch (InterruptedException e) {
            server.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
