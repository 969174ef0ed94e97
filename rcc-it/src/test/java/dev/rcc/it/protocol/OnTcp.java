package dev.rcc.it.protocol;

import dev.rcc.server.NetworkChoice;
import dev.rcc.server.TcpNetwork;
import dev.rcc.transport.tcp.TcpOptions;

/** The protocols over TCP between nodes that could have a process each. */
interface OnTcp extends OnNetwork {
    @Override
    default NetworkChoice network() {
        return new TcpNetwork(TcpOptions.DEFAULT);
    }
}
