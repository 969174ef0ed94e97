package dev.rcc.it.protocol;

@EachProtocol.All
class OverflowOnLocalTest extends OverflowContract implements EachProtocolOnLocal {
    /** Its tests are long, and what is particular to a hybrid code shows on {@link OnSim}. */
    @Override
    public int maxCodes() {
        return OnNetwork.uniformAnd(0);
    }
}
