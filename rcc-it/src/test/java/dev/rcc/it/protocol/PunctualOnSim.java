package dev.rcc.it.protocol;

import dev.rcc.core.protocol.HybridCode;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.it.example.punctual.Punctual;
import java.util.Set;

/** PUNCTUAL in virtual time, under faults. */
interface PunctualOnSim extends OnSim {
    @Override
    default Protocol protocol() {
        return new Punctual();
    }

    /** As {@link PunctualOnLocal}. */
    @Override
    default boolean isTried(HybridCode code) {
        return Set.of("0101", "1010").contains(code.digits());
    }
}
