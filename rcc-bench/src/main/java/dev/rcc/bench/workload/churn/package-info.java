/**
 * Keys come and go: few keys that are read, looked for in vain, inserted, updated, deleted, inserted again and scanned by all clients
 * at once, in tables that are as full as they may be. Made to find anomalies about which keys exist.
 */
package dev.rcc.bench.workload.churn;
