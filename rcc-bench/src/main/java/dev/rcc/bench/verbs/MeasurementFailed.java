package dev.rcc.bench.verbs;

/** A measurement failed; the message gives the reason and the remedy. */
public final class MeasurementFailed extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** A failure with its reason. */
    public MeasurementFailed(String message) {
        super(message);
    }

    /** A failure with its reason and its cause. */
    public MeasurementFailed(String message, Throwable cause) {
        super(message, cause);
    }
}
