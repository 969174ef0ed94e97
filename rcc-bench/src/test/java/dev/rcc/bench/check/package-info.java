/** Tests of the checker: on anomalies that were planted, and against trying all orders. */
package dev.rcc.bench.check;
