/** Tests of the network of shared memory: in one JVM, and with processes that are killed. */
package dev.rcc.transport.shm;
