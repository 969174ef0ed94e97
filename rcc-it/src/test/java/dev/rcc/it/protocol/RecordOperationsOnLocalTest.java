package dev.rcc.it.protocol;

@EachProtocol.All
class RecordOperationsOnLocalTest extends RecordOperationsContract implements EachProtocolOnLocal {
    /** One transaction at a time meets no more on threads than on {@link OnSim}, which runs all rounds. */
    @Override
    public int rounds(int usual) {
        return OnNetwork.shortened(usual);
    }
}
