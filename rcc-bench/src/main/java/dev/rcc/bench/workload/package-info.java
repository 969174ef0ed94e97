/**
 * The work of a benchmark's clients: workloads with their tables, their data, their transactions and the invariants of
 * the data afterwards.
 *
 * <p>Entry: {@link dev.rcc.bench.workload.WorkloadType} makes a {@link dev.rcc.bench.workload.Workload}; {@code dev.rcc.bench.workloads}
 * lists them. Workloads load and check on the driver's thread; each {@link dev.rcc.bench.workload.Generator} belongs to one coroutine. They
 * use the transaction model of rcc-core and the embedded cluster of rcc-server, and no protocol. Workloads that clients of the client library
 * can run also have a {@link dev.rcc.bench.workload.ClientGenerator} for each client.
 */
package dev.rcc.bench.workload;
