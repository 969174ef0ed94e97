/**
 * What a cluster is made of: {@link dev.rcc.server.config.ClusterConfig}, and the list of the ways of replicating,
 * {@link dev.rcc.server.config.Replications}. Immutable, for any thread. Never here: what runs, and what users write as options.
 */
package dev.rcc.server.config;
