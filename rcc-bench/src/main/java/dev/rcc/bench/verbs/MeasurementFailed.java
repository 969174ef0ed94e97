package dev.rcc.bench.verbs;

/** A measurement did not come about; the message says why and what to do. */
public final class MeasurementFailed extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Says why. */
    public MeasurementFailed(String message) {
        super(message);
    }

    /** Says why. */
    public MeasurementFailed(String message, Throwable cause) {
        super(message, cause);
    }
}
