/**
 * The network of a cluster whose processes are on one host: regions are files that all of them map, one-sided operations are
 * loads, stores and atomic instructions on the mapped memory, and RPC goes by rings in shared memory.
 *
 * <p>Atomicity is global: the words are the same memory to all processes, and the processor's atomic instructions do not care who
 * executes them.
 *
 * <p>Entry: {@link dev.rcc.transport.shm.ShmFabric}. Bytes that other processes can write are drawn in {@code ShmNodeFileLayout} and
 * {@code ShmRingLayout}, and are checked before they are believed; native functions are called in {@code Posix} alone. Needs Linux.
 */
package dev.rcc.transport.shm;
