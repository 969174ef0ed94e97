package dev.rcc.it.protocol;

@EachProtocol.All
class OverflowOnSimTest extends OverflowContract implements OnSim {
    /** The uniform codes, and some that the seed draws. */
    @Override
    public int maxCodes() {
        return OnNetwork.uniformAnd(2);
    }
}
