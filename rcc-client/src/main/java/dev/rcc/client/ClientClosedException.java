package dev.rcc.client;

/** A closed client was used. */
final class ClientClosedException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    ClientClosedException() {
        super("the client is closed");
    }
}
