/** Tests of Raft's messages on the way between nodes. */
package dev.rcc.server.consensus;
