package dev.rcc.client;

import dev.rcc.client.wire.Message;

/** The mode in which a client holds a lock. */
public enum LockMode {
    /** To read, beside other readers. */
    SHARED(Message.LockMode.SHARED),
    /** To read now, beside the clients that read already, and to write later, after {@link HeldLock#upgrade}. */
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
