package dev.rcc.it.protocol;

import dev.rcc.core.fabric.Atomicity;

/** The protocols in virtual time, where only the NICs' own atomics exclude each other. */
interface OnSimWithDeviceAtomics extends OnSim {
    @Override
    default Atomicity atomicity() {
        return Atomicity.DEVICE;
    }

    /** What is other than on {@link OnSim} is which codes are admitted, so each test runs for a third of the protocols. */
    @Override
    default boolean isShort() {
        return !OnNetwork.areAllAskedFor();
    }

    @Override
    default int oneIn() {
        return 3;
    }
}
