/**
 * Compares RCC's verbs with perftest's: the same messages, queue depths and way of measuring, in turn and in the same boot.
 *
 * <p>Nothing here measures transactions, and nothing prints; {@code rcc bench-verbs} does that.
 */
package dev.rcc.bench.verbs;
