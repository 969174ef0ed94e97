package dev.rcc.it.protocol;

import dev.rcc.core.fabric.Atomicity;
import dev.rcc.core.protocol.HybridCode;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.core.testing.BuildDraw;
import dev.rcc.server.EmbeddedCluster;
import dev.rcc.server.config.ClusterConfig;
import java.time.Duration;
import java.util.random.RandomGenerator;

/** A protocol on a network: the only difference between the tests of one contract. */
interface ProtocolSetup {
    /** The protocol. */
    Protocol protocol();

    /** The accesses that the network's remote atomics are atomic against. */
    Atomicity atomicity();

    /** Whether a transaction that meets another's locks waits until they are dropped, for as long as that takes. */
    default boolean waitsForLocks() {
        return false;
    }

    /** Whether the contracts try a code that the network admits. */
    default boolean isTried(HybridCode code) {
        return true;
    }

    /** Whether the seed draws what runs, as a cluster is expensive here and not all tests are asked for. */
    default boolean isShort() {
        return false;
    }

    /** Where the seed draws: whether this build has any test of the contract, which is this class. */
    default boolean isInBuild() {
        return true;
    }

    /** Where the seed draws: each test of a contract runs for one in so many protocols. If there are fewer, some tests run for none. */
    default int oneIn() {
        return 1;
    }

    /** Where the seed draws: how many hybrid codes {@link HybridCodeContract} runs for each protocol, beside the uniform ones. */
    default int hybridCodes() {
        return Integer.MAX_VALUE;
    }

    /** A source of choices, which the seed of the build and the subject of the choice determine. */
    default RandomGenerator random(String what) {
        return BuildDraw.random(what);
    }

    /** How many of the sampled codes most tests run under, the uniform ones first; fewer where a cluster is expensive. */
    default int maxCodes() {
        return Integer.MAX_VALUE;
    }

    /** How many rounds to run where a fast network runs {@code usual} ones. */
    default int rounds(int usual) {
        return usual;
    }

    /** How long a node that has stopped is tried before it counts as dead: the tests of that wait for so long. */
    default Duration patience() {
        return Duration.ofMillis(100);
    }

    /** A cluster on the network, which has not been started. */
    EmbeddedCluster newCluster(ClusterConfig config);
}
