package dev.rcc.transport.shm;

/** A ring contains data that no correct peer writes. The message says what was found and where. */
final class CorruptRing extends RuntimeException {
    private static final long serialVersionUID = 1L;

    CorruptRing(String message) {
        super(message);
    }
}
