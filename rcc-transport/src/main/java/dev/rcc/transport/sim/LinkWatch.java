package dev.rcc.transport.sim;

/** Observes the links of a {@link SimNetwork} being cut and healed, one way or both. */
public interface LinkWatch {
    /** Does nothing. */
    LinkWatch NONE = new LinkWatch() {
        @Override
        public void cut() {}

        @Override
        public void healed() {}
    };

    /** A link was cut. */
    void cut();

    /** A link was healed. */
    void healed();
}
