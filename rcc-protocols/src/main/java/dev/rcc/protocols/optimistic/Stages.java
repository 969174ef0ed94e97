package dev.rcc.protocols.optimistic;

/** The stages of every protocol that buffers an attempt's writes until it commits, without the protocol's own. */
public interface Stages {
    /** An attempt begins. */
    void begin();

    /** Fetches new accesses, at least one, or all. Afterwards these are fetched, or the transaction must abort. */
    boolean fetch();

    /** Logs the writes. Afterwards the transaction is decided, or must abort and no backup replays it. */
    boolean log();

    /** Installs the writes, which {@link #log} logged, and unlocks them; then this is done on every node of the configuration. */
    void commit();

    /** Drops all locks; afterwards this is done on every node of the configuration. */
    void release();
}
