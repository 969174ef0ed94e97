package dev.rcc.it.protocol;

import dev.rcc.core.protocol.Protocol;
import dev.rcc.it.example.punctual.Punctual;
import java.time.Duration;

/** PUNCTUAL in one JVM. A machine that is busy is no reason to be late here. */
interface PunctualOnLocal extends ExampleOnLocal {
    @Override
    default Protocol protocol() {
        return new Punctual(Duration.ofSeconds(2));
    }
}
