package dev.rcc.it.protocol;

import dev.rcc.core.fabric.Atomicity;
import dev.rcc.server.EmbeddedCluster;
import dev.rcc.server.config.ClusterConfig;
import dev.rcc.transport.network.FabricProvider;

/**
 * The protocols on a network whose nodes could have a process each. The protocols' own logic has been tried with every code
 * on {@code local} and {@code sim}; here it meets the network, so the uniform codes do, and each test runs for the protocols that the seed
 * draws. {@code -Drcc.network.codes=N} runs them for all, and adds other codes, which the seed draws;
 * {@code -Drcc.network.rounds=PERCENT} sets how long tests with a choice run.
 */
interface OnNetwork extends EachProtocol {
    /** The network. */
    FabricProvider network();

    @Override
    default Atomicity atomicity() {
        return network().atomicity();
    }

    @Override
    default int maxCodes() {
        return uniformAnd(0);
    }

    @Override
    default int oneIn() {
        return 12;
    }

    @Override
    default int hybridCodes() {
        return 4;
    }

    /** Whether each test is to run for all protocols, and nothing is left to the seed but some of the codes. */
    static boolean areAllAskedFor() {
        return Integer.getInteger("rcc.network.codes") != null;
    }

    /** The uniform codes and some others: as many as were asked for, or else {@code others}. */
    static int uniformAnd(int others) {
        return 2 + Integer.getInteger("rcc.network.codes", others);
    }

    @Override
    default int rounds(int usual) {
        return shortened(usual);
    }

    /** The part of the {@code usual} rounds that were asked for, or else half of them. */
    static int shortened(int usual) {
        return Math.max(1, usual * Integer.getInteger("rcc.network.rounds", 50) / 100);
    }

    @Override
    default EmbeddedCluster newCluster(ClusterConfig config) {
        return new EmbeddedCluster(config, network());
    }
}
