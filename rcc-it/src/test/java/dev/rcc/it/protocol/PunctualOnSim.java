package dev.rcc.it.protocol;

import dev.rcc.core.protocol.Protocol;
import dev.rcc.it.example.punctual.Punctual;

/** PUNCTUAL in virtual time, under faults. */
interface PunctualOnSim extends OnSim, Example {
    @Override
    default Protocol protocol() {
        return new Punctual();
    }
}
