package dev.rcc.bench.verbs;

import java.io.IOException;

/** A side that measures: perftest, or RCC. */
interface Contender extends AutoCloseable {
    /**
     * Measures once.
     *
     * @return the typical latency in microseconds, or messages a second
     * @throws MeasurementFailed when the measurement failed; the message gives the reason
     */
    double measure(VerbsTest test, int bytes) throws IOException, InterruptedException;

    @Override
    void close() throws IOException;
}
