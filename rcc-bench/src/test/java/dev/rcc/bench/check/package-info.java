/** Tests of the checker: on planted anomalies, and against trying all orders. */
package dev.rcc.bench.check;
