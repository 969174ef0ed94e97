package dev.rcc.protocols.common;

import dev.rcc.core.memory.Memory;

/**
 * A protocol's changes to the metadata of a tuple or leaf when its participant installs a write. Called on the worker that serves the
 * RPC, in the order of {@link Installer}; must not allocate.
 */
public interface InstallRules {
    /** Whether the item is still to be carried out: whether the transaction holds the lock that the item names. */
    boolean isHeld(Install install);

    /** Called before a byte of the tuple changes. */
    default void begin(Install install) {}

    /** Writes the version of the tuple. The content is installed already; the index does not name an inserted key yet. */
    void writeVersion(Install install);

    /** Announces that tuples below the leaf come or go. */
    default void markLeaf(Install install) {
        throw new IllegalStateException("this protocol marks no leaf");
    }

    /** Writes the version of the leaf. */
    default void writeLeaf(Install install) {
        install.memory().putRelease(install.offset() + install.layout().leafVersionOffset(), install.version());
    }

    /** Drops the lock. */
    void unlock(Install install);

    /** Writes the version of a tuple, for a protocol whose version is a plain word under an exclusive lock. */
    static void putVersion(Install install) {
        Memory memory = install.memory();
        memory.putLong(install.offset() + install.layout().tuple().versionOffset(), install.version());
    }
}
