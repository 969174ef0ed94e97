package dev.rcc.it.protocol;

@EachProtocol.All
class ScanOnLocalTest extends ScanContract implements EachProtocolOnLocal {
    /** Its tests are long, and the particulars of a hybrid code show on {@link OnSim}. */
    @Override
    public int maxCodes() {
        return OnNetwork.uniformAnd(0);
    }
}
