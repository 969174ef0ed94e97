package dev.rcc.bench.workload;

/**
 * A figure that a workload adds to the report of a run.
 *
 * @param key its name for programs
 * @param label its name for people, of at most 13 characters
 * @param value the figure
 * @param remark what it is, and what is wrong with it
 */
public record ReportLine(String key, String label, double value, String remark) {}
