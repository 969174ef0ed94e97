package dev.rcc.bench.check;

/** The anomalies of a history, by the names of Adya and of Elle, the worst first. */
public enum Anomaly {
    /** Two transactions wrote the same version of a key. */
    DUPLICATE_WRITE("duplicate-write", "two transactions wrote the same version"),
    /** A transaction inserted a key that existed: no transaction had removed it since it was written. */
    DUPLICATE_INSERT("duplicate-insert", "an insert of a key that existed"),
    /** A transaction read a list that has an element more than once. */
    DUPLICATE_ELEMENTS("duplicate-elements", "a list has an element more than once"),
    /** A transaction did not read or find the version that it had just written, or read a version that it wrote only later. */
    INTERNAL("internal", "a transaction disagrees with itself"),
    /** A transaction read a version that no transaction wrote. */
    GARBAGE_READ("garbage-read", "a read of a version that no transaction wrote"),
    /** A transaction read a record under the version from which on it does not exist. */
    DELETED_READ("deleted-read", "a read of a record that had been removed"),
    /** Reads of a list contradict each other. */
    INCOMPATIBLE_ORDER("incompatible-order", "reads that contradict each other on the order of versions"),
    /** A transaction read a version that an aborted transaction wrote. */
    G1A("G1a", "a dirty read of a version that an aborted transaction wrote"),
    /** A transaction read a version that its writer itself overwrote. */
    G1B("G1b", "an intermediate read of a version that its own writer overwrote"),
    /** A cycle of overwriting. */
    G0("G0", "a dirty write"),
    /** A cycle of overwriting and of reading written versions. */
    G1C("G1c", "circular information flow"),
    /** A cycle in which just one transaction missed another's write. */
    G_SINGLE("G-single", "read skew"),
    /** A cycle in which several transactions missed the writes of others. */
    G2_ITEM("G2-item", "write skew"),
    /** A cycle in which a transaction missed a key that appeared or vanished. */
    G2("G2", "a phantom"),
    /** As G0, but the cycle also has edges of real time. */
    G0_REALTIME("G0-realtime", "a write that took effect after it had ended, or before it began"),
    /** As G1c, but the cycle also has edges of real time. */
    G1C_REALTIME("G1c-realtime", "a read of a version that was written only later"),
    /** As G-single, but the cycle also has edges of real time. */
    G_SINGLE_REALTIME("G-single-realtime", "a stale read"),
    /** As G2-item, but the cycle also has edges of real time. */
    G2_ITEM_REALTIME("G2-item-realtime", "stale reads"),
    /** As G2, but the cycle also has edges of real time. */
    G2_REALTIME("G2-realtime", "a stale read of the set of keys");

    private final String label;
    private final String meaning;

    Anomaly(String label, String meaning) {
        this.label = label;
        this.meaning = meaning;
    }

    /** The name in the literature. */
    public String label() {
        return label;
    }

    /** The anomaly in a few words. */
    public String meaning() {
        return meaning;
    }
}
