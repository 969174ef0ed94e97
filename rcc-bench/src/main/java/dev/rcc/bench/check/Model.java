package dev.rcc.bench.check;

/** The consistency models that a history can be checked against. */
public enum Model {
    /** The transactions end as if they had run one after the other, in some order. */
    SERIALIZABLE("serializable"),
    /** Serializable, in an order in which a transaction that began after another had ended comes after it. */
    STRICT_SERIALIZABLE("strict-serializable");

    private final String label;

    Model(String label) {
        this.label = label;
    }

    /** The model's name on the command line. */
    public String label() {
        return label;
    }
}
