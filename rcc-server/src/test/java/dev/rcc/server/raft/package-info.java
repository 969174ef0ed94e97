/** Tests of replication by Raft. */
package dev.rcc.server.raft;
