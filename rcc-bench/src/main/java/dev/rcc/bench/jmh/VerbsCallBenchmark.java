package dev.rcc.bench.jmh;

import dev.rcc.transport.verbs.ibv.SendFlags;
import dev.rcc.transport.verbs.ibv.SendWrs;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Question: what does it cost, without the device, to post a batch from Java: to call a C function like {@code post_send},
 * by a pointer to it, and to write the work requests of a lock and a fetch, a CAS and then a READ? No device is
 * needed: {@code memcmp} of no bytes takes its place, which has the same signature and returns 0 at once.
 *
 * <p>Unit: nanoseconds for one call, or for one batch of two requests.
 *
 * <p>A surprise would be a call that takes longer than 20 ns, or a batch that takes longer than two calls; or any
 * allocation. A NIC needs about a microsecond for the posted work requests.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
@SuppressWarnings("restricted") // calls to C
public class VerbsCallBenchmark {
    private static final FunctionDescriptor POST_SEND = FunctionDescriptor.of(
            ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG);
    private static final MethodHandle NORMAL = Linker.nativeLinker().downcallHandle(POST_SEND);
    private static final MethodHandle CRITICAL =
            Linker.nativeLinker().downcallHandle(POST_SEND, Linker.Option.critical(false));

    private static final int LKEY = 0x1234;
    private static final int RKEY = 0x5678;
    private static final int TUPLE_BYTES = 72;
    private static final long NOTHING = 0;

    private final MemorySegment function = Linker.nativeLinker()
            .defaultLookup()
            .find("memcmp")
            .orElseThrow(() -> new IllegalStateException("the C library has no memcmp"));

    private final SendWrs requests = new SendWrs(2, 0);
    private final long first = requests.address(0);
    private long tuple = 1L << 32;
    private long number;

    /** Created by JMH. */
    public VerbsCallBenchmark() {
        requests.end(1);
    }

    /** One call in the form for drivers whose posting may be a system call. */
    @Benchmark
    public int normalCall() throws Throwable {
        return (int) NORMAL.invokeExact(function, first, first, NOTHING);
    }

    /** One call in the form for drivers whose doorbell is in user space. */
    @Benchmark
    public int criticalCall() throws Throwable {
        return (int) CRITICAL.invokeExact(function, first, first, NOTHING);
    }

    /** The work requests of a CAS and a READ. */
    @Benchmark
    public SendWrs buildBatch() {
        build();
        return requests;
    }

    /** Building a batch and posting it, normally. */
    @Benchmark
    public int buildAndPostNormally() throws Throwable {
        build();
        return (int) NORMAL.invokeExact(function, first, first, NOTHING);
    }

    /** Building a batch and posting it, critically. */
    @Benchmark
    public int buildAndPostCritically() throws Throwable {
        build();
        return (int) CRITICAL.invokeExact(function, first, first, NOTHING);
    }

    private void build() {
        tuple += TUPLE_BYTES;
        number++;
        requests.cas(0, number, first, LKEY, tuple, RKEY, 0, number, 0);
        requests.read(1, number, first, TUPLE_BYTES, LKEY, tuple, RKEY, SendFlags.SIGNALED);
    }
}
