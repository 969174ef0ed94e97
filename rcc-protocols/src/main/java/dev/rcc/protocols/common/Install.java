package dev.rcc.protocols.common;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.store.TableLayout;
import dev.rcc.core.store.TablePartition;

/**
 * The item of an {@link InstallMessage} that an {@link Installer} carries out. Reused from item to item; used on the worker that serves the
 * RPC.
 */
public final class Install {
    private TablePartition partition;
    private Memory payload;
    private long item;
    private long attempt;

    Install() {}

    void begin(TablePartition newPartition, Memory newPayload, long newItem, long newAttempt) {
        partition = newPartition;
        payload = newPayload;
        item = newItem;
        attempt = newAttempt;
    }

    /** The partition of the tuple or leaf. */
    public TablePartition partition() {
        return partition;
    }

    /** The layout of its table. */
    public TableLayout layout() {
        return partition.table().layout();
    }

    /** The partition's memory. */
    public Memory memory() {
        return partition.memory();
    }

    /** Where the tuple or leaf starts in {@link #memory}. */
    public long offset() {
        return InstallMessage.offset(payload, item);
    }

    /** The action: a constant of {@link InstallMessage}. */
    public int action() {
        return InstallMessage.action(payload, item);
    }

    /** The new version. */
    public long version() {
        return InstallMessage.version(payload, item);
    }

    /** The word in the request's header: the holder of the lock, or the transaction. */
    public long attempt() {
        return attempt;
    }

    /** One of the protocol's own words. */
    public long own(int index) {
        return payload.getLong(ownOffset() + (long) index * Memory.WORD_BYTES);
    }

    /** Where the protocol's own words start in {@link #payload}. */
    public long ownOffset() {
        return InstallMessage.ownOffset(item);
    }

    /** The memory that holds the request. */
    public Memory payload() {
        return payload;
    }
}
