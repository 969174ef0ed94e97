/**
 * Keys come and go. All clients at once read, seek in vain, insert, update, delete, insert again and scan few keys, in tables that are
 * as full as they may be. Made to find anomalies about which keys exist.
 */
package dev.rcc.bench.workload.churn;
