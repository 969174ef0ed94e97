package dev.rcc.protocols.locks;

/** The purpose for which a lock is requested. */
public enum LockMode {
    /** To read, beside other readers. */
    SHARED(0),
    /** To read now, beside the present readers, and to write later, after an upgrade (dslr, 5.2). */
    UPDATE(1),
    /** To write, alone. */
    EXCLUSIVE(2);

    private static final LockMode[] BY_CODE = values();

    private final int code;

    LockMode(int code) {
        this.code = code;
    }

    /** The number of the mode in messages. */
    public int code() {
        return code;
    }

    /** The mode with a number. */
    public static LockMode ofCode(int code) {
        return BY_CODE[code];
    }

    /** Whether two holders, of which neither has upgraded, may not hold a lock at the same time. */
    public boolean conflictsWith(LockMode other) {
        return this == EXCLUSIVE || other == EXCLUSIVE || (this == UPDATE && other == UPDATE);
    }
}
