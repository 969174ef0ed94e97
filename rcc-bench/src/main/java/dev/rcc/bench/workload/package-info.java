/**
 * What the clients of a benchmark do: workloads with their tables, their data, their transactions and what must hold of
 * the data afterwards.
 *
 * <p>Entry: {@link dev.rcc.bench.workload.WorkloadType} makes a {@link dev.rcc.bench.workload.Workload}; which there are, {@code
 * dev.rcc.bench.workloads} says. Workloads load and check on the driver's thread; each {@link dev.rcc.bench.workload.Generator} belongs to one coroutine. They
 * know the transaction model of rcc-core and the embedded cluster of rcc-server, and no protocol. Those that clients of the client library can run have
 * a {@link dev.rcc.bench.workload.ClientGenerator} for each client, too.
 */
package dev.rcc.bench.workload;
