package dev.rcc.client;

import dev.rcc.client.wire.Message;

/** What a lock is wanted for. */
public enum LockMode {
    /** To read, beside others that read. */
    SHARED(Message.LockMode.SHARED),
    /** To read now, beside those that read already, and to write later, after {@link HeldLock#upgrade}. */
    UPDATE(Message.LockMode.UPDATE),
    /** To write, alone. */
    EXCLUSIVE(Message.LockMode.EXCLUSIVE);

    private final Message.LockMode wire;

    LockMode(Message.LockMode wire) {
        this.wire = wire;
    }

    Message.LockMode wire() {
        return wire;
    }

    static LockMode of(Message.LockMode wire) {
        return switch (wire) {
            case SHARED -> SHARED;
            case UPDATE -> UPDATE;
            case EXCLUSIVE -> EXCLUSIVE;
        };
    }
}
