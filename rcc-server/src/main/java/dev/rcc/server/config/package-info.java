/**
 * The configuration of a cluster: {@link dev.rcc.server.config.ClusterConfig}, and the list of the replication methods,
 * {@link dev.rcc.server.config.Replications}. Immutable, for any thread. Never here: running components, and the options that users
 * write.
 */
package dev.rcc.server.config;
