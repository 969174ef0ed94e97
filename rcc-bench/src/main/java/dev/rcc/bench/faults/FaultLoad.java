package dev.rcc.bench.faults;

/** Clients that load a cluster while its nodes fail. */
interface FaultLoad extends AutoCloseable {
    /** The acknowledgements that the clients have received. */
    Acknowledgements acknowledgements();

    /**
     * Writes the initial records.
     *
     * @param patienceNanos how long that may take
     */
    void fill(long patienceNanos) throws InterruptedException;

    /** Starts all clients. */
    void start();

    @Override
    void close();
}
