package dev.rcc.it.protocol;

import dev.rcc.core.protocol.Protocol;
import dev.rcc.it.example.punctual.Punctual;
import java.time.Duration;

/** PUNCTUAL in one JVM. The long patience keeps attempts from being late on a busy machine. */
interface PunctualOnLocal extends ExampleOnLocal {
    @Override
    default Protocol protocol() {
        return new Punctual(Duration.ofSeconds(2));
    }
}
