package dev.rcc.bench.verbs;

import java.io.IOException;

/** Who measures: perftest, or RCC. */
interface Contender extends AutoCloseable {
    /**
     * Measures once.
     *
     * @return the typical latency in microseconds, or messages a second
     * @throws MeasurementFailed when it did not work, with the reason
     */
    double measure(VerbsTest test, int bytes) throws IOException, InterruptedException;

    @Override
    void close() throws IOException;
}
