package dev.rcc.it.protocol;

/**
 * The protocols in one JVM, on real threads. The whole sample of codes runs on {@link OnSim}, where more interleavings are met
 * and each can be repeated; here the uniform codes and one that the seed draws meet the memory of a real processor.
 */
interface EachProtocolOnLocal extends OnLocal, EachProtocol {
    @Override
    default int maxCodes() {
        return OnNetwork.uniformAnd(1);
    }
}
