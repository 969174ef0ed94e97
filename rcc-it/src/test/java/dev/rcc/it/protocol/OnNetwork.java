package dev.rcc.it.protocol;

import dev.rcc.core.fabric.Atomicity;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.protocols.Protocols;
import dev.rcc.protocols.calvin.Calvin;
import dev.rcc.server.ClusterConfig;
import dev.rcc.server.EmbeddedCluster;
import dev.rcc.server.NetworkChoice;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The protocols on a network whose nodes could have a process each. The protocols' own logic has been tried with every code
 * on {@code local} and {@code sim}; here it meets the network, so few codes do. {@code -Drcc.network.codes=N} sets how many
 * beside the uniform ones, which the seed draws, and {@code -Drcc.network.rounds=PERCENT} how long tests with a choice run.
 */
interface OnNetwork extends ProtocolSetup {
    /** All protocols, one after the other. */
    @Target(ElementType.TYPE)
    @Retention(RetentionPolicy.RUNTIME)
    @ParameterizedClass(name = "{0}")
    @MethodSource("dev.rcc.it.protocol.OnNetwork#protocols")
    @interface EveryProtocol {}

    /** CALVIN, for the contracts of its own. */
    @Target(ElementType.TYPE)
    @Retention(RetentionPolicy.RUNTIME)
    @ParameterizedClass(name = "{0}")
    @MethodSource("dev.rcc.it.protocol.OnNetwork#calvin")
    @interface OnlyCalvin {}

    static Stream<Named<Protocol>> protocols() {
        return Protocols.all().stream().map(protocol -> Named.of(protocol.name(), protocol));
    }

    static Stream<Named<Protocol>> calvin() {
        return Stream.of(Named.of("calvin", new Calvin()));
    }

    /** The network. */
    NetworkChoice network();

    /** What the class is run for. */
    Protocol parameter();

    @Override
    default Protocol protocol() {
        return parameter();
    }

    @Override
    default Atomicity atomicity() {
        return network().atomicity();
    }

    @Override
    default boolean waitsForLocks() {
        return protocol() instanceof Calvin;
    }

    @Override
    default int maxCodes() {
        return uniformAnd(1);
    }

    /** The uniform codes and some others: as many as were asked for, or else {@code others}. */
    static int uniformAnd(int others) {
        return 2 + Integer.getInteger("rcc.network.codes", others);
    }

    @Override
    default int rounds(int usual) {
        return Math.max(1, usual * Integer.getInteger("rcc.network.rounds", 50) / 100);
    }

    @Override
    default EmbeddedCluster newCluster(ClusterConfig config) {
        return new EmbeddedCluster(config, network());
    }
}
