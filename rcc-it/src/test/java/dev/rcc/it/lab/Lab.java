package dev.rcc.it.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.testing.SourceTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/** A run of {@code rcc lab}, as users start it. */
final class Lab {
    private static final long HANG_SECONDS = 660;

    private final Process process;
    private final Path out;
    private final Path err;

    private Lab(Process process, Path out, Path err) {
        this.process = process;
        this.out = out;
        this.err = err;
    }

    record Ended(int exitCode, String out, String err) {}

    /** The command line that runs the lab with {@code arguments}. */
    static List<String> command(String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(SourceTree.root().resolve("rcc").toString());
        command.add("lab");
        command.addAll(List.of(arguments));
        return command;
    }

    /**
     * Skips the test where the lab's packages are missing, unless this is a build that must not skip anything (CI=true, as
     * everywhere).
     */
    static void assumeReady(Path directory, String... options) throws Exception {
        List<String> arguments = new ArrayList<>(List.of(options));
        arguments.add("--check");
        Ended check =
                start(directory, Map.of(), arguments.toArray(String[]::new)).await();
        if ("true".equals(System.getenv("CI"))) {
            assertThat(check.exitCode).as(check.err).isZero();
        }
        Assumptions.assumeTrue(check.exitCode == 0, check.err);
    }

    /** Starts the lab with this directory as the current one, and with additions to its environment. */
    static Lab start(Path directory, Map<String, String> environment, String... arguments) throws IOException {
        Path out = Files.createTempFile(directory, "out", "");
        Path err = Files.createTempFile(directory, "err", "");
        List<String> command = command(arguments);
        // A build in the background of a shell ignores interrupts, and so do its children, whatever they would do.
        command.addAll(0, List.of("env", "--default-signal=INT"));
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment().putAll(environment);
        return new Lab(builder.start(), out, err);
    }

    /** The process of the script. */
    ProcessHandle handle() {
        return process.toHandle();
    }

    /** Waits until the guest's emulator runs, and returns it. */
    ProcessHandle awaitEmulator() throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(HANG_SECONDS);
        while (System.nanoTime() - deadline < 0 && process.isAlive()) {
            var emulator = process.descendants()
                    .filter(p -> p.info().command().orElse("").contains("qemu-system"))
                    .findAny();
            if (emulator.isPresent()) {
                return emulator.get();
            }
            process.waitFor(10, TimeUnit.MILLISECONDS);
        }
        throw new AssertionError("no emulator was started");
    }

    /** Waits until the process has ended. */
    static void awaitEnd(ProcessHandle ending) throws Exception {
        CompletableFuture<ProcessHandle> end = ending.onExit();
        end.get(HANG_SECONDS, TimeUnit.SECONDS);
    }

    /** Waits for the lab's end. */
    Ended await() throws IOException, InterruptedException {
        if (!process.waitFor(HANG_SECONDS, TimeUnit.SECONDS)) {
            process.destroy();
            process.waitFor(10, TimeUnit.SECONDS);
            process.destroyForcibly().waitFor();
            throw new AssertionError("the lab hangs; it said " + Files.readString(out) + Files.readString(err));
        }
        return new Ended(process.exitValue(), Files.readString(out), Files.readString(err));
    }
}
