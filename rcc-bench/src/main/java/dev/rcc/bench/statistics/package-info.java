/**
 * Statistics of measured values: {@link dev.rcc.bench.statistics.Percentile}. Depends on nothing in RCC.
 */
package dev.rcc.bench.statistics;
