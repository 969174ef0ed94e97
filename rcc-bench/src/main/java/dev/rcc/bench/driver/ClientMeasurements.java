package dev.rcc.bench.driver;

import java.util.OptionalDouble;
import org.HdrHistogram.Histogram;

/**
 * What clients of the client library have measured.
 *
 * @param committed transactions that they know to have committed
 * @param gaveUp transactions that have had no effect: the workload refused them, or no attempt could commit in time
 * @param triedAgain how often they have begun a transaction again
 * @param latency nanoseconds from a committed transaction's first attempt to its answer
 * @param cpuSeconds time that processors spent on the clients' process meanwhile; none if that is the servers', too
 */
public record ClientMeasurements(
        long committed, long gaveUp, long triedAgain, Histogram latency, OptionalDouble cpuSeconds) {}
