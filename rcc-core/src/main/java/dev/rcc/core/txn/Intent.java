package dev.rcc.core.txn;

/** The purpose for which a transaction accesses a key. */
public enum Intent {
    /** To read the record. */
    READ(0),
    /** To read the record and perhaps write it. */
    UPDATE(1),
    /** To add a record under a key that has none. */
    INSERT(2),
    /** To read the record and remove it. */
    DELETE(3),
    /** To replace the whole record, if there is one, without reading it: a blind write. */
    WRITE(4);

    private static final Intent[] BY_CODE = values();

    private final int code;

    Intent(int code) {
        this.code = code;
    }

    /** The number of the intent in messages. */
    public int code() {
        return code;
    }

    /** The intent with this number. */
    public static Intent ofCode(int code) {
        return BY_CODE[code];
    }
}
