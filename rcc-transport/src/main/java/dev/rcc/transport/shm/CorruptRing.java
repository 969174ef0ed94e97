package dev.rcc.transport.shm;

/** A ring holds what no peer that works would have written. The message says what and where. */
final class CorruptRing extends RuntimeException {
    private static final long serialVersionUID = 1L;

    CorruptRing(String message) {
        super(message);
    }
}
