/**
 * YCSB's interface to databases, for {@code site.ycsb:core} 0.17.0: {@link dev.rcc.client.ycsb.RccYcsbClient}. YCSB calls it, on its threads.
 * The package uses the client library as any program does, and no other package of the library uses it. Its properties are in docs/ycsb.md.
 */
package dev.rcc.client.ycsb;
