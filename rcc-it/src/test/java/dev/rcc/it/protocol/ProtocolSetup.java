package dev.rcc.it.protocol;

import dev.rcc.core.fabric.Atomicity;
import dev.rcc.core.protocol.HybridCode;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.server.EmbeddedCluster;
import dev.rcc.server.config.ClusterConfig;
import java.time.Duration;

/** A protocol on a network: all that the tests of one contract differ in. */
interface ProtocolSetup {
    /** The protocol. */
    Protocol protocol();

    /** What the network's remote atomics are atomic against. */
    Atomicity atomicity();

    /** Whether a transaction that meets another's locks waits until they are dropped, for as long as that takes. */
    default boolean waitsForLocks() {
        return false;
    }

    /** Whether the contracts try a code that the network admits. */
    default boolean isTried(HybridCode code) {
        return true;
    }

    /** Whether the contracts run this test of theirs; where a cluster is expensive they draw some. */
    default boolean isDrawn(String test) {
        return true;
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
