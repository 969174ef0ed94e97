package dev.rcc.it.protocol;

import dev.rcc.core.protocol.Protocol;
import dev.rcc.protocols.Protocols;
import dev.rcc.protocols.calvin.Calvin;
import dev.rcc.protocols.mvcc.Mvcc;
import dev.rcc.protocols.mvcc.MvccOptions;
import dev.rcc.protocols.optimistic.LockTime;
import dev.rcc.protocols.sundial.Sundial;
import dev.rcc.protocols.sundial.WriteConflict;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** A setup whose class runs once for each of several protocols, which its annotation names. */
interface EachProtocol extends ProtocolSetup {
    /** All protocols, one after the other; MVCC and SUNDIAL in both of their forms. */
    @Target(ElementType.TYPE)
    @Retention(RetentionPolicy.RUNTIME)
    @ParameterizedClass(name = "{0}")
    @MethodSource("dev.rcc.it.protocol.EachProtocol#protocols")
    @interface All {}

    /** CALVIN, for the contracts of its own. */
    @Target(ElementType.TYPE)
    @Retention(RetentionPolicy.RUNTIME)
    @ParameterizedClass(name = "{0}")
    @MethodSource("dev.rcc.it.protocol.EachProtocol#calvin")
    @interface OnlyCalvin {}

    /** DSLR's protocol with each of the lock managers that its own is compared with. */
    @Target(ElementType.TYPE)
    @Retention(RetentionPolicy.RUNTIME)
    @ParameterizedClass(name = "{0}")
    @MethodSource("dev.rcc.it.protocol.EachProtocol#lockManagers")
    @interface OtherLockManagers {}

    static Stream<Named<Protocol>> protocols() {
        return Stream.concat(
                Protocols.all().stream().map(protocol -> Named.of(protocol.name(), protocol)),
                Stream.of(
                        Named.of("sundial, locks at access", new Sundial(WriteConflict.WAIT_DIE, LockTime.ACCESS)),
                        Named.of("mvcc, locks at access", new Mvcc(new MvccOptions(4, true, 20, LockTime.ACCESS)))));
    }

    static Stream<Named<Protocol>> lockManagers() {
        return Stream.of("traditional", "traditional-ro", "drtm", "retry-on-fail", "n-cosed")
                .map(manager -> Named.of(
                        "dslr by " + manager,
                        Protocols.byName("dslr").with(Protocols.options().parse(Map.of("dslr.manager", manager)))));
    }

    static Stream<Named<Protocol>> calvin() {
        return Stream.of(Named.of("calvin", new Calvin()));
    }

    /** The protocol that the class runs for now. */
    Protocol parameter();

    @Override
    default Protocol protocol() {
        return parameter();
    }

    @Override
    default boolean isShort() {
        return !OnNetwork.areAllAskedFor();
    }

    @Override
    default boolean waitsForLocks() {
        return protocol() instanceof Calvin;
    }
}
