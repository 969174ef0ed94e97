/**
 * Calls by DaRPC 1.9 on DiSNI's provider: one of the ways in which the verbs network carries them. Each worker has a reliable
 * connection to each peer. Messages are copied into DaRPC's registered buffers and out of them; the buffers limit their length.
 *
 * <p>Entry: {@link dev.rcc.transport.verbs.darpc.DarpcRpc}. The worker that owns a connection polls its caller's side, so a call
 * completes on the calling worker. The server's side belongs to one of DaRPC's threads, which hands requests
 * to the worker that serves them; that worker sends the reply itself. No call blocks a worker. Unlike all other code on the data
 * path this allocates, as DaRPC makes an object for every call.
 */
package dev.rcc.transport.verbs.darpc;
