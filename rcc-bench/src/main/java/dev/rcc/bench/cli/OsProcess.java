package dev.rcc.bench.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Processes of this machine, which need not be children of this one. */
final class OsProcess {
    private static final long LOOK_MILLIS = 20;
    /** The system reports a process's start less precisely than a file's time. */
    private static final long CLOCK_SECONDS = 1;

    private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");
    /** The field for the start, in the system's ticks since it started, of those behind the program's name. */
    private static final int START_FIELD = 19;

    private OsProcess() {}

    /**
     * A text for the start of a process that differs for all processes that ever have its id. It stays the same when the system's clock is set:
     * {@link ProcessHandle.Info#startInstant} is then another time in each JVM that starts later. Where the system does not report the ticks it is
     * that time, and empty for a process that is gone.
     */
    static String start(ProcessHandle process) {
        try {
            String stat = stat(process.pid());
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            return Files.readString(BOOT).strip() + "+" + fields[START_FIELD];
        } catch (IOException e) {
            return process.info().startInstant().map(Instant::toString).orElse("");
        }
    }

    private static String stat(long pid) throws IOException {
        return Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
    }

    /** The process with this id and {@link #start}, if it lives. */
    static Optional<ProcessHandle> of(long pid, String start) {
        return ProcessHandle.of(pid)
                .filter(OsProcess::isAlive)
                .filter(process -> start(process).equals(start));
    }

    /**
     * The process whose id a file names, if it lives. The process began before the file was written: a process that began later has reused the id
     * of a dead one. Wrong after the system's clock was set; {@link #of} is not.
     */
    static Optional<ProcessHandle> namedBy(Path file, long pid) {
        return ProcessHandle.of(pid).filter(OsProcess::isAlive).filter(process -> beganBefore(file, process));
    }

    private static boolean beganBefore(Path file, ProcessHandle process) {
        try {
            Instant latest = Files.getLastModifiedTime(file).toInstant().plusSeconds(CLOCK_SECONDS);
            return process.info()
                    .startInstant()
                    .map(start -> !start.isAfter(latest))
                    .orElse(true);
        } catch (IOException e) {
            return false; // the file is gone, so it names no process
        }
    }

    /**
     * Whether a process lives. A dead process keeps its id until its parent reads its exit status, which the first process of a container may
     * never do. {@link ProcessHandle#isAlive} counts such a process as alive.
     */
    static boolean isAlive(ProcessHandle process) {
        return process.isAlive() && !isZombie(process.pid());
    }

    private static boolean isZombie(long pid) {
        return isInState(pid, "Z");
    }

    /** Whether a process lives but does not run before it gets the signal CONT. False where the system does not report that. */
    static boolean isStopped(long pid) {
        return isInState(pid, "T");
    }

    private static boolean isInState(long pid, String state) {
        try {
            String stat = stat(pid);
            return stat.startsWith(state, stat.lastIndexOf(')') + 2);
        } catch (IOException e) {
            return false; // not on this system, or gone by now
        }
    }

    /** Stops a process at any point of its execution, until it is asked to {@link #goOn}; has no effect on a dead one. */
    static void stop(ProcessHandle process) throws IOException, InterruptedException {
        signal("-STOP", process);
    }

    /** Lets a process that is stopped go on; has no effect on any other. */
    static void goOn(ProcessHandle process) throws IOException, InterruptedException {
        signal("-CONT", process);
    }

    private static void signal(String signal, ProcessHandle process) throws IOException, InterruptedException {
        int code = new ProcessBuilder("kill", signal, Long.toString(process.pid()))
                .start()
                .waitFor();
        if (code != 0 && isAlive(process)) {
            throw new IllegalStateException("kill " + signal + " of process " + process.pid() + " ended with " + code);
        }
    }

    /** Asks a process to end in order. One that is stopped goes on: it would not notice before. */
    static void terminate(ProcessHandle process) throws IOException, InterruptedException {
        process.destroy();
        if (isStopped(process.pid())) {
            goOn(process);
        }
    }

    /** Kills a process; returns when it is dead. */
    static void kill(ProcessHandle process) {
        process.destroyForcibly();
        while (isAlive(process)) {
            try {
                TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    /** Waits until processes have ended, and returns those that still run at the deadline, a value of {@link System#nanoTime}. */
    static List<ProcessHandle> awaitEnd(Collection<ProcessHandle> processes, long deadline)
            throws InterruptedException {
        while (true) {
            List<ProcessHandle> alive =
                    processes.stream().filter(OsProcess::isAlive).toList();
            if (alive.isEmpty() || System.nanoTime() - deadline > 0) {
                return alive;
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        }
    }
}
