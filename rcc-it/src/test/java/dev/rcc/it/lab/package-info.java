/**
 * The lab (rcc-it/lab), and the tests inside it.
 *
 * <p>A test that needs an RDMA device has the tag {@link dev.rcc.it.lab.RdmaTests#TAG rdma}, whichever module it is in. The
 * ordinary test runs leave it out; {@link dev.rcc.it.lab.RdmaIT} takes all of them into one guest of the lab, and
 * {@link dev.rcc.it.lab.RdmaTests} runs them in one JVM there.
 */
package dev.rcc.it.lab;
