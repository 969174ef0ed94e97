package dev.rcc.core.store;

/** What a table's keys are. */
public enum KeyKind {
    /** 64-bit integers. */
    LONG,
    /** Byte strings of 1 byte up to the table's limit. */
    BYTES
}
