package dev.rcc.it.protocol;

@EachProtocol.All
class ReplicationOnLocalTest extends ReplicationContract implements EachProtocolOnLocal {
    /** Most of the rounds replay what was logged, which no network has to do with; {@link OnSim} runs them all. */
    @Override
    public int rounds(int usual) {
        return OnNetwork.shortened(usual);
    }
}
