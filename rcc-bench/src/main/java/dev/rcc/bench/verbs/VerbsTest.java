package dev.rcc.bench.verbs;

import java.util.Arrays;
import java.util.List;

/** A test: a program of perftest, and the same measurement by RCC. */
public enum VerbsTest {
    /** One READ at a time, from the post to its completion. */
    READ_LATENCY("ib_read_lat", Verb.READ, Measure.LATENCY),
    /** WRITEs to and fro, each side polling its memory for the other's; half a round. */
    WRITE_LATENCY("ib_write_lat", Verb.WRITE, Measure.LATENCY),
    /** One FETCH_ADD at a time, from the post to its completion. */
    ATOMIC_LATENCY("ib_atomic_lat", Verb.FETCH_ADD, Measure.LATENCY),
    /** SENDs to and fro, each side polling for the other's; half a round. */
    SEND_LATENCY("ib_send_lat", Verb.SEND, Measure.LATENCY),
    /** READs a second with a full queue. */
    READ_RATE("ib_read_bw", Verb.READ, Measure.RATE),
    /** WRITEs a second with a full queue. */
    WRITE_RATE("ib_write_bw", Verb.WRITE, Measure.RATE),
    /** FETCH_ADDs a second with a full queue. */
    ATOMIC_RATE("ib_atomic_bw", Verb.FETCH_ADD, Measure.RATE),
    /** SENDs a second with a full queue, to a peer that receives as fast as it can. */
    SEND_RATE("ib_send_bw", Verb.SEND, Measure.RATE);

    /** The posted operation. */
    public enum Verb {
        /** RDMA READ. */
        READ,
        /** RDMA WRITE. */
        WRITE,
        /** Atomic fetch and add, perftest's default atomic. */
        FETCH_ADD,
        /** SEND into a posted RECV. */
        SEND
    }

    /** The printed figure. */
    public enum Measure {
        /** Typical time in microseconds, so less is better. */
        LATENCY("us", 1.10),
        /** Messages a second, so more is better. */
        RATE("/s", 0.90);

        private final String unit;
        private final double goal;

        Measure(String unit, double goal) {
            this.unit = unit;
            this.goal = goal;
        }

        /** The unit of the figures. */
        public String unit() {
            return unit;
        }

        /** The goal for the ratio of RCC's figure to perftest's: a maximum for latencies, a minimum for rates. */
        public double goal() {
            return goal;
        }

        /** Whether a ratio is as good as the goal. */
        public boolean isMetBy(double ratio) {
            return this == LATENCY ? ratio <= goal : ratio >= goal;
        }
    }

    private static final int ATOMIC_BYTES = Long.BYTES;

    private final String program;
    private final Verb verb;
    private final Measure measure;

    VerbsTest(String program, Verb verb, Measure measure) {
        this.program = program;
        this.verb = verb;
        this.measure = measure;
    }

    /** perftest's program for the test. */
    public String program() {
        return program;
    }

    /** The posted operation. */
    public Verb verb() {
        return verb;
    }

    /** The printed figure. */
    public Measure measure() {
        return measure;
    }

    /** The sizes to measure, of the wanted ones: an atomic is always 8 bytes. */
    public List<Integer> sizes(List<Integer> wanted) {
        return verb == Verb.FETCH_ADD ? List.of(ATOMIC_BYTES) : wanted;
    }

    /** Whether the other side takes part in the test, instead of only being connected. */
    boolean needsBothSides() {
        return verb == Verb.SEND || this == WRITE_LATENCY;
    }

    /** The names of all programs. */
    public static List<String> programs() {
        return Arrays.stream(values()).map(VerbsTest::program).toList();
    }
}
