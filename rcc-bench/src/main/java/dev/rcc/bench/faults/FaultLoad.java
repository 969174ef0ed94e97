package dev.rcc.bench.faults;

/** Clients that load a cluster while its nodes fail. */
interface FaultLoad extends AutoCloseable {
    /** When they have got on. */
    Acknowledgements acknowledgements();

    /**
     * Writes what they begin with.
     *
     * @param patienceNanos how long that may take
     */
    void fill(long patienceNanos) throws InterruptedException;

    /** Lets all of them begin. */
    void start();

    @Override
    void close();
}
