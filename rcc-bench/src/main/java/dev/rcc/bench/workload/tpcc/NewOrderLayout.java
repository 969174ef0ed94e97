package dev.rcc.bench.workload.tpcc;

/** A record of NEW-ORDER: NO_W_ID, NO_D_ID and NO_O_ID are the key, and there are no other columns. */
final class NewOrderLayout {
    /** The smallest possible record. */
    static final int BYTES = 1;

    private NewOrderLayout() {}
}
