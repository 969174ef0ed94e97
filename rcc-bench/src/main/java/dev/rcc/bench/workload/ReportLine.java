package dev.rcc.bench.workload;

/**
 * A figure that a workload adds to the report of a run.
 *
 * @param key the figure's name for programs
 * @param label the figure's name for people, of at most 13 characters
 * @param value the figure
 * @param remark an explanation of the figure, and any fault of it
 */
public record ReportLine(String key, String label, double value, String remark) {}
