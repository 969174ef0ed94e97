package dev.rcc.bench.jmh;

import dev.rcc.core.memory.Memory;
import java.lang.foreign.Arena;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Question: how often a second can two threads do the plain memory work of updating a record: swap its lock word in,
 * copy its 64 bytes out, write 64 bytes back, unlock? There are a million tuples off the heap, drawn at random.
 *
 * <p>Unit: operations per second, both threads together. It is the measure for the speed of transactions: a transaction
 * commits with several such operations, and much other work.
 *
 * <p>A surprise would be fewer than some millions, as an operation is about two cache misses; or any allocation.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Threads(MemoryBaseline.THREADS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class MemoryBaseline {
    static final int THREADS = 2;

    private static final int TUPLES = 1_000_000;
    private static final int RECORD_BYTES = 64;
    private static final int RECORD_OFFSET = Memory.WORD_BYTES;
    private static final int TUPLE_BYTES = RECORD_OFFSET + RECORD_BYTES;
    private static final long UNLOCKED = 0;
    private static final long LOCKED = 1;

    private Arena arena;
    private Memory tuples;

    /** Allocates the tuples. */
    @Setup
    public void allocate() {
        arena = Arena.ofShared();
        tuples = Memory.allocate(arena, (long) TUPLES * TUPLE_BYTES);
    }

    /** Frees the tuples. */
    @TearDown
    public void free() {
        arena.close();
    }

    /** A thread's own state: its randomness and the buffer that records are copied to. */
    @State(Scope.Thread)
    public static class Mine {
        private static final AtomicInteger SEEDS = new AtomicInteger();

        private final SplittableRandom random = new SplittableRandom(SEEDS.incrementAndGet());
        private Arena arena;
        private Memory buffer;

        /** Allocates the buffer. */
        @Setup
        public void allocate() {
            arena = Arena.ofShared();
            buffer = Memory.allocate(arena, RECORD_BYTES);
        }

        /** Frees the buffer. */
        @TearDown
        public void free() {
            arena.close();
        }
    }

    /** Locks, reads, writes and unlocks one tuple; returns whether it got the lock, as it nearly always does. */
    @Benchmark
    public boolean lockReadWriteUnlock(Mine mine) {
        long tuple = Math.unsignedMultiplyHigh(mine.random.nextLong(), TUPLES) * TUPLE_BYTES;
        if (tuples.compareAndExchange(tuple, UNLOCKED, LOCKED) != UNLOCKED) {
            return false;
        }
        Memory buffer = mine.buffer;
        tuples.copy(tuple + RECORD_OFFSET, buffer, 0, RECORD_BYTES);
        buffer.putLong(0, buffer.getLong(0) + 1);
        buffer.copy(0, tuples, tuple + RECORD_OFFSET, RECORD_BYTES);
        tuples.putRelease(tuple, UNLOCKED);
        return true;
    }

    /**
     * Runs the benchmark in this JVM, silently; takes about 8 seconds.
     *
     * @return operations per second of both threads together
     */
    public static double operationsPerSecond() throws RunnerException {
        return new Runner(new OptionsBuilder()
                        .include(MemoryBaseline.class.getName() + "\\..*")
                        .forks(0)
                        .verbosity(VerboseMode.SILENT)
                        .build())
                .runSingle()
                .getPrimaryResult()
                .getScore();
    }
}
