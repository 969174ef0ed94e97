package dev.rcc.protocols.locking;

/** How a lock is held. */
public enum LockMode {
    /** Not at all. */
    NONE(0),
    /** With other transactions. */
    SHARED(1),
    /** Alone. */
    EXCLUSIVE(2);

    private static final LockMode[] BY_CODE = values();

    private final int code;

    LockMode(int code) {
        this.code = code;
    }

    /** The mode's number in messages. */
    int code() {
        return code;
    }

    static LockMode ofCode(int code) {
        return BY_CODE[code];
    }

    /** Whether a lock held in this mode may be used as {@code wanted}. */
    public boolean covers(LockMode wanted) {
        return code >= wanted.code;
    }
}
