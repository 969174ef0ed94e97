/**
 * Calls by DaRPC 1.9 on DiSNI's provider: one of the ways in which the verbs network carries them. Reliable connections from
 * each worker to each peer; messages are copied into DaRPC's registered buffers and out of them, and their length is limited
 * by these.
 *
 * <p>Entry: {@link dev.rcc.transport.verbs.darpc.DarpcRpc}. The caller's side of a connection is polled by the worker that
 * owns it, so a reply completes where it is waited for. The server's side belongs to a thread of DaRPC's, which hands requests
 * to the worker that serves them; that worker replies by itself. Nothing blocks a worker. Unlike everything else on the data
 * path this allocates, as DaRPC makes an object for every call.
 */
package dev.rcc.transport.verbs.darpc;
