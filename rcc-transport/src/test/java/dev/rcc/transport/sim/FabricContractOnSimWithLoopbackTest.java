package dev.rcc.transport.sim;

/** The same promises when requests to the own node loop back. */
class FabricContractOnSimWithLoopbackTest extends FabricContractOnSimTest {
    @Override
    protected String setting() {
        return "loopback";
    }

    @Override
    SimOptions options() {
        return super.options().withLoopback();
    }
}
