package dev.rcc.bench.driver;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The processor time that threads got, and the time that they were ready to run and waited for a processor, as Linux counts it for each
 * thread ({@code schedstat}, Documentation/scheduler/sched-stats).
 *
 * @param runNanos on a processor
 * @param waitNanos ready, on no processor
 */
public record ProcessorTime(long runNanos, long waitNanos) {
    /** None. */
    public static final ProcessorTime NONE = new ProcessorTime(0, 0);

    private static final Path THREADS = Path.of("/proc/self/task");
    private static final String FILE = "schedstat";

    /** That of the threads which this process has now; nothing where the system does not tell. */
    public static Optional<ProcessorTime> ofThisProcess() {
        return of(THREADS);
    }

    /** What this process got and waited for since then; nothing where the system does not tell, or did not then. */
    public static Optional<ProcessorTime> ofThisProcessSince(Optional<ProcessorTime> before) {
        return ofThisProcess().flatMap(now -> before.map(now::since));
    }

    /** That of the threads which have a directory in {@code threads}. */
    static Optional<ProcessorTime> of(Path threads) {
        ProcessorTime sum = NONE;
        boolean isTold = false;
        try (DirectoryStream<Path> each = Files.newDirectoryStream(threads)) {
            for (Path thread : each) {
                Optional<ProcessorTime> time = ofThread(thread.resolve(FILE));
                if (time.isPresent()) {
                    sum = sum.plus(time.get());
                    isTold = true;
                }
            }
        } catch (IOException e) {
            return Optional.empty();
        }
        return isTold ? Optional.of(sum) : Optional.empty();
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

    /** Both. */
    public ProcessorTime plus(ProcessorTime other) {
        return new ProcessorTime(runNanos + other.runNanos, waitNanos + other.waitNanos);
    }

    /** What came since then; threads that have ended meanwhile are left out. */
    public ProcessorTime since(ProcessorTime before) {
        return new ProcessorTime(Math.max(0, runNanos - before.runNanos), Math.max(0, waitNanos - before.waitNanos));
    }

    /** The share of the time that was asked for and was not got, 0 to 1. */
    public double missingShare() {
        long asked = runNanos + waitNanos;
        return asked == 0 ? 0 : (double) waitNanos / asked;
    }
}
