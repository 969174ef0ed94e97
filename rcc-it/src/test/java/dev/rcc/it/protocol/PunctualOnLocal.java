package dev.rcc.it.protocol;

import dev.rcc.core.protocol.HybridCode;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.it.example.punctual.Punctual;
import java.time.Duration;
import java.util.Set;

/** PUNCTUAL in one JVM. A machine that is busy is no reason to be late here. */
interface PunctualOnLocal extends OnLocal {
    @Override
    default Protocol protocol() {
        return new Punctual(Duration.ofSeconds(2));
    }

    @Override
    default boolean isShort() {
        return !OnNetwork.areAllAskedFor();
    }

    /** As {@link ExclusiveOnLocal}. */
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
