package dev.rcc.bench.driver;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The processor time of threads, and the time that they were ready to run and waited for a processor. Linux counts both for each
 * thread ({@code schedstat}, Documentation/scheduler/sched-stats).
 *
 * @param runNanos the time on a processor
 * @param waitNanos the time ready to run, on no processor
 */
public record ProcessorTime(long runNanos, long waitNanos) {
    /** No time. */
    public static final ProcessorTime NONE = new ProcessorTime(0, 0);

    private static final Path THREADS = Path.of("/proc/self/task");
    private static final String FILE = "schedstat";

    /**
     * The processor times of the threads of a process at one moment, each since the thread's start.
     *
     * @param byThread empty if the system does not report them
     */
    public record Reading(Map<String, ProcessorTime> byThread) {
        /** Takes a copy of the map. */
        public Reading {
            byThread = Map.copyOf(byThread);
        }

        /** The time since then of the threads that there are now; empty if the system does not report it now, or did not report it then. */
        Optional<ProcessorTime> since(Reading before) {
            if (byThread.isEmpty() || before.byThread.isEmpty()) {
                return Optional.empty();
            }
            return Optional.of(byThread.entrySet().stream()
                    .map(now -> now.getValue().since(before.byThread.getOrDefault(now.getKey(), NONE)))
                    .reduce(NONE, ProcessorTime::plus));
        }
    }

    /** The processor times of this process's present threads. */
    public static Reading ofThisProcess() {
        return of(THREADS);
    }

    /**
     * This process's time since then, without that of threads that have ended in between; empty if the system does not report it now, or did
     * not report it then.
     */
    public static Optional<ProcessorTime> ofThisProcessSince(Reading before) {
        return ofThisProcess().since(before);
    }

    /** The times of the threads that have a directory in {@code threads}. */
    static Reading of(Path threads) {
        Map<String, ProcessorTime> times = new HashMap<>();
        try (DirectoryStream<Path> each = Files.newDirectoryStream(threads)) {
            for (Path thread : each) {
                ofThread(thread.resolve(FILE))
                        .ifPresent(time -> times.put(thread.getFileName().toString(), time));
            }
        } catch (IOException e) {
            return new Reading(Map.of());
        }
        return new Reading(times);
    }

    private static Optional<ProcessorTime> ofThread(Path file) throws IOException {
        try {
            String[] fields = Files.readString(file).strip().split(" ", -1);
            return Optional.of(new ProcessorTime(Long.parseLong(fields[0]), Long.parseLong(fields[1])));
        } catch (NoSuchFileException | NumberFormatException | ArrayIndexOutOfBoundsException e) {
            return Optional.empty(); // the thread has ended, or the system counts nothing
        } catch (IOException e) {
            if (Files.exists(file)) {
                throw e;
            }
            return Optional.empty(); // the thread has ended between open and read
        }
    }

    /** The sum of both times. */
    public ProcessorTime plus(ProcessorTime other) {
        return new ProcessorTime(runNanos + other.runNanos, waitNanos + other.waitNanos);
    }

    private ProcessorTime since(ProcessorTime before) {
        return new ProcessorTime(Math.max(0, runNanos - before.runNanos), Math.max(0, waitNanos - before.waitNanos));
    }

    /** The share of the needed processor time that threads waited for, 0 to 1. */
    public double missingShare() {
        long asked = runNanos + waitNanos;
        return asked == 0 ? 0 : (double) waitNanos / asked;
    }
}
