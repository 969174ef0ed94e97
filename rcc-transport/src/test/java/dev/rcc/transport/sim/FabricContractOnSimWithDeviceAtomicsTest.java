package dev.rcc.transport.sim;

import dev.rcc.core.fabric.Atomicity;

/** The same promises when atomics exclude only the same NIC's other atomics. */
class FabricContractOnSimWithDeviceAtomicsTest extends FabricContractOnSimTest {
    @Override
    protected String setting() {
        return "device atomics";
    }

    @Override
    SimOptions options() {
        return super.options().withAtomicity(Atomicity.DEVICE);
    }
}
