package dev.rcc.it.protocol;

@EachProtocol.All
class ReplicationOnLocalTest extends ReplicationContract implements EachProtocolOnLocal {
    /** Most of the rounds replay logs, which does not depend on the network; {@link OnSim} runs them all. */
    @Override
    public int rounds(int usual) {
        return OnNetwork.shortened(usual);
    }
}
