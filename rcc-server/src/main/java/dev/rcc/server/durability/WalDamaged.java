package dev.rcc.server.durability;

import java.nio.file.Path;

/** A file of a node's data directory is not what was written: it was damaged after it had been made durable. */
public final class WalDamaged extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Damage in a file. */
    WalDamaged(Path file, long offset, String what) {
        super(file + ", offset " + offset + ": " + what);
    }

    /** What several nodes have does not fit together. */
    WalDamaged(String what) {
        super(what);
    }

    /** A file that is missing, or is another one's. */
    WalDamaged(Path file, String what) {
        super(file + ": " + what);
    }
}
