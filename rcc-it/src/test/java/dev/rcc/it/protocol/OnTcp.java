package dev.rcc.it.protocol;

import dev.rcc.transport.network.FabricProvider;
import dev.rcc.transport.tcp.TcpProvider;

/** The protocols over TCP between nodes that could have a process each. */
interface OnTcp extends OnNetwork {
    @Override
    default FabricProvider network() {
        return new TcpProvider();
    }
}
