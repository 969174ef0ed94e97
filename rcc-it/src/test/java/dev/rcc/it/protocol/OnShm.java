package dev.rcc.it.protocol;

import dev.rcc.transport.network.FabricProvider;
import dev.rcc.transport.shm.ShmProvider;

/** The protocols on shared memory between nodes that could have a process each. */
interface OnShm extends OnNetwork {
    @Override
    default FabricProvider network() {
        return new ShmProvider();
    }
}
