package dev.rcc.core.store;

/** The kind of a table's keys. */
public enum KeyKind {
    /** 64-bit integers. */
    LONG,
    /** Byte strings of 1 byte up to the table's limit. */
    BYTES
}
