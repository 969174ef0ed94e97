package dev.rcc.bench.shell;

/** A command that is malformed or unknown; the message names the value given and the values allowed. */
final class BadCommand extends RuntimeException {
    private static final long serialVersionUID = 1L;

    BadCommand(String message) {
        super(message);
    }

    static BadCommand given(String what, String given, String allowed) {
        return new BadCommand(what + ": got " + given + ", allowed: " + allowed);
    }
}
