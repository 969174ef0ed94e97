package dev.rcc.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.client.CallOptions;
import dev.rcc.core.testing.SourceTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** The {@code rcc} command in a process of its own, whose output goes to files. */
final class RccProcess implements AutoCloseable {
    private static final boolean IS_IN_LAB = "guest".equals(System.getenv("RCC_LAB"));
    /** Guards against hangs only; nothing is expected to take that long. */
    static final long HANG_SECONDS = Long.getLong("rcc.hang.seconds", IS_IN_LAB ? 240 : 180);

    /** The time in which a JVM on a busy machine writes down its threads. */
    private static final long DUMP_SECONDS = 5;

    /** For clients of the processes: on a machine that does other things, a transaction takes as long as it takes. */
    static final CallOptions PATIENT =
            CallOptions.DEFAULT.withDeadline(Duration.ofSeconds(HANG_SECONDS)).withMaxAttempts(100_000);

    /** The directory of the cluster, in that of the test. */
    static final String CLUSTER = "c";

    private static final ObjectMapper MAPPER = new ObjectMapper();
    /** For trees without a jar. */
    private static final String CLASS_PATH = System.getProperty("rcc.command.class.path", "");

    static final Path JAR = SourceTree.root().resolve("rcc-bench/target/rcc.jar");

    private final List<String> command;
    private final Process process;
    private final Path out;
    private final Path err;

    private RccProcess(List<String> command, Process process, Path out, Path err) {
        this.command = command;
        this.process = process;
        this.out = out;
        this.err = err;
    }

    /** Starts the command in a directory. */
    static RccProcess start(Path directory, List<String> arguments) throws IOException {
        return start(directory, List.of(), arguments);
    }

    /** Starts the command in a directory, in a JVM with more options, which override those that it has anyway. */
    static RccProcess start(Path directory, List<String> jvmOptions, List<String> arguments) throws IOException {
        List<String> command = command(jvmOptions);
        if (!IS_IN_LAB && CLASS_PATH.isEmpty()) {
            command.addAll(1, List.of("-XX:AOTCache=" + NodeArchive.FILE, "-Xlog:aot=error", "-Xlog:cds=error"));
        }
        command.addAll(arguments);
        return launch(directory, command);
    }

    static RccProcess launch(Path directory, List<String> command) throws IOException {
        Path out = Files.createTempFile(directory, "out", ".txt");
        Path err = Files.createTempFile(directory, "err", ".txt");
        Process process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        return new RccProcess(command, process, out, err);
    }

    /** How the command is started. */
    static List<String> command(List<String> jvmOptions) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-ea",
                "-Xmx512m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1", // these processes live for seconds, and most that they do is to start
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "--enable-native-access=ALL-UNNAMED"));
        command.addAll(jvmOptions);
        if (CLASS_PATH.isEmpty()) {
            assertThat(JAR).as("built by the package phase of rcc-bench").isRegularFile();
            command.addAll(List.of("-jar", JAR.toString()));
        } else {
            command.addAll(List.of("-cp", CLASS_PATH, "dev.rcc.bench.cli.Rcc"));
        }
        return command;
    }

    /** Brings up a cluster, whose directory is {@link #CLUSTER}, and waits until it runs. */
    static RccProcess up(Path directory, String... options) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("cluster", "up", "--dir", CLUSTER));
        command.addAll(List.of(options));
        RccProcess up = start(directory, command);
        try {
            up.awaitOut("The cluster runs");
            return up;
        } catch (AssertionError e) {
            up.dumpThreads();
            String logs = logs(directory.resolve(CLUSTER));
            up.close();
            throw new AssertionError(up + "\n" + logs, e);
        } catch (InterruptedException e) {
            up.close();
            throw e;
        }
    }

    /** The logs of a cluster's nodes. */
    private static String logs(Path cluster) throws IOException {
        if (!Files.isDirectory(cluster)) {
            return "there is no " + cluster;
        }
        try (Stream<Path> files = Files.list(cluster)) {
            return files.filter(file -> file.toString().endsWith(".log"))
                    .sorted()
                    .map(file -> file.getFileName() + ":\n" + read(file))
                    .collect(Collectors.joining("\n"));
        }
    }

    /** The output of {@code cluster status} for the cluster that {@link #up} has brought up. */
    static JsonNode status(Path directory) {
        String cluster = directory.resolve(CLUSTER).toString();
        return MAPPER.readTree(CommandResult.here("cluster", "status", "--dir", cluster, "--json")
                .out());
    }

    /** Runs the command to its end. */
    static RccProcess run(Path directory, String... arguments) throws IOException, InterruptedException {
        RccProcess process = start(directory, List.of(arguments));
        process.exitCode();
        return process;
    }

    Process process() {
        return process;
    }

    String out() {
        return read(out);
    }

    String err() {
        return read(err);
    }

    /** Waits for the end. */
    int exitCode() throws InterruptedException {
        if (!process.waitFor(HANG_SECONDS, TimeUnit.SECONDS)) {
            dumpThreads();
            process.destroyForcibly().waitFor();
            throw new AssertionError(this + " hangs");
        }
        return process.exitValue();
    }

    /** Has the JVM, and those that it has started, write the state of their threads to their outputs. */
    private void dumpThreads() throws InterruptedException {
        try {
            for (ProcessHandle each : Stream.concat(Stream.of(process.toHandle()), process.descendants())
                    .toList()) {
                new ProcessBuilder("kill", "-QUIT", String.valueOf(each.pid()))
                        .start()
                        .waitFor();
            }
        } catch (IOException e) {
            throw new AssertionError(this + " hangs, and its thread dump cannot be requested", e);
        }
        process.waitFor(DUMP_SECONDS, TimeUnit.SECONDS);
    }

    /** Waits until processes have ended and are forgotten: one whose parent has ended first is dead before the system's first process asks for it. */
    static void awaitEnd(List<ProcessHandle> processes) throws InterruptedException {
        await("the end of " + processes, () -> processes.stream().noneMatch(ProcessHandle::isAlive));
    }

    /** Waits until its output contains a text. */
    void awaitOut(String text) throws InterruptedException {
        await(this + " says '" + text + "'", () -> out().contains(text) || !process.isAlive());
        assertThat(out()).as("%s", this).contains(text);
    }

    /** Kills the processes of nodes, as a cluster's status has them, and waits until all have ended. */
    static void kill(List<JsonNode> nodes) {
        List<ProcessHandle> processes = nodes.stream()
                .map(node -> ProcessHandle.of(node.get("pid").asLong()).orElseThrow())
                .toList();
        processes.forEach(ProcessHandle::destroyForcibly);
        processes.forEach(process -> process.onExit().join());
    }

    /** Waits until a condition holds. */
    static void await(String what, BooleanSupplier condition) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(HANG_SECONDS);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - deadline)
                    .as("nanoseconds until %s", what)
                    .isNegative();
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Ends it by force, if it still runs. */
    @Override
    public void close() {
        process.destroy();
        boolean ended = process.onExit()
                .thenApply(each -> true)
                .completeOnTimeout(false, HANG_SECONDS, TimeUnit.SECONDS)
                .join();
        if (!ended) {
            process.destroyForcibly();
        }
    }

    @Override
    public String toString() {
        return command + ", which said\n" + out() + err();
    }
}
