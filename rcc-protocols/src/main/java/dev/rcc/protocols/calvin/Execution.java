package dev.rcc.protocols.calvin;

/** Where a transaction runs whose code all nodes have ({@link dev.rcc.core.txn.Fragment}). */
enum Execution {
    /** On every node that holds what it writes (rcc, 4.6). */
    PARTICIPANTS,
    /** On its coordinator alone, which forwards what it wrote, as that of a closure does. */
    COORDINATOR
}
