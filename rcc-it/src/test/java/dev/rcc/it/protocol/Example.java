package dev.rcc.it.protocol;

import dev.rcc.core.protocol.HybridCode;
import java.util.Set;

/** A protocol that is an example. */
interface Example extends ProtocolSetup {
    /** Each stage in both forms: an example need not take as long as a protocol that people use. */
    @Override
    default boolean isTried(HybridCode code) {
        return Set.of("0101", "1010").contains(code.digits());
    }
}
