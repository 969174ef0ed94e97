package dev.rcc.it.protocol;

import dev.rcc.core.fabric.Atomicity;

/** The protocols in virtual time, where only the NICs' own atomics exclude each other. */
interface OnSimWithDeviceAtomics extends OnSim {
    @Override
    default Atomicity atomicity() {
        return Atomicity.DEVICE;
    }

    /** What is other than on {@link OnSim} is which codes are admitted. */
    @Override
    default int oneIn() {
        return 4;
    }
}
