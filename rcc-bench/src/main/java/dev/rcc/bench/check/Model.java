package dev.rcc.bench.check;

/** What a history can be held to. */
public enum Model {
    /** The transactions end as if they had run one after the other, in some order. */
    SERIALIZABLE("serializable"),
    /** In an order, moreover, in which a transaction that began after another had ended comes after it. */
    STRICT_SERIALIZABLE("strict-serializable");

    private final String label;

    Model(String label) {
        this.label = label;
    }

    /** The word for it on the command line. */
    public String label() {
        return label;
    }
}
