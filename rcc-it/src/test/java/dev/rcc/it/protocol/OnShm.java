package dev.rcc.it.protocol;

import dev.rcc.server.NetworkChoice;
import dev.rcc.server.ShmNetwork;
import dev.rcc.transport.shm.ShmOptions;

/** The protocols on shared memory between nodes that could have a process each. */
interface OnShm extends OnNetwork {
    @Override
    default NetworkChoice network() {
        return new ShmNetwork(ShmOptions.DEFAULT);
    }
}
