package dev.rcc.it.protocol;

import dev.rcc.core.fabric.Atomicity;

/** The protocols in virtual time, where only the NICs' own atomics exclude each other. */
interface OnSimWithDeviceAtomics extends OnSim {
    @Override
    default Atomicity atomicity() {
        return Atomicity.DEVICE;
    }

    /** Only the admitted codes differ from those of {@link OnSim}. */
    @Override
    default int oneIn() {
        return 4;
    }
}
