package dev.rcc.it.protocol;

@EachProtocol.All
class FailureOnLocalTest extends FailureContract implements EachProtocolOnLocal {
    /** A node counts as dead after some time, so each test takes that long. */
    @Override
    public int maxCodes() {
        return OnNetwork.uniformAnd(0);
    }
}
