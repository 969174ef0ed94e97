/**
 * RPC over unreliable datagrams (rcc, 3.3): one UD queue pair a worker reaches all other workers. Calls to one worker that are made
 * in one turn travel in one packet; a message longer than a packet travels in several. A lost packet makes its calls fail
 * when their time-out ends; no packet is sent twice.
 *
 * <p>Entry: {@link dev.rcc.transport.verbs.ud.UdRpc}. This package does not interpret calls. Each object belongs to the worker of
 * its channel, except as {@link dev.rcc.transport.verbs.rpc.RpcTransport} says.
 */
package dev.rcc.transport.verbs.ud;
