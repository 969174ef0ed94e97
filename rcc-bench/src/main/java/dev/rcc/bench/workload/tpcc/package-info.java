/**
 * TPC-C (TPC Benchmark C, revision 5.11): wholesale suppliers with warehouses, in nine tables, and five transactions. Clause numbers are those
 * of the standard.
 *
 * <p>Entry: {@link dev.rcc.bench.workload.tpcc.Tpcc}. A class for the layout of each table's records ({@code WarehouseLayout} ...), one for
 * each transaction ({@code NewOrder} ...) with its input, one that fills the tables ({@code Population}), and one that checks
 * whether they are consistent ({@code Conditions}).
 */
package dev.rcc.bench.workload.tpcc;
