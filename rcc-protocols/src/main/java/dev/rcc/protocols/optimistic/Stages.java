package dev.rcc.protocols.optimistic;

/** What every protocol that keeps an attempt's writes to itself until it commits does in stages, beside what is its own. */
public interface Stages {
    /** An attempt begins. */
    void begin();

    /** Fetches accesses that are new, at least one, or all. Afterwards these are fetched, or the transaction must abort. */
    boolean fetch();

    /** Logs the writes. Afterwards the transaction is decided, or must abort and no backup replays it. */
    boolean log();

    /** Installs the writes, which {@link #log} logged, and unlocks them; then that is done on every node of the configuration. */
    void commit();

    /** Unlocks what is locked; then that is done on every node of the configuration. */
    void release();
}
