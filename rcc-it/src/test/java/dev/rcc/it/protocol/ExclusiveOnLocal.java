package dev.rcc.it.protocol;

import dev.rcc.core.fabric.Atomicity;
import dev.rcc.core.protocol.HybridCode;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.it.example.Exclusive;
import dev.rcc.server.EmbeddedCluster;
import dev.rcc.server.config.ClusterConfig;
import java.util.Set;

/** EXCLUSIVE in one JVM. */
interface ExclusiveOnLocal extends ProtocolSetup {
    @Override
    default Protocol protocol() {
        return new Exclusive();
    }

    @Override
    default Atomicity atomicity() {
        return Atomicity.GLOBAL;
    }

    @Override
    default EmbeddedCluster newCluster(ClusterConfig config) {
        return new EmbeddedCluster(config);
    }

    @Override
    default boolean isShort() {
        return !OnNetwork.areAllAskedFor();
    }

    /** An example changes rarely: each build has some of its tests. */
    @Override
    default int oneIn() {
        return 3;
    }

    /** Each stage in both forms: an example need not take as long as a protocol that people use. */
    @Override
    default boolean isTried(HybridCode code) {
        return Set.of("0101", "1010").contains(code.digits());
    }
}
