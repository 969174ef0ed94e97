/** Tests of the YCSB binding and of the command that runs YCSB, against a cluster within the test's JVM. */
package dev.rcc.bench.ycsb;
