package dev.rcc.protocols.calvin;

/** The place where a transaction runs whose code all nodes have ({@link dev.rcc.core.txn.Fragment}). */
enum Execution {
    /** On every node that holds records that it writes (rcc, 4.6). */
    PARTICIPANTS,
    /** On its coordinator alone, which forwards its writes, as a closure's coordinator does. */
    COORDINATOR
}
