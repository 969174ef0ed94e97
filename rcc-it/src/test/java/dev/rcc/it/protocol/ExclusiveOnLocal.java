package dev.rcc.it.protocol;

import dev.rcc.core.protocol.Protocol;
import dev.rcc.it.example.Exclusive;

/** EXCLUSIVE in one JVM. */
interface ExclusiveOnLocal extends ExampleOnLocal {
    @Override
    default Protocol protocol() {
        return new Exclusive();
    }
}
