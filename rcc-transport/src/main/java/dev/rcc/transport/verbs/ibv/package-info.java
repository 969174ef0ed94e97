/**
 * RDMA verbs from Java: rdma-core's {@code libibverbs.so.1}, called by the Foreign Function and Memory API. No C is compiled,
 * and only rdma-core must be installed.
 *
 * <p>Entry: {@link dev.rcc.transport.verbs.ibv.VerbsLibrary#load}, which opens a
 * {@link dev.rcc.transport.verbs.ibv.VerbsDevice}; from there on, one class for each of the verbs' objects. Native structs
 * are shown as C above their Java layout ({@code XLayout}), and a test compares sizes and offsets with the compiler. Work
 * requests are prepared in {@link dev.rcc.transport.verbs.ibv.SendWrs} and posted with
 * {@link dev.rcc.transport.verbs.ibv.QueuePair#postSend}.
 *
 * <p>Bad input is refused in Java: a closed object with an {@code IllegalStateException}, an argument out of range with an
 * {@code IllegalArgumentException}. An operation that the device or the kernel refuses throws a
 * {@link dev.rcc.transport.verbs.ibv.VerbsException}. Posting and polling are for one thread at a time on each queue pair and
 * completion queue, and not while their {@code close} runs. Depends only on {@code dev.rcc.core.fabric.Atomicity}.
 */
package dev.rcc.transport.verbs.ibv;
