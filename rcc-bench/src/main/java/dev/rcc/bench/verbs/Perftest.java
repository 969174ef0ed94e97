package dev.rcc.bench.verbs;

import dev.rcc.bench.verbs.VerbsTest.Measure;
import dev.rcc.bench.verbs.VerbsTest.Verb;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * perftest as a contender: for each measurement a server and a client, two processes on this machine that find each other
 * by TCP, as in its manual. Their output goes to files, since a process that fills a pipe blocks.
 */
final class Perftest implements Contender {
    private static final long LIMIT_SECONDS = 60;
    private static final long LISTEN_POLL_MILLIS = 10;
    /** Each run compares the processor's counter with the system's clock anew; other load on the machine spoils few of the runs. */
    private static final int RUNS_FOR_A_CLOCK = 3;

    private static final String LISTENING = "0A";
    private static final String LOOPBACK = "127.0.0.1";

    private final VerbsBenchConfig config;
    private final int gidIndex;
    private final int mtuBytes;
    private final List<Path> path;
    private final Path directory;
    private final Map<VerbsTest, Integer> inlineBytes = new EnumMap<>(VerbsTest.class);

    /** A contender for a device's GID index and path MTU, with the programs in {@code path}. */
    Perftest(VerbsBenchConfig config, int gidIndex, int mtuBytes, List<Path> path) throws IOException {
        this.config = config;
        this.gidIndex = gidIndex;
        this.mtuBytes = mtuBytes;
        this.path = List.copyOf(path);
        this.directory = Files.createTempDirectory("rcc-perftest");
    }

    /** The folders of the PATH. */
    static List<Path> systemPath() {
        return Stream.of(System.getenv().getOrDefault("PATH", "/usr/bin").split(":"))
                .filter(folder -> !folder.isEmpty())
                .map(Path::of)
                .toList();
    }

    /**
     * Checks that the programs of all tests are there.
     *
     * @throws MeasurementFailed when a program is missing; the message names the package
     */
    void requirePrograms() {
        config.tests().forEach(test -> find(test.program()));
    }

    @Override
    public double measure(VerbsTest test, int bytes) throws IOException, InterruptedException {
        PerftestOutput output = run(test, bytes);
        for (int runs = 1; output.hasNoClock() && runs < RUNS_FOR_A_CLOCK; runs++) {
            output = run(test, bytes);
        }
        if (output.hasNoClock()) {
            throw failed(
                    test,
                    "in " + RUNS_FOR_A_CLOCK + " runs it could not determine the frequency of the processor's counter;"
                            + " is this machine very busy?");
        }
        if (output.bytes() != bytes) {
            throw failed(test, "it measured " + output.bytes() + " bytes, not " + bytes);
        }
        inlineBytes.put(test, output.setting("Max inline data").orElse(0));
        return test.measure() == Measure.LATENCY ? output.typicalMicros() : output.messagesPerSecond();
    }

    private PerftestOutput run(VerbsTest test, int bytes) throws IOException, InterruptedException {
        Path program = find(test.program());
        int port = freePort();
        Path serverLog = directory.resolve("server.txt");
        Path clientLog = directory.resolve("client.txt");
        Process server = start(arguments(program, test, bytes, port), serverLog);
        try {
            awaitListening(server, port, serverLog, test);
            List<String> arguments = arguments(program, test, bytes, port);
            arguments.add(LOOPBACK);
            Process client = start(arguments, clientLog);
            try {
                awaitEnd(client, clientLog, test, "client");
                awaitEnd(server, serverLog, test, "server");
            } finally {
                client.destroyForcibly();
            }
        } finally {
            server.destroyForcibly();
        }
        return parse(test, Files.readString(clientLog));
    }

    /** The size up to which messages travelled inline in the last measurement: perftest sends inline on certain devices only. */
    int inlineBytes(VerbsTest test) {
        return inlineBytes.getOrDefault(test, 0);
    }

    @Override
    public void close() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(directory);
    }

    /** The command line of either side; the client's has the host in addition. */
    List<String> arguments(Path program, VerbsTest test, int bytes, int port) {
        List<String> arguments = new ArrayList<>(List.of(
                program.toString(),
                "-d",
                config.device(),
                "-p",
                Integer.toString(port),
                "-x",
                Integer.toString(gidIndex),
                "-m",
                Integer.toString(mtuBytes),
                "-n",
                Integer.toString(config.iterations(test)),
                "-F")); // no warning about the clock's frequency; it changes nothing else
        if (test.verb() != Verb.FETCH_ADD) {
            add(arguments, "-s", bytes);
        }
        if (test.verb() == Verb.READ || test.verb() == Verb.FETCH_ADD) {
            add(arguments, "-o", VerbsBenchConfig.OUTSTANDING_READS);
        }
        if (test.measure() == Measure.RATE) {
            add(arguments, "-t", VerbsBenchConfig.QUEUE_DEPTH);
            add(arguments, "-Q", VerbsBenchConfig.MESSAGES_PER_COMPLETION);
            arguments.add("-N"); // no peak rate, for which it would read the clock at every message
        } else if (test.verb() == Verb.WRITE || test.verb() == Verb.SEND) {
            add(arguments, "-I", VerbsBenchConfig.INLINE_BYTES);
        }
        if (test.verb() == Verb.SEND) {
            add(arguments, "-r", VerbsBenchConfig.RECEIVE_DEPTH);
        }
        return arguments;
    }

    private static void add(List<String> arguments, String option, int value) {
        arguments.add(option);
        arguments.add(Integer.toString(value));
    }

    private Path find(String program) {
        Optional<Path> found = path.stream()
                .map(folder -> folder.resolve(program))
                .filter(Files::isExecutable)
                .findFirst();
        return found.orElseThrow(() -> new MeasurementFailed(
                program + " is not installed; it comes with the package perftest (apt-get install perftest)"));
    }

    private static PerftestOutput parse(VerbsTest test, String text) {
        try {
            return PerftestOutput.parse(text);
        } catch (MeasurementFailed e) {
            throw failed(test, e.getMessage(), e);
        }
    }

    private Process start(List<String> arguments, Path log) throws IOException {
        return new ProcessBuilder(arguments)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
    }

    /** Waits by the system's tables of sockets: the server's output stays in its buffer, and a trial connection would use up its only one. */
    private void awaitListening(Process server, int port, Path log, VerbsTest test)
            throws IOException, InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        while (!isListening(port)) {
            if (server.waitFor(LISTEN_POLL_MILLIS, TimeUnit.MILLISECONDS)) {
                throw failed(test, "its server says: " + PerftestOutput.complaint(Files.readString(log)));
            }
            if (System.nanoTime() - deadline > 0) {
                throw failed(test, "its server does not listen after " + LIMIT_SECONDS + " s");
            }
        }
    }

    private static boolean isListening(int port) throws IOException {
        for (String table : List.of("/proc/net/tcp", "/proc/net/tcp6")) {
            Path file = Path.of(table);
            if (Files.exists(file) && hasListener(Files.readString(file), port)) {
                return true;
            }
        }
        return false;
    }

    /** Whether a table of TCP sockets, as the kernel prints it, has one that listens on the port. */
    static boolean hasListener(String table, int port) {
        String suffix = String.format(Locale.ROOT, ":%04X", port);
        return table.lines()
                .map(line -> line.strip().split("\\s+"))
                .anyMatch(columns -> columns.length > 3 && columns[1].endsWith(suffix) && columns[3].equals(LISTENING));
    }

    private static void awaitEnd(Process process, Path log, VerbsTest test, String side)
            throws IOException, InterruptedException {
        if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
            throw failed(test, "its " + side + " has not ended after " + LIMIT_SECONDS + " s");
        }
        if (process.exitValue() != 0) {
            throw failed(
                    test,
                    "its " + side + " ended with code " + process.exitValue() + " and says: "
                            + PerftestOutput.complaint(Files.readString(log)));
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static MeasurementFailed failed(VerbsTest test, String why) {
        return new MeasurementFailed(test.program() + ": " + why);
    }

    private static MeasurementFailed failed(VerbsTest test, String why, Throwable cause) {
        return new MeasurementFailed(test.program() + ": " + why, cause);
    }
}
