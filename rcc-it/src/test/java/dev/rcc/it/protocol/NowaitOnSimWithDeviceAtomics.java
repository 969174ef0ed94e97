package dev.rcc.it.protocol;

import dev.rcc.core.fabric.Atomicity;

/** NOWAIT in virtual time, where only the NICs' own atomics exclude each other. */
interface NowaitOnSimWithDeviceAtomics extends NowaitOnSim {
    @Override
    default Atomicity atomicity() {
        return Atomicity.DEVICE;
    }
}
