package dev.rcc.core.txn;

/** How a transaction, or one attempt of it, ended. */
public enum Outcome {
    /** Its effects are on all replicas that can be reached, and stay. */
    COMMITTED,
    /** It has had no effect. */
    ABORTED
}
