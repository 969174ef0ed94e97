package dev.rcc.bench.paper;

/**
 * What an experiment measured, in the model's time.
 *
 * @param committedPerSecond committed transactions per second
 * @param latencyMicros their mean latency in microseconds
 * @param abortRate the share of the attempts that aborted, 0 to 1
 */
public record Measured(double committedPerSecond, double latencyMicros, double abortRate) {}
