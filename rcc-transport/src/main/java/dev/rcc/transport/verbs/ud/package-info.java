/**
 * RPC over unreliable datagrams (rcc, 3.3): one UD queue pair a worker reaches all others. Calls to one worker that are made
 * in one turn travel in one packet; what is longer than a packet travels in several. A lost packet makes its calls fail
 * when their time is up; nothing is sent twice.
 *
 * <p>Entry: {@link dev.rcc.transport.verbs.ud.UdRpc}. What a call means never lives here. Everything belongs to the worker of
 * its channel, but for what {@link dev.rcc.transport.verbs.rpc.RpcTransport} says.
 */
package dev.rcc.transport.verbs.ud;
