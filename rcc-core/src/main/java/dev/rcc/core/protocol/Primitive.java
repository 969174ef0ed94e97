package dev.rcc.core.protocol;

/** How a stage communicates (rcc, 3.3). */
public enum Primitive {
    /** Two-sided: SEND and RECV, used as a remote procedure call; the participant's CPU does the work. */
    RPC('0', "rpc"),
    /** One-sided: READ, WRITE, CAS and FETCH_ADD; the participant's CPU takes no part. */
    ONE_SIDED('1', "one-sided");

    private final char digit;
    private final String label;

    Primitive(char digit, String label) {
        this.digit = digit;
        this.label = label;
    }

    /** The digit of this primitive in a hybrid code. */
    public char digit() {
        return digit;
    }

    /** The name by which users pick it. */
    public String label() {
        return label;
    }
}
