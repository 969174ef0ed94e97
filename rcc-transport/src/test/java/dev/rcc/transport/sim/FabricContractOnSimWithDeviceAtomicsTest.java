package dev.rcc.transport.sim;

import dev.rcc.core.fabric.Atomicity;

/** The same promises where only the NICs' own atomics exclude each other. */
class FabricContractOnSimWithDeviceAtomicsTest extends FabricContractOnSimTest {
    @Override
    protected String setting() {
        return "device atomics";
    }

    @Override
    Atomicity atomicity() {
        return Atomicity.DEVICE;
    }
}
