package dev.rcc.server.durability;

import java.nio.file.Path;

/** A file of a node's data directory differs from the bytes that were written: it was damaged after it had been made durable. */
public final class WalDamaged extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Damage in a file. */
    WalDamaged(Path file, long offset, String what) {
        super(file + ", offset " + offset + ": " + what);
    }

    /** The data of several nodes does not fit together. */
    WalDamaged(String what) {
        super(what);
    }

    /** A file that is missing, or that belongs to another node or log. */
    WalDamaged(Path file, String what) {
        super(file + ": " + what);
    }
}
