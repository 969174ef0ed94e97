/**
 * SmallBank (Alomari et al., "The cost of serializability on platforms that use snapshot isolation", ICDE 2008), with
 * the names, amounts and mix of H-Store's version, which RCC (6.1) uses. Its transactions are short, on two tables, with hardly
 * any computation, so that it measures communication.
 *
 * <p>Entry: {@link dev.rcc.bench.workload.smallbank.SmallBank}; one class a transaction.
 */
package dev.rcc.bench.workload.smallbank;
