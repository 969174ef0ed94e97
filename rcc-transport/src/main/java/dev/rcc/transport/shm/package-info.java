/**
 * The network of a cluster whose processes are on one host: regions are files that all of them map, one-sided operations are
 * loads, stores and atomic instructions on the mapped memory, and RPCs travel through rings in shared memory.
 *
 * <p>Atomicity is global: the words are the same memory to all processes, and the processor's atomic instructions are atomic
 * whichever process executes them.
 *
 * <p>Entry: {@link dev.rcc.transport.shm.ShmFabric}. {@code ShmNodeFileLayout} and {@code ShmRingLayout} show the bytes that other
 * processes can write; they are checked before use. Only {@code Posix} calls native functions. Needs Linux.
 */
package dev.rcc.transport.shm;
