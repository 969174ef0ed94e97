package dev.rcc.bench.jmh;

import dev.rcc.bench.check.CheckResult;
import dev.rcc.bench.check.Checker;
import dev.rcc.bench.check.Model;
import dev.rcc.bench.history.History;
import dev.rcc.bench.history.SerialHistory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Question: how long does it take to check a history of a million transactions, cold, as {@code rcc check} does? In
 * seconds, on one thread, with 2 GiB of heap; reading the file is measured apart. A surprise would be more than a minute.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 0)
@Measurement(iterations = 1)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xmx2g", "-XX:+UseSerialGC"})
public class CheckerBenchmark {
    private static final int KEYS = 200_000;
    private static final int CLIENTS = 100;
    private static final int MAX_KEYS = 6;

    /** Number of transactions. */
    @Param("1000000")
    public int transactions;

    private History history;
    private Path file;

    /** Created by JMH. */
    public CheckerBenchmark() {}

    /** Makes a history without anomalies, so that nothing ends early. */
    @Setup(Level.Trial)
    public void make() throws IOException {
        history = new SerialHistory(1, "t/", KEYS, CLIENTS)
                .add(transactions, MAX_KEYS, 0)
                .build();
        file = Files.createTempFile("history", ".json");
        history.write(file);
    }

    /** Deletes the file. */
    @TearDown(Level.Trial)
    public void delete() throws IOException {
        Files.delete(file);
    }

    /** Checks a history in memory. */
    @Benchmark
    public CheckResult serializable() {
        return Checker.check(history, Model.SERIALIZABLE);
    }

    /** Checks a history in memory, with real time. */
    @Benchmark
    public CheckResult strictSerializable() {
        return Checker.check(history, Model.STRICT_SERIALIZABLE);
    }

    /** Reads a history from a file. */
    @Benchmark
    public History read() throws IOException {
        return History.read(file);
    }
}
