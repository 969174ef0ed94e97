package dev.rcc.it.protocol;

/**
 * The protocols in one JVM, on real threads. More codes and all protocols run on {@link OnSim}, where more interleavings are met
 * and each can be repeated; here the uniform codes and one that the seed draws meet the memory of a real processor, each test for
 * the protocols that the seed draws.
 */
interface EachProtocolOnLocal extends OnLocal, EachProtocol {
    @Override
    default int maxCodes() {
        return OnNetwork.uniformAnd(1);
    }

    @Override
    default int oneIn() {
        return 12;
    }
}
