/**
 * YCSB's interface to databases, for {@code site.ycsb:core} 0.17.0: {@link dev.rcc.client.ycsb.RccYcsbClient}. Called by YCSB, on its threads;
 * uses the client library as any program does, and nothing else of it uses this. Its properties are in docs/ycsb.md.
 */
package dev.rcc.client.ycsb;
